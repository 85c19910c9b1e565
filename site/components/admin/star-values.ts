import type { EditableStar } from '#api/directory/calls-model.ts';
import type { StoredItem } from '#api/directory/lists.ts';
import { type Lang, languages } from '#content/locales.ts';
import { site } from '#content/site.ts';
import { findStarBySlug } from '#db/queries/directory/choose.ts';
import type { StarList } from '#db/queries/directory/document.ts';
import type { FormBody } from '../../lib/accounts/forms.ts';
import type { StarSection } from '../../routes.ts';
import type { FormFields } from './differences.ts';
import { entryForms, type OwnField, profileForm, sourceFields, type WordField } from './star-forms.ts';

/** What the forms of a star show of it, and what they send. */

/** What a document says at a path such as `words.ko.title`. */
export function valueAt(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
      document,
    );
}

function textAt(document: unknown, path: string): string {
  const value = valueAt(document, path);
  if (value === undefined || value === null || value === false) return '';
  return value === true ? 'on' : String(value);
}

const pathIn = ({ path }: WordField, language: Lang) => path.replace('*', language);

function wordValues(words: readonly WordField[], document: unknown): [string, string][] {
  return words.flatMap((field) =>
    languages.map((language): [string, string] => [
      `${field.name}.${language}`,
      textAt(document, pathIn(field, language)),
    ]),
  );
}

/** Languages in which a document says nothing of these fields. */
export const missingLanguages = (words: readonly WordField[], document: unknown): Lang[] =>
  words.length === 0
    ? []
    : languages.filter((language) =>
        words.every((field) => textAt(document, pathIn(field, language)) === ''),
      );

/** A star as text fields name it: its number, then its name. */
export const starText = (id: number | null | undefined, name: string | undefined): string =>
  id === null || id === undefined ? '' : `${id} ${name ?? ''}`.trim();

/** Names of a document, the language's own first. */
export const nameIn = (names: unknown, lang: Lang): string =>
  textAt(names, lang) ||
  textAt(names, 'en') ||
  textAt(names, 'ko') ||
  String(Object.values(Object(names))[0] ?? '');

/** An entry as its form shows it; undefined is a new one. */
export function entryValues(list: StarList, item: StoredItem | undefined, lang: Lang): FormFields {
  const { own, words, hasSource } = entryForms[list];
  const value = ({ name, kind, initial = '', options }: OwnField): string => {
    if (!item) return options ? '' : initial;
    if (kind === 'star') return starText(item.starId, nameIn(item.names, lang));
    return textAt(item, kind === 'picture' ? `${name}.key` : name);
  };
  return new Map([
    ...own.map((field) => [field.name, value(field)] as const),
    ...wordValues(words, item),
    ...(hasSource ? sourceFields.map(({ name, path }) => [name, textAt(item, path)] as const) : []),
  ]);
}

/** What the field for the colour shows: a colour field cannot be empty. */
const shownColor = (star: EditableStar | undefined, brandColor: string): string =>
  (star?.accent ?? brandColor).toLowerCase();

/** A star's own fields as their form shows them. @param parent as `starText` says it */
export function profileValues(
  star: EditableStar | undefined,
  brandColor: string,
  parent: string,
): FormFields {
  return new Map([
    ...profileForm.own.map(({ name }) => [name, textAt(star, name)] as const),
    ['fandomColor', shownColor(star, brandColor)],
    ['noFandomColor', star?.fandomColor ? '' : 'on'],
    ['parent', parent],
    ['aliases', star?.aliases?.join('\n') ?? ''],
    ...wordValues(profileForm.words, star),
  ]);
}

type Form = ReadonlyMap<string, string>;
const read = (form: Form, name: string) => form.get(name)?.trim() ?? '';

/** JSON knows no number that is none: what is not one is sent as one that every field refuses. */
function numberOf(text: string, unit = ''): number {
  const number = Number(
    unit !== '' && text.toLowerCase().endsWith(unit) ? text.slice(0, -unit.length) : text,
  );
  return Number.isFinite(number) ? number : -1;
}

function ownValue(form: Form, { name, kind, required, unit }: OwnField): unknown {
  const text = read(form, name);
  switch (kind) {
    case 'tick':
      return form.has(name);
    case 'number':
      return text === '' && !required ? null : numberOf(text || 'none', unit);
    case 'picture':
      return text || required ? { key: text } : null;
    case 'choice':
      // Nothing is chosen yet: the call says that it is required.
      return text || undefined;
    case 'color':
      return text;
    default:
      return required ? text : text || null;
  }
}

const ownValues = (form: Form, fields: readonly OwnField[]) =>
  Object.fromEntries(
    fields.filter(({ kind }) => kind !== 'star').map((field) => [field.name, ownValue(form, field)]),
  );

/** Where it is from, as a form says it; null says nothing. */
export function sourceOf(form: Form): { name: string; url?: string; readOn?: string } | null {
  const [name, url, readOn] = sourceFields.map((field) => read(form, field.name));
  if (!name && !url && !readOn) return null;
  return { name: name ?? '', ...(url ? { url } : {}), ...(readOn ? { readOn } : {}) };
}

/** An entry as a form says it. @param starId of the field for a star, where the list has one */
export function entryBody(list: StarList, form: Form, starId: number | null): Record<string, unknown> {
  const { own, words, hasSource } = entryForms[list];
  const body: Record<string, unknown> = {
    ...ownValues(form, own),
    ...(own.some(({ kind }) => kind === 'star') ? { starId } : {}),
    ...(hasSource ? { source: sourceOf(form) } : {}),
  };
  const written = (fields: readonly WordField[]) =>
    languages.filter((language) => fields.some(({ name }) => read(form, `${name}.${language}`) !== ''));
  if (list === 'members') {
    for (const field of words)
      body[field.name] = Object.fromEntries(
        written([field]).map((language) => [language, read(form, `${field.name}.${language}`)]),
      );
    return body;
  }
  if (words.length > 0)
    body.words = Object.fromEntries(
      written(words).map((language) => [
        language,
        Object.fromEntries(
          words.map(({ name, required }) => {
            const text = read(form, `${name}.${language}`);
            return [name, required ? text : text || null];
          }),
        ),
      ]),
    );
  return body;
}

/**
 * A star's own fields as their form says them.
 * @param star undefined for a new one
 * @param parent slug of the group that it belongs to
 * @param brandColor that the form showed for a new one
 */
export function profileBody(
  form: Form,
  star: EditableStar | undefined,
  parent: string | null,
  brandColor: string,
): FormBody<'post', '/api/admin/stars'> {
  const wordsOf = (language: Lang) =>
    Object.fromEntries(
      profileForm.words.map(({ name, required }) => {
        const text = read(form, `${name}.${language}`);
        return [name, required ? text : text || null];
      }),
    );
  // A language of which nothing is left leaves the star.
  const written = languages.flatMap((language): [Lang, ReturnType<typeof wordsOf> | null][] => {
    const own = wordsOf(language);
    if (Object.values(own).some(Boolean)) return [[language, own]];
    return star?.words[language] ? [[language, null]] : [];
  });
  const { noFandomColor, fandomColor, ...own } = ownValues(form, profileForm.own);
  // Who chose a colour where none was known has told one, without a script also where the box is still ticked.
  const isTold = !noFandomColor || (!star?.fandomColor && fandomColor !== shownColor(star, brandColor));
  return {
    ...own,
    fandomColor: isTold ? fandomColor : null,
    parent,
    aliases: read(form, 'aliases')
      .split('\n')
      .map((alias) => alias.trim())
      .filter(Boolean),
    words: Object.fromEntries(written),
  } as FormBody<'post', '/api/admin/stars'>;
}

/** Where a fact is from, as its form shows it. */
export const sourceValues = (source: unknown): FormFields =>
  new Map(sourceFields.map(({ name, path }) => [name, textAt({ source }, path)] as const));

/** What the form that is open shows while nothing else was typed, and which version of it that is. */
export async function openForm({
  star,
  list,
  item,
  section,
  entry,
  lang,
}: {
  /** Undefined: a new one. */
  star: EditableStar | undefined;
  list: StarList | undefined;
  item: StoredItem | undefined;
  section: StarSection;
  entry: string | undefined;
  lang: Lang;
}): Promise<[FormFields, version: string | undefined]> {
  if (list) return [entryValues(list, item, lang), item?.version];
  if (star && section === 'sources') return [sourceValues(star.facts[entry ?? '']?.source), star.version];
  const parent = star?.parent ? await findStarBySlug(star.parent, lang) : undefined;
  return [profileValues(star, site.brandColor, starText(parent?.id, parent?.name)), star?.version];
}

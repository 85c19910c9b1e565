import type { EditableStar } from '#api/directory/calls-model.ts';
import type { StoredItem } from '#api/directory/lists.ts';
import { type Lang, languages } from '#content/locales.ts';
import { socialPlatformEntry, socialPlatforms } from '#content/social-platforms.ts';
import type { StarList } from '#db/queries/directory/document.ts';
import { activities, photoCategories, starCategories, timelineTypes } from '#db/schema/stars.ts';
import type { T } from '../../i18n/words.ts';
import type { FormBody } from '../../lib/accounts/forms.ts';
import { categoryName } from '../../lib/stars/categories.ts';
import type { FormFields } from './differences.ts';

/** What the forms of a star ask for: one table, of which the fields, what they show and what they send are made. */

type Option = { value: string; text: string };

/** A field that is the same in every language. */
export interface OwnField {
  name: string;
  kind: 'text' | 'url' | 'date' | 'day' | 'number' | 'color' | 'choice' | 'tick' | 'star' | 'picture';
  required?: true;
  /** Of a number, which some write behind it. */
  unit?: string;
  /** What a new entry begins with. */
  initial?: string;
  options?: (t: T, lang: Lang) => Option[];
}

/** A field that each language has; `path` is where it stands in the document, with `*` for the language. */
export interface WordField {
  name: string;
  path: string;
  rows?: number;
  /** A language that has any words has this one. */
  required?: true;
}

export interface EntryForm {
  own: readonly OwnField[];
  words: readonly WordField[];
  /** An entry of it may name where it is from. */
  hasSource: boolean;
  /** Its order is the editor's. */
  isOrdered: boolean;
}

const titles: readonly WordField[] = [
  { name: 'title', path: 'words.*.title', required: true },
  { name: 'description', path: 'words.*.description', rows: 3 },
];
const choices =
  <Value extends string>(values: readonly Value[], text: (t: T, value: Value, lang: Lang) => string) =>
  (t: T, lang: Lang): Option[] =>
    values.map((value) => ({ value, text: text(t, value, lang) }));

export const entryForms: Record<StarList, EntryForm> = {
  members: {
    own: [
      { name: 'star', kind: 'star' },
      { name: 'since', kind: 'date' },
      { name: 'until', kind: 'date' },
      { name: 'isFormer', kind: 'tick' },
    ],
    words: [
      { name: 'names', path: 'names.*' },
      { name: 'roles', path: 'roles.*' },
    ],
    hasSource: true,
    isOrdered: true,
  },
  photos: {
    own: [
      { name: 'picture', kind: 'picture', required: true },
      {
        name: 'category',
        kind: 'choice',
        options: choices(photoCategories, (t, value) => t(`star:photo_${value}`)),
      },
      { name: 'takenAt', kind: 'date' },
      { name: 'photographer', kind: 'text' },
      { name: 'isOfficial', kind: 'tick' },
    ],
    words: titles,
    hasSource: false,
    isOrdered: true,
  },
  timeline: {
    own: [
      { name: 'date', kind: 'date', required: true },
      {
        name: 'type',
        kind: 'choice',
        options: choices(timelineTypes, (t, value) => t(`star:type_${value}`)),
      },
      { name: 'importance', kind: 'number', required: true, initial: '5' },
      { name: 'relatedUrl', kind: 'url' },
      { name: 'picture', kind: 'picture' },
      { name: 'isHighlight', kind: 'tick' },
    ],
    words: titles,
    hasSource: true,
    isOrdered: false,
  },
  achievements: {
    own: [
      { name: 'awardDate', kind: 'date', required: true },
      {
        name: 'result',
        kind: 'choice',
        options: choices(['won', 'nominated'], (t, value) => t(`star:${value}`)),
      },
    ],
    words: [
      { name: 'achievement', path: 'words.*.achievement', required: true },
      { name: 'awardName', path: 'words.*.awardName', required: true },
      { name: 'awardCategory', path: 'words.*.awardCategory' },
      { name: 'organisation', path: 'words.*.organisation' },
      { name: 'workTitle', path: 'words.*.workTitle' },
    ],
    hasSource: true,
    isOrdered: false,
  },
  socialLinks: {
    own: [
      {
        name: 'platform',
        kind: 'choice',
        options: choices(socialPlatforms, (t, value) => {
          const { name, isOwnSite } = socialPlatformEntry(value);
          return isOwnSite ? t('admin:ownSite') : name;
        }),
      },
      { name: 'profileUrl', kind: 'url', required: true },
      { name: 'displayName', kind: 'text', required: true },
      { name: 'platformUserId', kind: 'text' },
      { name: 'followerCount', kind: 'number' },
      { name: 'countedOn', kind: 'day' },
      { name: 'isOfficial', kind: 'tick' },
      { name: 'isVerified', kind: 'tick' },
    ],
    words: [],
    hasSource: true,
    isOrdered: false,
  },
};

/** A star's own fields. */
export const profileForm: Pick<EntryForm, 'own' | 'words'> = {
  own: [
    {
      name: 'category',
      kind: 'choice',
      required: true,
      options: choices(starCategories, (_, value, lang) => categoryName(lang, value)),
    },
    { name: 'fandomColor', kind: 'color' },
    { name: 'noFandomColor', kind: 'tick' },
    { name: 'birthDate', kind: 'date' },
    { name: 'debutDate', kind: 'date' },
    {
      name: 'activity',
      kind: 'choice',
      options: choices(activities, (t, value) => t(`admin:activity_${value}`)),
    },
    { name: 'endDate', kind: 'date' },
    { name: 'parent', kind: 'star' },
    { name: 'height', kind: 'number', unit: 'cm' },
    { name: 'bloodType', kind: 'text' },
    { name: 'mbti', kind: 'text' },
    { name: 'monthlyListeners', kind: 'number' },
    { name: 'totalAlbumSales', kind: 'number' },
  ],
  words: [
    { name: 'name', path: 'words.*.name', required: true },
    { name: 'agency', path: 'words.*.agency' },
    { name: 'realName', path: 'words.*.realName' },
    { name: 'nationality', path: 'words.*.nationality' },
    { name: 'fandomName', path: 'words.*.fandomName' },
    { name: 'biography', path: 'words.*.biography', rows: 6 },
  ],
};

export const sourceFields = [
  { name: 'sourceName', path: 'source.name', type: 'text' },
  { name: 'sourceUrl', path: 'source.url', type: 'url' },
  { name: 'sourceReadOn', path: 'source.readOn', type: 'date' },
] as const;

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

/** A value of a form as it is read: the word of a choice, a sign for a box that is ticked. */
export function readableChoice(
  t: T,
  lang: Lang,
  list: StarList | undefined,
  name: string,
  value: string,
): string {
  const { own } = list ? entryForms[list] : profileForm;
  const options = own.find((field) => field.name === name)?.options?.(t, lang) ?? [];
  return options.find((option) => option.value === value)?.text ?? (value === 'on' ? '✓' : value);
}

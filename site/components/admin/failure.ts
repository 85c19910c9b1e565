import { readId } from '#api/input.ts';
import { isLang, type Lang, languageEntries, languages } from '#content/locales.ts';
import { languageList, wholeNumber } from '../../i18n/format.ts';
import type { Words } from '../../i18n/resources.ts';
import type { T } from '../../i18n/words.ts';
import { platformNames } from '../../lib/embeds/platform-names.ts';
import type { ApiRefusal } from '../../lib/http/api-call.ts';
import { paths } from '../../lib/routes/paths.ts';

type Form = ReadonlyMap<string, string>;
type FieldWord = Extract<keyof Words['admin'], `field_${string}`>;

/** Why a form was refused: a sentence, the ids of the fields that it is about, and the page of what is there already. */
export interface Failure {
  text: string;
  fields: readonly string[];
  known?: string | undefined;
}

/** Whether a form was refused for something in this language, which then stands open. */
export const isAbout = (failure: Failure | undefined, language: Lang): boolean =>
  failure?.fields.some((field) => field.endsWith(`.${language}`)) ?? false;

/** Codes of the API that each have a sentence about the field. */
const reasons = [
  'required',
  'long',
  'latin',
  'characters',
  'date',
  'time',
  'zone',
  'url',
  'address',
  'platform',
  'no_article',
  'sentences',
  'tangled',
  'order',
  'unknown',
  'not_public',
] as const;

/** What has to be said in every language: all that lack it are named at once. */
const inEveryLanguage: ReadonlySet<string> = new Set(['name', 'note']);

interface Place {
  name: string;
  languages: readonly Lang[];
}

/** `words.en.name` of a request is the field `name.en` of a form; the form of one language names it beside its fields. */
function placeOf(field: string, code: string | undefined, typed: Form): Place {
  const parts = field.split('.');
  const name = parts.findLast((part) => /^[a-z]{3,}$/i.test(part)) ?? field;
  const language = parts.find(isLang) ?? typed.get('language');
  if (!isLang(language)) return { name, languages: [] };
  if (code !== 'required' || !inEveryLanguage.has(name)) return { name, languages: [language] };
  return { name, languages: languages.filter((each) => !typed.get(`${name}.${each}`)?.trim()) };
}

/** A field as its form calls it, without its language. */
export function fieldName(t: T, field: string): string {
  if (field === 'allDay') return t('admin:allDay');
  if (field === 'cancelled') return t('admin:cancelledEvent');
  const own = field.split('.').findLast((part) => /^[a-zA-Z]{3,}$/.test(part)) ?? field;
  const key = `admin:field_${own}` as `admin:${FieldWord}`;
  const label = t(key, { language: '' });
  return label === key || label === `field_${own}` ? field : label;
}

/** A field as its form calls it, with the languages that are meant. */
function labelOf(t: T, lang: Lang, { name, languages: meant }: Place): string {
  const native = languageEntries.flatMap(({ code, nativeName }) =>
    meant.includes(code) ? [nativeName] : [],
  );
  const language = languageList(lang, native);
  const key = `admin:field_${name}` as `admin:${FieldWord}`;
  const label = t(key, { language });
  if (label === key || label === `field_${name}`) return name;
  return native.length === 0 || label.includes(language) ? label : `${label} (${language})`;
}

/** Fields by which a thing is known, each with its sentence. */
const knownBy = ['name', 'url', 'feedUrl'] as const;

function sentenceAt(
  t: T,
  lang: Lang,
  { code, most }: ApiRefusal['error'],
  place: Place,
  typed: Form,
): string {
  const known = code === 'known' && knownBy.find((each) => each === place.name);
  if (known) return t(`admin:failed_known_${known}`);
  const field = labelOf(t, lang, place);
  const reason = reasons.find((each) => each === code);
  if (!reason) return t('admin:failed_field', { field });
  const number = typed.get('articleId') ?? '';
  const platforms = platformNames(lang);
  return t(`admin:failed_${reason}`, { field, most: wholeNumber(lang, most ?? 0), number, platforms });
}

/** Where an editor finds what is there already; a source has no page of its own. */
function pageOfKnown(
  lang: Lang,
  { code, id }: ApiRefusal['error'],
  { name }: Place,
  typed: Form,
): string | undefined {
  if (code !== 'known') return undefined;
  if (name === 'name' && id !== undefined) return paths.adminStar(id, { lang });
  const articleId = readId(typed.get('articleId'));
  return name === 'url' && articleId ? paths.admin({ tab: 'multimedia', lang, articleId }) : undefined;
}

/** What a call of the administration said no to, in words. @param typed the form that was sent */
export function failureOf(t: T, lang: Lang, { status, error }: ApiRefusal, typed: Form): Failure {
  const { code, field } = error;
  if (code === 'unchanged') return { text: t('admin:failed_unchanged'), fields: [] };
  if (code === 'before_birth') return { text: t('admin:failed_debutFirst'), fields: ['debutDate'] };
  if (code === 'future') return { text: t('admin:failed_bornLater'), fields: ['birthDate'] };
  if (field) {
    const place = placeOf(field, code, typed);
    const { name, languages: meant } = place;
    return {
      text: sentenceAt(t, lang, error, place, typed),
      fields: meant.length === 0 ? [name] : meant.map((language) => `${name}.${language}`),
      known: pageOfKnown(lang, error, place, typed),
    };
  }
  return { text: sentenceOfStatus(t, status), fields: [] };
}

function sentenceOfStatus(t: T, status: number): string {
  if (status === 403) return t('admin:adminOnly');
  if (status === 404) return t('admin:failed_missing');
  if (status === 409) return t('admin:failed_conflict');
  if (status === 429) return t('admin:failed_limit');
  return t('admin:failed');
}

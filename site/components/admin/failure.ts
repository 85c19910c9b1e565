import { readId } from '#api/input.ts';
import type { FetchRefused } from '#api/media/guarded-fetch.ts';
import type { CrawlProblem } from '#api/newsroom/problem.ts';
import { isLang, type Lang, languages } from '#content/locales.ts';
import { languageEntries } from '#content/writing.ts';
import type { StarToChoose } from '#db/queries/directory/choose.ts';
import { languageList, wholeNumber } from '../../i18n/format.ts';
import type { Words } from '../../i18n/resources.ts';
import type { T } from '../../i18n/words.ts';
import { platformNames } from '../../lib/embeds/platform-names.ts';
import type { ApiRefusal } from '../../lib/http/api-call.ts';
import { paths } from '../../lib/routes/paths.ts';
import { pictureFailures } from '../../routes.ts';

type Form = ReadonlyMap<string, string>;
type FieldWord = Extract<keyof Words['admin'], `field_${string}`>;

/** Why a form was refused: a sentence, the ids of the fields that it is about, and the page of what is there already. */
export interface Failure {
  text: string;
  fields: readonly string[];
  /** What a machine said of it, in English. */
  details?: string | undefined;
  existingPath?: string | undefined;
  /** Stars that a name may mean. */
  candidates?: readonly StarToChoose[];
  /** What else is wrong, each at its own fields. */
  others?: readonly Failure[];
}

/** What is wrong with a field of a form. @param id of the field */
export const failureAt = (failure: Failure | undefined, id: string): Failure | undefined =>
  failure && [failure, ...(failure.others ?? [])].find(({ fields }) => fields.includes(id));

/** Whether a form was refused for something in this language, which then stands open. */
export const isAbout = (failure: Failure | undefined, language: Lang): boolean =>
  [failure, ...(failure?.others ?? [])].some((each) =>
    each?.fields.some((field) => field.endsWith(`.${language}`)),
  );

/** Why a feed cannot be read; the newsroom's own sentence says which host or status it was. */
const feedReasons = [
  'address',
  'robots',
  'status',
  'later',
  'feed',
  'entities',
  'dates',
  'scheme',
  'redirects',
  'size',
  'timeout',
  'network',
] as const satisfies readonly (CrawlProblem | FetchRefused)['code'][];
const isFeedReason = (code: string): boolean => feedReasons.some((each) => each === code);

/** Why a feed was not read the last time, noted as `code: sentence`: in words where the code is known, and in the newsroom's own. */
export function readFailureOf(t: T, lastError: string): { text: string | undefined; details: string } {
  const [, code, sentence = lastError] = lastError.match(/^(\w+): (.+)$/s) ?? [];
  const reason = feedReasons.find((each) => each === code);
  return reason
    ? { text: t(`admin:failed_${reason}`), details: sentence }
    : { text: undefined, details: lastError };
}

/** Codes of the API that each have a sentence about the field. */
const reasons = [
  ...feedReasons,
  'required',
  'long',
  'entries',
  'characters',
  'date',
  'year',
  'range',
  'blood_type',
  'mbti',
  'no_letter',
  'ended_later',
  'active_ended',
  'known_member',
  'day',
  'time',
  'zone',
  'url',
  'platform',
  'no_article',
  'sentences',
  'tangled',
  'order',
  'unknown',
  'itself',
  'circle',
  'no_group',
  'withdrawn',
  'shown',
  'not_public',
  'same_event',
] as const;

/** Codes of a picture that was not taken, from a file or from Commons. */
const pictureCodes = [...pictureFailures, 'missing', 'not_free', 'no_credit'] as const;

/** By what Commons is away, and the word that says so. */
const awayWords = {
  throttled: 'throttled',
  busy: 'throttled',
  unreachable: 'unreachable',
  unreadable: 'unreachable',
} as const;
const isAway = (code: string): code is keyof typeof awayWords => Object.hasOwn(awayWords, code);

function pictureSentence(t: T, { code, field }: ApiRefusal['error']): string | undefined {
  if (isAway(code)) return t(`admin:refused_${awayWords[code]}`);
  const refusal = field === 'file' && pictureCodes.find((each) => each === code);
  return refusal ? t(`admin:refused_${refusal}`) : undefined;
}

/** What has to be said in every language: all that lack it are named at once. */
const inEveryLanguage: ReadonlySet<string> = new Set(['note']);

/** Of whom nobody says what it is called in one of these. */
const namingFields = ['name.ko', 'name.en'] as const;

/** By a field of a request that is words in at least one language, those in which a form asks for them. */
const wordedFields: Readonly<Record<string, readonly string[]>> = {
  words: ['title', 'achievement'],
  names: ['names'],
};

/** An entry that says nothing in any language: each will do. */
function wordlessFailure(t: T, { code, field = '' }: ApiRefusal['error'], typed: Form): Failure | undefined {
  if (code !== 'required' || !Object.hasOwn(wordedFields, field)) return undefined;
  const name = wordedFields[field]?.find((each) => typed.has(`${each}.ko`));
  if (name === undefined) return undefined;
  return {
    text: t('admin:failed_wordless', { field: fieldName(t, name) }),
    fields: languages.map((language) => `${name}.${language}`),
  };
}

/** A star that lost its name in a language in which other words of it stay: they can leave, too. */
function namelessFailure(
  t: T,
  lang: Lang,
  { code, field = '' }: ApiRefusal['error'],
  typed: Form,
): Failure | undefined {
  const language = field.match(/^words\.(\w+)\.name$/)?.[1];
  if (code !== 'required' || !isLang(language) || typed.get(`name.${language}`)?.trim() !== '')
    return undefined;
  const label = labelOf(t, lang, { name: 'name', languages: [language] });
  return { text: t('admin:failed_nameless', { field: label }), fields: [`name.${language}`] };
}

interface FailedField {
  name: string;
  languages: readonly Lang[];
}

/** `words.en.name` of a request is the field `name.en` of a form; the form of one language names it beside its fields. */
function failedFieldOf(field: string, code: string | undefined, typed: Form): FailedField {
  const parts = field.split('.');
  const name = parts.findLast((part) => /^[a-z]{3,}$/i.test(part)) ?? field;
  const language = parts.find(isLang) ?? typed.get('language');
  if (!isLang(language)) return { name, languages: [] };
  if (code !== 'required' || !inEveryLanguage.has(name)) return { name, languages: [language] };
  return { name, languages: languages.filter((each) => !typed.get(`${name}.${each}`)?.trim()) };
}

/** Labels that other places say too. */
const sharedLabels = {
  achievements: 'admin:section_achievements',
  allDay: 'admin:allDay',
  cancelled: 'admin:cancelledEvent',
  focusAuto: 'admin:focusAuto',
  members: 'admin:section_members',
  notes: 'admin:notes',
  photos: 'admin:section_photos',
  reason: 'verification:notesOrReason',
  starId: 'admin:openNames',
  timeline: 'admin:section_timeline',
} as const;
const isSharedLabel = (name: string): name is keyof typeof sharedLabels => Object.hasOwn(sharedLabels, name);

/** The label of a field; undefined when no form has it. */
function fieldLabel(t: T, name: string, language: string): string | undefined {
  if (isSharedLabel(name)) return t(sharedLabels[name]);
  const key = `admin:field_${name}` as `admin:${FieldWord}`;
  const label = t(key, { language });
  return label === key || label === `field_${name}` ? undefined : label;
}

/** A field as its form calls it. @param language what its language is called, of which a few labels speak */
export function fieldName(t: T, field: string, language = ''): string {
  const name = field.split('.').findLast((part) => /^[a-zA-Z]{3,}$/.test(part)) ?? field;
  return fieldLabel(t, name, language) ?? field;
}

/** A field as its form calls it, with the languages that are meant. */
function labelOf(t: T, lang: Lang, { name, languages: fieldLanguages }: FailedField): string {
  const nativeNames = languageEntries.flatMap(({ code, nativeName }) =>
    fieldLanguages.includes(code) ? [nativeName] : [],
  );
  const language = languageList(lang, nativeNames);
  // What follows a hyphen tells fields of a name apart.
  const label = fieldLabel(t, name.replace(/-.*/, ''), language);
  if (label === undefined) return name;
  return nativeNames.length === 0 || label.includes(language) ? label : `${label} (${language})`;
}

/** Fields by which a thing is known, each with its sentence. */
const uniqueFields = ['url', 'feedUrl', 'profileUrl'] as const;

function sentenceAt(
  t: T,
  lang: Lang,
  { code, most, least }: ApiRefusal['error'],
  failedField: FailedField,
  typed: Form,
): string {
  const uniqueField = code === 'known' && uniqueFields.find((each) => each === failedField.name);
  if (uniqueField) return t(`admin:failed_known_${uniqueField}`);
  const field = labelOf(t, lang, failedField);
  const reason = reasons.find((each) => each === code);
  if (!reason) return t('admin:failed_field', { field });
  const number = typed.get('articleId') ?? '';
  const platforms = platformNames(lang);
  return t(`admin:failed_${reason}`, {
    field,
    most: wholeNumber(lang, most ?? 0),
    least: wholeNumber(lang, least ?? 0),
    number,
    platforms,
  });
}

/** Where an editor finds what is there already; a source has no page of its own. */
function pathOfExisting(
  lang: Lang,
  { code }: ApiRefusal['error'],
  { name }: FailedField,
  typed: Form,
): string | undefined {
  if (code !== 'known') return undefined;
  const articleId = readId(typed.get('articleId'));
  return name === 'url' && articleId ? paths.admin({ tab: 'multimedia', lang, articleId }) : undefined;
}

/** What a call of the administration said no to, in words, all of it in the order of the form. @param typed the form that was sent */
export function failureOf(t: T, lang: Lang, refusal: ApiRefusal, typed: Form): Failure {
  const { faults = [] } = refusal.error;
  const names = [...typed.keys()];
  const placeOf = ({ fields: [field = ''] }: Failure) => names.indexOf(field);
  const [first, ...others] = faults
    .map((error) => failureOfOne(t, lang, { ...refusal, error }, typed))
    .sort((a, b) => placeOf(a) - placeOf(b));
  return first ? { ...first, others } : failureOfOne(t, lang, refusal, typed);
}

function failureOfOne(t: T, lang: Lang, { status, error }: ApiRefusal, typed: Form): Failure {
  const { code, field } = error;
  if (code === 'key_reused') return { text: t('admin:failed_twice'), fields: [] };
  if (code === 'import_running') return { text: t('admin:failed_import_running'), fields: [] };
  if (code === 'unchanged') return { text: t('admin:failed_unchanged'), fields: [] };
  if (code === 'before_birth') return { text: t('admin:failed_debutFirst'), fields: ['debutDate'] };
  if (code === 'future') return { text: t('admin:failed_bornLater'), fields: ['birthDate'] };
  if (
    code === 'required' &&
    field === 'words.ko.name' &&
    namingFields.every((each) => !typed.get(each)?.trim())
  )
    return { text: t('admin:failed_unnamed'), fields: namingFields };
  const wordless = wordlessFailure(t, error, typed) ?? namelessFailure(t, lang, error, typed);
  if (wordless) return wordless;
  const sentence = pictureSentence(t, error);
  if (sentence) return { text: sentence, fields: [] };
  if (field) {
    const failedField = failedFieldOf(field, code, typed);
    const { name, languages: fieldLanguages } = failedField;
    return {
      text: sentenceAt(t, lang, error, failedField, typed),
      fields: fieldLanguages.length === 0 ? [name] : fieldLanguages.map((language) => `${name}.${language}`),
      details: isFeedReason(code) ? error.error : undefined,
      existingPath: pathOfExisting(lang, error, failedField, typed),
    };
  }
  return { text: sentenceOfStatus(t, status), fields: [] };
}

function sentenceOfStatus(t: T, status: number): string {
  if (status === 403) return t('admin:adminOnly');
  if (status === 404) return t('admin:failed_missing');
  if (status === 409) return t('admin:failed_conflict');
  if (status === 413) return t('admin:failed_large');
  if (status === 429) return t('admin:failed_limit');
  return t('admin:failed');
}

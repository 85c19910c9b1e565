import { type Lang, languages } from '#content/locales.ts';
import type { StoredDocument, StoredWords } from '#db/queries/directory/document.ts';
import { BadInput } from '../errors.ts';
import { refuseImpossibleDates, withoutName } from './star-rules.ts';

/** A star's document as fields by their paths, and what it is once some of them have changed. Nothing here asks the database. */

const notFields: ReadonlySet<string> = new Set(['slug', 'sources', 'externalIds']);

/** A document as its fields, by the paths that facts have: words are a field per language and word. */
export function fieldsOf(
  document: {
    [Field in keyof StoredDocument]?: StoredDocument[Field] | null;
  },
): [string, unknown][] {
  return Object.entries(document).flatMap(([name, value]): [string, unknown][] => {
    if (notFields.has(name) || value === undefined) return [];
    if (name !== 'words') return [[name, value]];
    return Object.entries(document.words ?? {}).flatMap(([language, own]) =>
      Object.entries(own ?? {})
        .filter(([, text]) => text !== undefined)
        .map(([word, text]): [string, unknown] => [`words.${language}.${word}`, text]),
    );
  });
}

/** A value as it is compared: an empty list is no list. */
export const emptied = (value: unknown): unknown =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;

/** The document with its changes, by their paths. */
export function applied(
  stored: StoredDocument | undefined,
  changes: ReadonlyMap<string, unknown>,
): StoredDocument {
  const words: Partial<Record<Lang, StoredWords>> = structuredClone(stored?.words ?? {});
  const fields: Record<string, unknown> = {};
  for (const [field, value] of changes) {
    const [start, language, word] = field.split('.');
    if (start !== 'words' || !language || !word) fields[field] = emptied(value) ?? undefined;
    else {
      const own = words[language as Lang] ?? { name: '' };
      words[language as Lang] = { ...own, [word]: value ?? undefined };
    }
  }
  const base: StoredDocument = stored ?? {
    slug: '',
    category: 'Idol',
    activity: 'active',
    words: {},
  };
  const withWords = Object.entries(words).filter(([, own]) => Object.values(own).some(Boolean));
  return { ...base, ...fields, words: Object.fromEntries(withWords) };
}

/** @throws BadInput for what no star can be without, and for dates that do not fit */
export function refuseIncomplete(after: StoredDocument, changes: ReadonlyMap<string, unknown>): void {
  if (!after.words.ko?.name && !after.words.en?.name) throw withoutName();
  for (const language of languages)
    if (after.words[language] && !after.words[language].name)
      throw new BadInput(`words.${language}.name`, 'Is required.', 'required');
  if (['birthDate', 'debutDate', 'endDate'].some((field) => changes.has(field))) refuseImpossibleDates(after);
}

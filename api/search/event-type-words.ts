import { type EventType, eventTypes } from '#content/event-types.ts';
import { languages } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { areaWords } from '../language/words.ts';

/** As both sides are compared: small, without marks. */
const plain = (text: string) =>
  normalized(text, 'NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** What a type is called in every language, word by word, filled by the first search. `other` names nothing. */
let words: readonly { word: string; type: EventType }[] | undefined;

const readWords = () =>
  eventTypes
    .filter((type) => type !== 'other')
    .flatMap((type) =>
      languages.flatMap((lang) =>
        areaWords(
          lang,
          'events',
        )(`type_${type}`)
          .split(' ')
          .map((word) => ({ word: plain(word), type })),
      ),
    );

/** Types of events that this begins a word of, in any language: `hoa` and `콘서트` both name `concert`. Two letters at least. */
export function eventTypesNamed(part: string): EventType[] {
  const start = plain(part);
  if (start.length < 2) return [];
  words ??= readWords();
  return [...new Set(words.filter(({ word }) => word.startsWith(start)).map(({ type }) => type))];
}

import { type EventType, eventTypes } from '#content/event-types.ts';
import { languages } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { areaWords } from '../language/words.ts';

/** As both sides are compared: small, without marks. */
const plain = (text: string) =>
  normalized(text, 'NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

interface Name {
  type: EventType;
  /** What it is called in one language. */
  words: readonly string[];
}

/** Filled by the first search. `other` names nothing. */
let names: readonly Name[] | undefined;

function readNames(): readonly Name[] {
  return eventTypes
    .filter((type) => type !== 'other')
    .flatMap((type) =>
      languages.map((lang) => {
        const name = areaWords(lang, 'events')(`type_${type}`);
        return { type, words: plain(name).split(' ') };
      }),
    );
}

function typesWhere(isMeant: (words: readonly string[]) => boolean): EventType[] {
  names ??= readNames();
  return [...new Set(names.filter(({ words }) => isMeant(words)).map(({ type }) => type))];
}

/** Types of events that this begins a word of, in any language: `hoa` and `콘서트` both name `concert`. Two letters at least. */
export function eventTypesNamed(part: string): EventType[] {
  const start = plain(part);
  return start.length < 2 ? [] : typesWhere((words) => words.some((word) => word.startsWith(start)));
}

/** Types of events that are called so, in any language: `hoa nhac`, `팬 미팅`. */
export function eventTypesCalled(text: string): EventType[] {
  const name = plain(text).replaceAll(' ', '');
  return typesWhere((words) => words.join('') === name);
}

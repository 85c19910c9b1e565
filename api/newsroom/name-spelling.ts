import { type Lang, languages, type Translated } from '#content/locales.ts';
import { everydayWords } from './everyday-words.ts';
import type { MentionedName } from './name-readings.ts';
import type { NameBook, NameEntry, NamePlace } from './names.ts';
import { fitParticle } from './particles.ts';

/** How names of the table are spelled in what the model wrote. */

/** Writes every form that means one of these names for certain as the table has it. */
export function respellNames(
  text: string,
  book: NameBook,
  entries: ReadonlySet<NameEntry>,
  mentionedNames: readonly MentionedName[],
  language: Lang,
): string {
  let result = '';
  let from = 0;
  /** The name before, if it is written otherwise than it was. */
  let changed = '';
  for (const place of book.places(text)) {
    const { start, end } = place;
    const entry = entryMeantBy(place, entries, text);
    if (!entry) continue;
    const name = entry.names[language];
    result += fitParticle(changed, text.slice(from, start)) + name;
    changed = text.slice(start, end) === name ? '' : name;
    from = end;
  }
  return collapse(result + fitParticle(changed, text.slice(from)), mentionedNames, language);
}

/**
 * Whom a form means for certain in a text about these names: nobody where it is a word too and does not stand there as a name, needs a
 * group beside it, or is also another's name. A given name or real name of somebody whom the source does not name stands in nobody's way.
 */
function entryMeantBy(
  place: NamePlace,
  entries: ReadonlySet<NameEntry>,
  text: string,
): NameEntry | undefined {
  const [use, other] = place.uses.filter(({ entry, weight }) => weight !== 'hint' || entries.has(entry));
  if (!use || other || !entries.has(use.entry) || use.weight === 'hint') return undefined;
  return use.weight !== 'word' || isWordAsName(place, use.entry, text) ? use.entry : undefined;
}

/** Words that have a capital letter wherever they stand. */
const capitalWords = /^(?:i['’]ve|april|june|march|may|monday|saturday)$/i;
/** A word without a capital letter, or a comma. */
const endsWithinSentence = /(?:(?<![\p{L}'’])\p{Ll}\p{L}*|,)\s$/u;
/** A word of a script without capital letters tells nothing of where in a sentence it stands, nor of a title. */
const endsWithoutCapitals = /\p{Lo}\s$/u;
const capital = /^\p{Lu}/u;
/** What follows who does something, in the languages that are written in Latin letters. */
const beginsPredicate = /^(?:['’]s| (?:will|has|have|are|akan|telah|sẽ|đã))(?![\p{L}\p{N}])/u;

/**
 * Whether an everyday word stands in a text as a name: with a capital letter within a sentence and outside a title, such as `Purple Rain`;
 * that of a group also at the beginning of a sentence, where it does something.
 */
function isWordAsName({ start, end }: NamePlace, { isGroup }: NameEntry, text: string): boolean {
  const written = text.slice(start, end);
  if (written.length < 2 || !capital.test(written) || capitalWords.test(written)) return false;
  const after = text.slice(end, end + 8);
  const before = text.slice(Math.max(0, start - 40), start);
  // A Korean particle stands behind names, rarely behind one word of an English title.
  if (endsWithoutCapitals.test(before)) return isGroup || /^\p{Lo}/u.test(after);
  const isWithinSentence = endsWithinSentence.test(before);
  return isWithinSentence ? !/^\s[\p{Lu}\p{N}]/u.test(after) : isGroup && beginsPredicate.test(after);
}

/** A short text in every language with the names of the source as the table has them. */
export function spellNames(
  text: Translated,
  book: NameBook,
  mentionedNames: readonly MentionedName[],
): Translated {
  const entries = new Set(mentionedNames.map(({ entry }) => entry));
  const spelled = { ...text };
  for (const language of languages)
    spelled[language] = respellNames(text[language], book, entries, mentionedNames, language);
  return spelled;
}

/** `NAME (NAME)`, left when two forms of a name became one. */
function collapse(text: string, mentionedNames: readonly MentionedName[], language: Lang): string {
  return mentionedNames.reduce((result, { entry }) => {
    const name = entry.names[language];
    return [`${name} (${name})`, `${name}(${name})`].reduce((collapsed, double) => {
      const [before = '', ...others] = collapsed.split(double);
      return before + others.map((after) => name + fitParticle(name, after)).join('');
    }, result);
  }, text);
}

/**
 * Replaces words that differ from a name by little more than a slip of the pen. Not near a name that is itself an everyday word. Of a
 * group with such a name, that word is respelled where it has a capital letter.
 */
export function correctNearMisses(text: string, name: string, { isGroup }: NameEntry): string {
  if (everydayWords.has(name.toLowerCase()))
    return isGroup && !capitalWords.test(name) ? respellCapitalised(text, name) : text;
  const words = [...text.matchAll(/[\p{L}\p{N}'-]+/gu)];
  const length = name.split(/\s+/).length;
  const plainName = plain(name);
  const maxDistance = plainName.length >= 8 ? 2 : plainName.length >= 4 ? 1 : 0;
  if (maxDistance === 0) return text;
  let result = text;
  for (let at = words.length - 1; at >= 0; at -= 1) {
    for (const count of [length, length + 1]) {
      const first = words[at];
      const last = words[at + count - 1];
      if (!first || !last) continue;
      const end = last.index + last[0].length;
      const phrase = text.slice(first.index, end);
      const distance = levenshtein(plain(phrase), plainName);
      if (phrase.includes('\n') || distance > maxDistance || result.slice(first.index, end) !== phrase)
        continue;
      result = result.slice(0, first.index) + name + result.slice(end);
      break;
    }
  }
  return result;
}

const respellCapitalised = (text: string, name: string): string =>
  text.replace(
    new RegExp(String.raw`(?<![\p{L}\p{N}-])${RegExp.escape(name)}(?![\p{L}\p{N}-])`, 'giu'),
    (written) => (capital.test(written) ? name : written),
  );

const plain = (text: string): string => text.toLowerCase().replace(/[\s'-]/g, '');

/** Levenshtein distance. */
function levenshtein(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 9;
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    }
    row = next;
  }
  return row[b.length] ?? 9;
}

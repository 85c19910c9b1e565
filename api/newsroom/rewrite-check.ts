import { type Lang, languages, type Translated } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { writing } from '#content/writing.ts';
import { hasLinkOrMarkup, isTangled } from '../articles/markdown.ts';
import { everydayWords } from './everyday-words.ts';
import type { MentionedName } from './name-readings.ts';
import type { NameBook, NameEntry, NamePlace } from './names.ts';
import { fitParticle } from './particles.ts';
import { escapeWords } from './tags.ts';

/** A rewrite as the model answers it. */
export interface RewriteDraft {
  title: string;
  summary: string[];
  body: string;
}

/** Why a rewrite may not be published as it is; the code goes to editors, the message back to the model. */
export interface RewriteProblem {
  code: 'language' | 'link' | 'names' | 'too_close';
  message: string;
}

const maxLengths = { title: 200, sentence: 400, body: 20_000 } as const;

/**
 * The shape that is asked for.
 * @throws Error that says what is wrong
 */
export function readRewrite(answer: unknown): RewriteDraft {
  if (typeof answer !== 'object' || answer === null) throw new Error('The answer is not an object.');
  const { title, summary, body } = answer as Record<string, unknown>;
  const clean = (text: string) =>
    quoteTitles(normalized(text))
      .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (sign) => (sign === '\n' ? sign : /\s/.test(sign) ? ' ' : ''))
      .trim();
  if (typeof title !== 'string' || clean(title) === '' || title.length > maxLengths.title) {
    throw new Error('"title" must be a text of 1 to 200 characters.');
  }
  const sentences = typeof summary === 'string' ? summary.split('\n') : summary;
  if (!Array.isArray(sentences)) throw new Error('"summary" must be a list of one to three sentences.');
  const lines = sentences
    .map((each) => (typeof each === 'string' ? clean(each).replace(/\s+/g, ' ') : ''))
    .filter(Boolean);
  if (lines.length === 0 || lines.length > 3 || lines.some((line) => line.length > maxLengths.sentence)) {
    throw new Error('"summary" must be a list of one to three sentences.');
  }
  if (typeof body !== 'string' || clean(body).length < 60 || body.length > maxLengths.body) {
    throw new Error('"body" must be Markdown of 60 to 20000 characters.');
  }
  if (isTangled(body))
    throw new Error('"body" is nested too deeply, repeats a sign too often, or is cut too small.');
  return { title: clean(title).replace(/\s+/g, ' '), summary: lines, body: clean(body) };
}

/** `<SBS 인기가요>` of a source as ‘SBS 인기가요’: in Markdown it would be a tag. What is one stays, and is refused. */
const quoteTitles = (text: string): string =>
  text.replace(/<([^<>\n]{1,100})>/g, (given, title: string) =>
    escapeWords(given, 'html') === given ? given : `‘${title}’`,
  );

/** What a rewrite is measured against. */
interface RewriteCheckContext {
  language: Lang;
  sourceLanguage: string;
  /** Headline and text of every telling. */
  source: string;
  book: NameBook;
  /** Names of the source, the most important first. */
  mentionedNames: readonly MentionedName[];
}

/** Writes every name as the table has it, then looks for what speaks against publishing. */
export function checkRewrite(
  raw: RewriteDraft,
  context: RewriteCheckContext,
): { rewrite: RewriteDraft; problems: RewriteProblem[] } {
  const rewrite = lockNames(raw, context);
  const fullText = [rewrite.title, ...rewrite.summary, rewrite.body].join('\n\n');
  const problems = [
    wrongLanguage(rewrite, context),
    foreignLinks(fullText, context.source),
    wrongNames(fullText, context),
    tooClose(fullText, context),
  ].filter((problem) => problem !== undefined);
  return { rewrite, problems };
}

function wrongLanguage(
  { title, summary, body }: RewriteDraft,
  { language, mentionedNames }: RewriteCheckContext,
): RewriteProblem | undefined {
  const message = `Write everything in the language ${language}.`;
  const script = writing[language];
  for (const part of [title, summary.join(' '), body]) {
    // A headline may be little more than names.
    const words = mentionedNames.reduce(
      (text, { entry }) => text.replaceAll(entry.names[language], ''),
      part,
    );
    const letters = words.match(/\p{L}/gu)?.length ?? 0;
    if (letters < 8) continue;
    const koreanShare = (words.match(/[가-힣]/g)?.length ?? 0) / letters;
    const ownShare = (words.match(script.letters)?.length ?? 0) / letters;
    if (ownShare < script.leastShare || (language !== 'ko' && koreanShare > 0.1))
      return { code: 'language', message };
    if (part === body && script.ownLetters?.test(words) === false) return { code: 'language', message };
  }
  return undefined;
}

/** As long as names of hosts and of mail may be: without an end each letter would be tried with all that follow. */
const address =
  /(?:https?:|www\.)\S+|\b[a-z0-9-]{1,63}\.(?:com|net|org|io|co|kr|me|ly|gg|xyz|app|dev|ru|cn|info|biz|shop|site)\b\S*|[^\s@]{1,64}@[^\s@]{1,255}\.\w{1,63}/gi;
/** What looks like one, though it would be shown as it stands: no honest answer has it. */
const attemptedLinkOrMarkup = /\]\(|\]\[|^[^\S\n]{0,99}\[[^\]]{1,999}\]:|!\[|<\/?[a-z!]/im;

/** The site links to the source itself; a rewrite brings no address of its own, and nothing that would become a link, markup or a picture. */
function foreignLinks(fullText: string, source: string): RewriteProblem | undefined {
  const hasUnknownAddress = (fullText.match(address) ?? []).some(
    (link) => !source.toLowerCase().includes(link.toLowerCase()),
  );
  return hasUnknownAddress || attemptedLinkOrMarkup.test(fullText) || hasLinkOrMarkup(fullText)
    ? { code: 'link', message: 'Remove links, addresses, pictures and HTML.' }
    : undefined;
}

/** Names that must be there: those of the headline and the most frequent one. */
const required = (mentionedNames: readonly MentionedName[]): NameEntry[] =>
  mentionedNames
    .filter(({ inTitle, score }, index) => inTitle || (index === 0 && score >= 4))
    .map(({ entry }) => entry);

/** Every form that means a name of the source for certain becomes that of the language; a near miss of a required one too. */
function lockNames(rewrite: RewriteDraft, context: RewriteCheckContext): RewriteDraft {
  const { book, mentionedNames, language } = context;
  const entries = new Set(mentionedNames.map(({ entry }) => entry));
  const respell = (text: string) => respellNames(text, book, entries, mentionedNames, language);
  const respelled = {
    title: respell(rewrite.title),
    summary: rewrite.summary.map(respell),
    body: respell(rewrite.body),
  };
  const fullText = [respelled.title, ...respelled.summary, respelled.body].join('\n');
  const missing = required(mentionedNames).filter((entry) => !fullText.includes(entry.names[language]));
  if (missing.length === 0) return respelled;
  const correct = (text: string) =>
    missing.reduce((corrected, entry) => correctNearMisses(corrected, entry.names[language], entry), text);
  return {
    title: correct(respelled.title),
    summary: respelled.summary.map(correct),
    body: correct(respelled.body),
  };
}

function respellNames(
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
function correctNearMisses(text: string, name: string, { isGroup }: NameEntry): string {
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

function wrongNames(
  fullText: string,
  { book, mentionedNames, language, source }: RewriteCheckContext,
): RewriteProblem | undefined {
  const missing = required(mentionedNames)
    .map((entry) => entry.names[language])
    .filter((name) => !fullText.includes(name));
  if (missing.length > 0)
    return { code: 'names', message: `Write these names exactly so: ${missing.join(', ')}.` };
  const mentioned = new Set(book.find(source).map(({ entry }) => entry));
  const relatedIds = new Set([...mentioned].flatMap(({ related }) => related));
  const invented = book
    .find(fullText)
    .filter(
      ({ entry, ambiguous }) => !ambiguous && !mentioned.has(entry) && !relatedIds.has(entry.starId ?? 0),
    );
  const [first] = invented;
  return first && { code: 'names', message: `The source does not name ${first.entry.names[language]}.` };
}

/** Share of a rewrite that may stand in the source word for word, and the longest piece. */
const maxSharedShare = 0.4;
const maxSharedRun = 60;
const shingleLength = 12;

/** Whether a rewrite repeats its source; quotations that the source has too do not count. */
function tooClose(
  fullText: string,
  { source, sourceLanguage, language }: RewriteCheckContext,
): RewriteProblem | undefined {
  if (language !== sourceLanguage) return undefined;
  const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
  const original = bare(source);
  const rewriteText = bare(
    fullText.replace(/[“"‘'「『]([^”"’'」』\n]{4,200})[”"’'」』]/g, (quotation, quoted: string) =>
      original.includes(bare(quoted)) ? ' ' : quotation,
    ),
  );
  const shingles = new Set<string>();
  for (let at = 0; at + shingleLength <= original.length; at += 1)
    shingles.add(original.slice(at, at + shingleLength));
  let shared = 0;
  let run = 0;
  let longest = 0;
  for (let at = 0; at + shingleLength <= rewriteText.length; at += 1) {
    run = shingles.has(rewriteText.slice(at, at + shingleLength)) ? run + 1 : 0;
    if (run > 0) shared += 1;
    longest = Math.max(longest, run === 0 ? 0 : run + shingleLength - 1);
  }
  const share = shared / Math.max(1, rewriteText.length - shingleLength + 1);
  return share > maxSharedShare || longest > maxSharedRun
    ? { code: 'too_close', message: 'Use your own words: sentences of the source are repeated.' }
    : undefined;
}

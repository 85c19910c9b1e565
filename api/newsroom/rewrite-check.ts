import type { Lang } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { writing } from '#content/writing.ts';
import { hasLinkOrMarkup, isTangled } from '../articles/markdown.ts';
import type { MentionedName } from './name-readings.ts';
import { correctNearMisses, respellNames } from './name-spelling.ts';
import type { NameBook, NameEntry } from './names.ts';
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

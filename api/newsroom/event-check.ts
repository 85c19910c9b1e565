import { normalized } from '#content/normalize.ts';
import type { NewEvent } from '#db/queries/newsroom/extracted-events.ts';
import { type Claim, startOf } from './event-answer.ts';
import { isQuoted, namesDate, namesMove, namesTime, namesType, weekdayFits } from './event-evidence.ts';
import type { NameBook } from './names.ts';

/** What a claim is measured against. */
interface EventCheckContext {
  /** Headline and text of every telling. */
  source: string;
  publishedAt: Date;
  now: Date;
  book: NameBook;
  /** Stars that the story is about, the most important first. */
  starIds: readonly number[];
}

/** How much each check counts when it applies. */
const weights = {
  dateQuoted: 25,
  dateNamed: 25,
  inFuture: 15,
  starTagged: 15,
  typeNamed: 10,
  weekdayRight: 10,
  timeNamed: 5,
  venueNamed: 5,
} as const;

/** Without the day in the source's own words, or in the past, an event is a guess; nothing is certain before a person says so. */
const maxForGuess = 40;
const maxForWrongWeekday = 60;
/** The model claimed a time or place that the source does not say. */
const maxForUnquoted = 84;
const maxConfidence = 98;
const farthest = 2 * 366 * 86_400_000;

/**
 * Checks what the model claims against the source: the confidence comes from the checks, whatever the model thinks of
 * itself (decision N5). A time or place that the source does not say is left out.
 */
export function checkEvent(
  claim: Claim,
  { source, publishedAt, now, book, starIds }: EventCheckContext,
): NewEvent {
  const { date, time, venue, evidence } = claim;
  const dateQuoted = isQuoted(evidence.date, source);
  const sentence = evidence.date ?? '';
  const start = startOf(claim);
  const stars = starsOf(claim, book, source, starIds);
  const timeNamed =
    time === null ? undefined : isQuoted(evidence.time, source) && namesTime(evidence.time, time);
  const venueNamed =
    venue === null
      ? undefined
      : isQuoted(evidence.venue, source) && spaceless(evidence.venue).includes(spaceless(venue.ko));
  const typeEvidence = [evidence.type, evidence.date].filter((each) => isQuoted(each, source));
  const results: Record<keyof typeof weights, boolean | undefined> = {
    dateQuoted,
    dateNamed: dateQuoted && namesDate(sentence, date, publishedAt),
    inFuture:
      start.getTime() > now.getTime() - (time === null ? 86_400_000 : 0) &&
      start.getTime() < now.getTime() + farthest,
    starTagged: stars.some((id) => starIds.includes(id)),
    typeNamed: typeEvidence.some((each) => namesType(each, claim.type)),
    weekdayRight: dateQuoted ? weekdayFits(sentence, date) : undefined,
    timeNamed,
    venueNamed,
  };
  const confirmed = { time: timeNamed ? time : null, venue: venueNamed ? venue : null };
  const primary = starIds.find((id) => stars.includes(id)) ?? stars[0] ?? null;
  return {
    type: claim.type,
    title: claim.title,
    start: startOf({ ...claim, time: confirmed.time }),
    zone: claim.zone,
    precision: confirmed.time === null ? 'day' : 'minute',
    venue: confirmed.venue,
    isMoved: namesMove(source),
    starIds: primary === null ? [] : [primary, ...stars.filter((id) => id !== primary)],
    evidence: quotedSentences(
      {
        date: evidence.date,
        time: confirmed.time && evidence.time,
        venue: confirmed.venue && evidence.venue,
        eventType: evidence.type,
        stars: primary === null ? null : sentenceOf(primary, book, source),
      },
      source,
    ),
    checks: Object.fromEntries(
      Object.entries(results).filter((entry): entry is [string, boolean] => entry[1] !== undefined),
    ),
    confidence: confidenceOf(results),
  };
}

function confidenceOf(results: Record<keyof typeof weights, boolean | undefined>): number {
  let reached = 0;
  let possible = 0;
  for (const [name, weight] of Object.entries(weights)) {
    const passed = results[name as keyof typeof weights];
    if (passed === undefined) continue;
    possible += weight;
    if (passed) reached += weight;
  }
  const guess = !(results.dateQuoted && results.dateNamed && results.inFuture);
  const caps = [
    maxConfidence,
    ...(guess ? [maxForGuess] : []),
    ...(results.weekdayRight === false ? [maxForWrongWeekday] : []),
    ...(results.timeNamed === false || results.venueNamed === false ? [maxForUnquoted] : []),
  ];
  return Math.min(...caps, Math.round((reached / possible) * 100));
}

/** Sentences by field, those that the source really has. */
const quotedSentences = (sentences: Record<string, string | null>, source: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sentences).filter((entry): entry is [string, string] => isQuoted(entry[1], source)),
  );

/** The first sentence of the source that names the star. */
function sentenceOf(starId: number, book: NameBook, source: string): string | null {
  for (const [sentence] of source.matchAll(/[^.!?…\n]+[.!?…]*/g)) {
    if (book.find(sentence).some(({ entry }) => entry.starId === starId)) return sentence.trim();
  }
  return null;
}

/** Stars here that the claim names and the source names too; of namesakes the one that the story is about, else none. */
function starsOf({ stars }: Claim, book: NameBook, source: string, starIds: readonly number[]): number[] {
  const inSource = new Set(book.find(source).flatMap(({ entry }) => entry.starId ?? []));
  const claimed = stars.flatMap((name) =>
    book.places(name).flatMap(({ uses }) => {
      const ids = uses.flatMap(({ entry }) => entry.starId ?? []);
      const told = ids.filter((id) => starIds.includes(id));
      return told.length > 0 || ids.length > 1 ? told : ids;
    }),
  );
  return [...new Set(claimed)].filter((id) => inSource.has(id));
}

const spaceless = (text: string): string => normalized(text).replace(/\s+/g, '');

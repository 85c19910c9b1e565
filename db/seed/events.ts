import { categories } from '#content/event-categories.ts';
import type { EventType } from '#content/event-types.ts';
import { languages } from '#content/locales.ts';
import type { Transaction } from '../client.ts';
import { eventViews } from '../schema/event-interest.ts';
import {
  eventCategories,
  eventCategoryTranslations,
  eventStars,
  eventSubscriptions,
  events,
  eventTranslations,
} from '../schema/events.ts';
import type { ArticlesByOrder, Beginning } from './articles.ts';
import type { DemoWorld, EventFile } from './content.ts';
import { addDays, instantAt, koreanDay, nearestYearly, resolveDates } from './dates.ts';
import type { Fans } from './fans.ts';
import { chance } from './random.ts';
import { continueIds, insertRows } from './rows.ts';
import { type StarIdBySlug, starIdOf } from './stars.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const maxSubscriptions = 90;
/** Of the fans who want to be reminded, those who will be there. */
const shareOfGoing = 0.3;
const maxViews = 120;
const daysOfViews = 6;

interface Entry {
  id: number;
  file: EventFile;
  start: Date;
  createdAt: Date;
}

/** Inserts categories, events and their subscriptions; event ids grow with the time they became known. */
export async function seedEvents(
  tx: Transaction,
  world: DemoWorld,
  seeded: { starIds: StarIdBySlug; articles: ArticlesByOrder; fans: Fans },
  beginning: Beginning,
): Promise<void> {
  const categoryIds = await seedCategories(tx);
  const entries = world.events
    .map((file) => {
      const start = startOf(file, beginning.today);
      return { file, start, createdAt: knownSince(file, start, seeded.articles, beginning.now) };
    })
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map((entry, index): Entry => ({ ...entry, id: index + 1 }));
  const rows = entries.map((entry) => ({
    ...eventRow(entry, beginning),
    categoryId: categoryOf(entry.file, categoryIds),
    primaryStarId: entry.file.primaryStar === null ? null : starIdOf(seeded.starIds, entry.file.primaryStar),
    ...anniversaryOf(entry, seeded.starIds),
    sourceArticleId:
      entry.file.articleOrder === null ? null : seeded.articles.get(entry.file.articleOrder)?.id,
  }));
  await insertRows(tx, events, rows);
  await insertRows(
    tx,
    eventTranslations,
    entries.flatMap((entry) => wordsOf(entry, beginning.today)),
  );
  const performers = entries.flatMap(({ id, file }) =>
    file.stars.map(({ slug, role }) => ({ eventId: id, starId: starIdOf(seeded.starIds, slug), role })),
  );
  await insertRows(
    tx,
    eventStars,
    performers.map((row, index) => ({ ...row, id: index + 1 })),
  );
  await insertRows(
    tx,
    eventSubscriptions,
    entries.flatMap((entry) => subscriptionsOf(entry, seeded.fans, beginning)),
  );
  await insertRows(
    tx,
    eventViews,
    entries.flatMap((entry) => viewsOf(entry, seeded.fans, beginning)),
  );
  for (const table of [events, eventStars]) await continueIds(tx, table);
}

/** Inserts the event categories; answers their ids by type. */
export async function seedCategories(tx: Transaction) {
  const rows = categories.map(({ slug, eventType, color }, index) => ({
    id: index + 1,
    slug,
    eventType,
    color,
  }));
  await insertRows(tx, eventCategories, rows);
  const names = categories.flatMap(({ names: translated }, index) =>
    languages.map((language) => ({ categoryId: index + 1, language, name: translated[language] })),
  );
  await insertRows(tx, eventCategoryTranslations, names);
  await continueIds(tx, eventCategories);
  return new Map(rows.map(({ eventType, id }) => [eventType, id]));
}

function categoryOf({ key, type }: EventFile, ids: ReadonlyMap<EventType, number>): number {
  const id = ids.get(type);
  if (id === undefined)
    throw new Error(`event ${key} of content/demo has a type without a category: ${type}`);
  return id;
}

/** Events without a time last their whole day; a birthday broadcast has its time. */
const lastsDay = (file: EventFile) => file.time === null;

/** A star's yearly day is the one that follows from the directory (decision E10), which never makes it a second time. */
function anniversaryOf({ file, start }: Entry, starIds: StarIdBySlug) {
  const { type, primaryStar } = file;
  if (!file.monthDay || !lastsDay(file) || primaryStar === null) return {};
  if (type !== 'birthday' && type !== 'anniversary') return {};
  const year = Number(koreanDay(start).slice(0, 4));
  return {
    anniversaryOf: starIdOf(starIds, primaryStar),
    anniversaryFact: type,
    anniversaryYear: year,
    plannedStart: start,
  };
}

function startOf(file: EventFile, today: string): Date {
  const date = file.monthDay ? nearestYearly(file.monthDay, today) : addDays(today, file.dayOffset ?? 0);
  return instantAt(date, file.time ?? '00:00', file.zone);
}

/** When the event was read from its article, else some time before it, and lately when nobody has decided yet. */
function knownSince(file: EventFile, start: Date, articles: ArticlesByOrder, now: Date): Date {
  const luck = chance(`event-${file.key}-known`);
  const article = file.articleOrder === null ? undefined : articles.get(file.articleOrder);
  if (article)
    return new Date(Math.min(article.publishedAt.getTime() + luck.int(1, 20) * minute, now.getTime()));
  if (file.verification === 'pending') return new Date(now.getTime() - luck.int(1, 60) * hour);
  return new Date(Math.min(start.getTime(), now.getTime()) - luck.int(3 * day, 25 * day));
}

function eventRow({ id, file, start, createdAt }: Entry, { now, today }: Beginning) {
  const decidedAt = file.verification === 'pending' ? null : decidedAfter(file, createdAt, now);
  return {
    id,
    eventType: file.type,
    state: file.cancelled ? ('cancelled' as const) : ('scheduled' as const),
    verification: file.verification,
    startTime: start,
    endTime:
      file.minutes === null || lastsDay(file) ? null : new Date(start.getTime() + file.minutes * minute),
    ...(file.zone ? { zone: file.zone } : {}),
    precision: lastsDay(file) ? ('day' as const) : ('minute' as const),
    capacity: file.capacity,
    ticketUrl: file.ticketUrl,
    streamingUrl: file.streamingUrl,
    officialUrl: file.officialUrl,
    extractionConfidence: file.confidence,
    evidence: file.evidence === null ? null : evidenceOf(file, resolveDates(file.evidence, 'ko', today)),
    checks: file.checks,
    decidedAt,
    sequence: file.cancelled ? 1 : 0,
    createdAt,
    updatedAt: decidedAt ?? createdAt,
  };
}

const provenBy = {
  date: 'dateNamed',
  time: 'timeNamed',
  venue: 'venueNamed',
  eventType: 'typeNamed',
} as const;

/** The sentence of the source by each field that it proves. */
function evidenceOf({ checks = {} }: EventFile, sentence: string): Record<string, string> {
  const proven = Object.entries(provenBy).filter(([, check]) => checks[check]);
  return Object.fromEntries(
    proven.length > 0 ? proven.map(([field]) => [field, sentence]) : [['sentence', sentence]],
  );
}

/** A decision takes some minutes to hours, but never lies in the future. */
function decidedAfter(file: EventFile, createdAt: Date, now: Date): Date {
  const wait = chance(`event-${file.key}-decided`).int(10 * minute, 9 * hour);
  return new Date(createdAt.getTime() + Math.min(wait, (now.getTime() - createdAt.getTime()) / 2));
}

function wordsOf({ id, file }: Entry, today: string) {
  return languages.map((language) => ({
    eventId: id,
    language,
    title: resolveDates(file.title[language], language, today),
    description: file.description && resolveDates(file.description[language], language, today),
    venue: file.venue?.[language],
    location: file.location?.[language],
  }));
}

/** Fans who want to be reminded of an upcoming event: at most 90, first those who follow its star. */
function subscriptionsOf({ id, file, start, createdAt }: Entry, fans: Fans, { now }: Beginning) {
  if (file.verification !== 'approved' || file.cancelled || start <= now) return [];
  const luck = chance(`event-${file.key}-fans`);
  const followers = fans.followers.get(file.primaryStar ?? '') ?? [];
  const maxCount = Math.min(maxSubscriptions, followers.length, file.capacity ?? maxSubscriptions);
  const count = Math.floor(luck.next() ** 1.4 * (maxCount + 1));
  return luck
    .shuffle(followers)
    .slice(0, count)
    .map((userId) => ({
      eventId: id,
      userId,
      subscriptionType: luck.next() < shareOfGoing ? ('going' as const) : ('interested' as const),
      createdAt: new Date(createdAt.getTime() + luck.next() * (now.getTime() - createdAt.getTime())),
    }));
}

/** Who looked at an event that is not over in the last days: more where a star has more followers. */
function viewsOf({ id, file, start, createdAt }: Entry, fans: Fans, { now }: Beginning) {
  if (file.verification !== 'approved' || file.cancelled || start <= now) return [];
  const luck = chance(`event-${file.key}-views`);
  const followers = fans.followers.get(file.primaryStar ?? '')?.length ?? 0;
  const since = Math.max(createdAt.getTime(), now.getTime() - daysOfViews * day);
  return Array.from({ length: luck.int(3, Math.min(maxViews, 12 + followers)) }, () => {
    const seenAt = new Date(since + luck.next() * (now.getTime() - since));
    return {
      eventId: id,
      day: seenAt.toISOString().slice(0, 10),
      visitor: Uint8Array.from({ length: 16 }, () => luck.int(0, 255)),
      seenAt,
    };
  });
}

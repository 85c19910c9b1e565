import { t } from 'elysia';
import { eventTypes } from '#content/event-types.ts';
import type { FactSource } from '#content/fact-source.ts';
import type { Lang, Translated } from '#content/locales.ts';
import { languages } from '#content/locales.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import { type PictureCredit, type StarBadge, StarSummary } from '../stars/model.ts';

const eventStatuses = ['live', 'upcoming', 'completed', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];

const EventCategory = t.Object({
  id: integer(),
  /** Such as `fan-meeting`: what addresses name it by. */
  slug: t.String(),
  name: t.String(),
  color: t.String(),
});

/** §3 Event. Instants are ISO 8601 in UTC; words are in `language`: the one asked for, else English, else any. */
export const Event = t.Object({
  id: integer(),
  title: t.String(),
  description: nullable(t.String()),
  language: oneOf(languages),
  eventType: oneOf(eventTypes),
  status: oneOf(eventStatuses),
  startTime: t.String(),
  /** Seconds until the start, 0 once it has begun; right behind `startTime`, where `clock.ts` sets it. */
  timeUntilStart: integer(),
  endTime: nullable(t.String()),
  /** When it counts as over: `endTime`, else the end of its day or the usual length of its type (decision E2). */
  overAt: t.String(),
  /** IANA zone of where it is (decision E3). */
  zone: t.String(),
  /** `day`: only the date in `zone` is known. */
  precision: oneOf(['minute', 'day']),
  venue: nullable(t.String()),
  location: nullable(t.String()),
  capacity: nullable(integer()),
  /** People who are interested or going: all subscriptions. */
  rsvpCount: integer(),
  category: EventCategory,
  primaryStar: nullable(StarSummary),
  eventStars: t.Array(t.Object({ id: integer(), star: StarSummary, role: t.String() })),
  /** Of the visitor who asks; false without a session. */
  isSubscribed: t.Boolean(),
  sourceArticleId: nullable(integer()),
  ticketUrl: nullable(t.String()),
  streamingUrl: nullable(t.String()),
  officialUrl: nullable(t.String()),
});
export type Event = typeof Event.static;

/**
 * All that is told of an event: the contract's fields, and those that only pages show. Who needs less takes a part of it.
 * What is not in the contract never leaves by the API (decision A2).
 */
export interface FullEvent extends Event {
  categoryId: number;
  primaryStar: (StarSummary & StarBadge) | null;
  eventStars: (Event['eventStars'][number] & { star: StarBadge })[];
  updatedAt: string;
  /** Picture of its story, else of its star. */
  pictureKey: string | null;
  placeholder: string | null;
  /** What a photograph shows, by language, and whose it is; null for drawn art. */
  pictureAlts: Partial<Translated> | null;
  pictureCredit: PictureCredit | null;
  /** Where the date of a birthday or an anniversary is from. */
  factSource: FactSource | null;
  /** Languages in which it has words. */
  languages: readonly Lang[];
}

/** An event as a ticket shows it (§2 Event card). */
export interface EventTicket
  extends Pick<
    FullEvent,
    | 'id'
    | 'title'
    | 'language'
    | 'eventType'
    | 'categoryId'
    | 'status'
    | 'startTime'
    | 'overAt'
    | 'zone'
    | 'precision'
    | 'venue'
    | 'location'
    | 'sourceArticleId'
  > {
  /** For whom it is shown: its primary star, beside an article one of the article's. */
  star: StarBadge | null;
}

/** What the page of an event shows (decision E4), the same for everybody. */
export interface EventPage extends Omit<FullEvent, 'isSubscribed'> {
  /** What comes next of its first star. */
  next: readonly EventTicket[];
}

const EventDay = t.Object({
  /** `YYYY-MM-DD` in the zone asked for. */
  date: t.String(),
  /** Every event that goes on that day; one of several days stands on each of them. */
  events: t.Array(Event),
  hasEvents: t.Boolean(),
  isToday: t.Boolean(),
  /** The date that a calendar selects first: today. */
  isSelected: t.Boolean(),
});

/** §3 Month calendar response: every day of the month. */
export const EventMonth = t.Object({
  year: integer(),
  month: integer(),
  days: t.Array(EventDay),
  /** Distinct events of the month that pass the filters. */
  totalEvents: integer(),
  categories: t.Array(EventCategory),
});
export type EventMonth = typeof EventMonth.static;

const trendDirections = ['up', 'stable', 'down'] as const;
export type TrendDirection = (typeof trendDirections)[number];
const scoreLabels = ['hot', 'trending', 'rising', 'new'] as const;
export type ScoreLabel = (typeof scoreLabels)[number];

/** An event with its place among the most wanted (decision E5). */
export const TrendingEvent = t.Composite([
  Event,
  t.Object({
    rank: integer(),
    /** §9: 95 minus 10 per place, at least 40. */
    trendingScore: integer(),
    scoreLabel: oneOf(scoreLabels),
    /** §4: up for ranks 1–3, stable for 4–6, down from 7. */
    trendDirection: oneOf(trendDirections),
    /** Distinct visitors of each day, added up. */
    viewCount: integer(),
    /** People whose subscription says `interested`; `rsvpCount` has those who are `going`, too. */
    subscriptionCount: integer(),
  }),
]);
export type TrendingEvent = typeof TrendingEvent.static;

export const TrendingEvents = t.Object({
  events: t.Array(TrendingEvent),
  hasMore: t.Boolean(),
  /** Of the most wanted events, for the chips. */
  categories: t.Array(EventCategory),
});
export type TrendingEvents = typeof TrendingEvents.static;

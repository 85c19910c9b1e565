import { readMonthCards } from '#api/events/calendar.ts';
import { starImagePath } from '#api/media/paths.ts';
import type { EventType } from '#content/event-types.ts';
import type { Lang } from '#content/locales.ts';
import { scopeStyle } from '../stars/colour-scope.ts';
import { placeOf } from './place.ts';

/** An event of the calendar in the browser; numbers point into the lists beside it. Instants are milliseconds. */
export interface CalendarEvent {
  id: number;
  title: string;
  /** Only when it is not the page's language. */
  lang?: Lang;
  type: EventType;
  cancelled?: true;
  start: number;
  over: number;
  /** Only for whole days: the zone whose date it keeps. */
  dayZone?: string;
  place?: string;
  venue?: string;
  category: number;
  /** The primary star first. */
  stars: number[];
}

export interface CalendarMonth {
  /** Days of the month, and of each the places of its events in `events`. */
  days: { date: string; events: readonly number[] }[];
  events: CalendarEvent[];
  categories: { id: number; slug: string; name: string }[];
  /** `style`: the star's colours for both modes; what is seldom there is left out. */
  stars: Record<number, { name: string; slug: string; style: string; avatar?: string; distinction?: string }>;
}

/** A month as `islands/calendar/` shows it. */
export async function monthForCalendar(
  lang: Lang,
  month: { year: number; month: number },
  zone: string,
): Promise<CalendarMonth> {
  const { days, cards, categories, stars } = await readMonthCards(lang, month, zone);
  return {
    days: days.map(({ date, indexes }) => ({ date, events: indexes })),
    events: cards.map((card) => {
      const place = placeOf(card);
      return {
        id: card.id,
        title: card.title,
        ...(card.language === lang ? {} : { lang: card.language }),
        type: card.eventType,
        ...(card.state === 'cancelled' ? { cancelled: true as const } : {}),
        start: card.start,
        over: card.over,
        ...(card.precision === 'day' ? { dayZone: card.zone } : {}),
        ...(place ? { place } : {}),
        ...(card.venue ? { venue: card.venue } : {}),
        category: card.categoryId,
        stars: card.starIds,
      };
    }),
    categories: categories.map(({ id, slug, name }) => ({ id, slug, name })),
    stars: Object.fromEntries(
      stars.map(({ id, name, slug, fandomColor, avatarKey, distinction }) => [
        id,
        {
          name,
          slug,
          style: scopeStyle(fandomColor, ['soft', 'softLine', 'text', 'fill', 'on']),
          ...(avatarKey ? { avatar: starImagePath({ slug, avatarKey }) } : {}),
          ...(distinction ? { distinction } : {}),
        },
      ]),
    ),
  };
}

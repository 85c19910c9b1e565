import { dayOf, localInstant } from '#api/events/days.ts';
import type { EventPage } from '#api/events/model.ts';
import { eventTypeEntry } from '#content/event-types.ts';
import { intlTag, type Lang } from '#content/locales.ts';
import { webAddress } from '../routes/outside-addresses.ts';
import { absolute, paths } from '../routes/paths.ts';
import { placeOf } from './place.ts';

/** A search for a venue on a map: a plain link, nothing of the map is loaded (decision M3). */
export function mapAddress(lang: Lang, place: string): string {
  const query = encodeURIComponent(place);
  return lang === 'ko'
    ? `https://map.naver.com/p/search/${query}`
    : `https://www.google.com/maps/search/?api=1&query=${query}`;
}

/** Where somebody can go; a broadcast names the channel that shows it as its venue. */
export function placeToGo(event: EventPage): string | undefined {
  const place = placeOf(event);
  return place === '' || eventTypeEntry(event.eventType).isBroadcast ? undefined : place;
}

/**
 * Event of schema.org, in the language of its words, with what is known of it: not who holds it, what a ticket costs or whether any
 * is left, nor when it ends where only the usual length of its type says so.
 */
export function eventData(event: EventPage, picture: string): object {
  const { language } = event;
  const page = absolute(paths.event(language, event.id));
  const isDay = event.precision === 'day';
  const schemaDate = (date: Date) => (isDay ? dayOf(date, event.zone) : localInstant(date, event.zone));
  const stream = webAddress(event.streamingUrl);
  const tickets = webAddress(event.ticketUrl);
  const performers = event.eventStars.map(({ star }) => ({
    '@type': star.category === 'K-Pop Group' ? 'MusicGroup' : 'Person',
    name: star.name,
    url: absolute(paths.star(language, star.id)),
  }));
  const { schemaType = 'Event' } = eventTypeEntry(event.eventType);
  const place = placeToGo(event) && {
    '@type': 'Place',
    name: event.venue ?? event.location,
    // The newsroom knows the hall and no town: then the hall's name is the address.
    address: event.location
      ? {
          '@type': 'PostalAddress',
          addressLocality: event.location,
          ...(event.zone === 'Asia/Seoul' && { addressCountry: 'KR' }),
        }
      : event.venue,
  };
  const virtual = { '@type': 'VirtualLocation', name: event.venue ?? undefined, url: stream?.href ?? page };
  const mode = place ? (stream ? 'Mixed' : 'Offline') : 'Online';
  return {
    '@context': 'https://schema.org',
    '@type': schemaType,
    '@id': page,
    name: event.title,
    description: event.description ?? event.title,
    url: page,
    inLanguage: intlTag(language),
    image: ['1x1-1200', '3x2-1200', '1200x630-1200'].map((file) => absolute(`/media/${picture}/${file}.jpg`)),
    startDate: schemaDate(new Date(event.startTime)),
    endDate:
      isDay || event.endTime ? schemaDate(new Date(Date.parse(event.overAt) - (isDay ? 1 : 0))) : undefined,
    eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    location: place ? (stream ? [place, virtual] : place) : virtual,
    performer: performers.length > 0 ? performers : undefined,
    maximumAttendeeCapacity: event.capacity ?? undefined,
    offers: tickets && { '@type': 'Offer', url: tickets.href },
    sameAs: webAddress(event.officialUrl)?.href,
  };
}

import { expect, test } from 'bun:test';
import { readEventPage } from '#api/events/events.ts';
import type { EventPage } from '#api/events/model.ts';
import { eventData, placeToGo } from '#site/lib/events/event-data.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';

useDatabase();

type Wish = Parameters<typeof makeEvent>[0];

const dataOf = (event: EventPage): Record<string, unknown> => ({ ...eventData(event, 'picture') });

/** Where search engines are told an event is, and what its map is asked for. */
async function whereIs(wish: Wish) {
  const event = await readEventPage(await makeEvent(wish), 'en', new Date());
  if (!event) throw new Error('there is no event');
  const { location, eventAttendanceMode } = dataOf(event);
  return {
    location,
    mode: String(eventAttendanceMode).replace(/^.*\/|Event.*$/g, ''),
    map: placeToGo(event),
  };
}

test('an event of which only the hall is known is there, not online', async () => {
  expect(await whereIs({ venue: 'KSPO DOME' })).toEqual({
    location: { '@type': 'Place', name: 'KSPO DOME', address: 'KSPO DOME' },
    mode: 'Offline',
    map: 'KSPO DOME',
  });
  expect(await whereIs({ venue: 'KSPO DOME', location: 'Seoul' })).toMatchObject({
    location: { name: 'KSPO DOME', address: { addressLocality: 'Seoul', addressCountry: 'KR' } },
    map: 'KSPO DOME, Seoul',
  });
  expect(await whereIs({ venue: 'Hall 3', streamingUrl: 'https://stream.example' })).toMatchObject({
    location: [{ '@type': 'Place' }, { '@type': 'VirtualLocation' }],
    mode: 'Mixed',
  });
});

test('what is broadcast, or has no place, is online', async () => {
  for (const wish of [{ eventType: 'tv_show', venue: 'KBS2', location: 'Seoul' }, {}] as const)
    expect(await whereIs(wish)).toMatchObject({
      location: { '@type': 'VirtualLocation' },
      mode: 'Online',
      map: undefined,
    });
});

test('search engines are told nothing that nobody knows', async () => {
  const star = await makeStar();
  for (const state of ['scheduled', 'cancelled'] as const) {
    const id = await makeEvent({ star, state, ticketUrl: 'https://tickets.example/a' });
    const event = await readEventPage(id, 'en', new Date());
    if (!event) throw new Error('there is no event');
    const data = dataOf(event);
    expect(data.organizer).toBeUndefined();
    expect(data.endDate).toBeUndefined();
    expect(data.offers).toEqual({ '@type': 'Offer', url: 'https://tickets.example/a' });
  }
});

test('an event without words in the language of the page is that of the language it has', async () => {
  const star = await makeStar();
  const id = await makeEvent({ star, titles: { ko: '등대 공연' } });
  const event = await readEventPage(id, 'vi', new Date());
  if (!event) throw new Error('there is no event');
  expect(dataOf(event)).toMatchObject({
    '@id': expect.stringContaining(`/ko/events/${id}`),
    url: expect.stringContaining(`/ko/events/${id}`),
    inLanguage: 'ko-KR',
    performer: [{ url: expect.stringContaining(`/ko/star/${star}`) }],
  });
});

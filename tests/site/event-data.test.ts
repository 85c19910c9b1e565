import { expect, test } from 'bun:test';
import { readEventPage } from '#api/events/events.ts';
import { eventData, placeToGo } from '#site/lib/events/event-data.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent } from '#tests/kit/make.ts';

useDatabase();

type Wish = Parameters<typeof makeEvent>[0];

/** Where search engines are told an event is, and what its map is asked for. */
async function whereIs(wish: Wish) {
  const event = await readEventPage(await makeEvent(wish), 'en', new Date());
  if (!event) throw new Error('there is no event');
  const { location, eventAttendanceMode } = { ...eventData('en', event, 'picture') } as Record<
    string,
    unknown
  >;
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

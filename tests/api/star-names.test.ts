import { describe, expect, test } from 'bun:test';
import { planAnniversaries } from '#api/directory/anniversaries.ts';
import { calendarOfEvent } from '#api/events/calendars.ts';
import { loadNames } from '#api/newsroom/names.ts';
import { readStarProfile } from '#api/stars/stars.ts';
import { type Lang, languages } from '#content/locales.ts';
import { connection, database } from '#db/client.ts';
import { starData } from '#site/lib/pages/structured-data.ts';
import { answerOf, call, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeEvent, makeStar } from '#tests/kit/make.ts';

useDatabase();

/** Every name that readers of a language meet of a star, by where it stands. */
async function namesShown(id: number, language: Lang) {
  const query = { language };
  const params = { id };
  const profile = await answerOf(typedCall('get', '/api/stars/:id/profile', { params, query }));
  const list = await answerOf(typedCall('get', '/api/stars', { query: { ...query, starIds: `[${id}]` } }));
  const [entry] = await connection()<{ text: string }[]>`select name as text from stars where id = ${id}`;
  const q = entry?.text ?? '';
  const { suggestions } = await answerOf(
    typedCall('get', '/api/search/suggestions', { query: { ...query, q } }),
  );
  const found = await answerOf(typedCall('get', '/api/search', { query: { ...query, q } }));
  const { channels } = await answerOf(typedCall('get', '/api/community/channels', { query }));
  const page = await readStarProfile(id, language);
  const data: { name?: string } = page ? starData(language, page) : {};
  const book = await loadNames();
  return {
    profile: profile.name,
    list: list[0]?.name,
    suggestion: suggestions.find((star) => star.id === id)?.name,
    search: found.stars.find((star) => star.id === id)?.name,
    channel: channels.find(({ star }) => star.id === id)?.star.name,
    structuredData: data.name,
    rewrite: book.entries.find(({ starId }) => starId === id)?.names[language],
  };
}

const everywhere = (name: string) => ({
  profile: name,
  list: name,
  suggestion: name,
  search: name,
  channel: name,
  structuredData: name,
  rewrite: name,
});

async function makeStarWithChannel(name: string, names: Record<string, string>): Promise<number> {
  const id = await makeStar({ name, names });
  await connection()`insert into channels (star_id) values (${id})`;
  return id;
}

describe('a star without a name in the reader’s language', () => {
  test('is called by its English name everywhere, and by its Korean one only without that', async () => {
    const both = await makeStarWithChannel('소나기', { ko: '소나기', en: 'Sonagi' });
    const koreanAlone = await makeStarWithChannel('이슬비', { ko: '이슬비' });
    const own = await makeStarWithChannel('진눈깨비', { ko: '진눈깨비', en: 'Jinnun', vi: 'Mưa Tuyết' });
    expect(await namesShown(both, 'ko')).toEqual(everywhere('소나기'));
    expect(await namesShown(own, 'vi')).toEqual(everywhere('Mưa Tuyết'));
    for (const language of ['en', 'ms', 'vi'] as const) {
      expect([language, await namesShown(both, language)]).toEqual([language, everywhere('Sonagi')]);
      expect([language, await namesShown(koreanAlone, language)]).toEqual([language, everywhere('이슬비')]);
    }
  });

  test('is called so with its events, in calendar files, as a member and as a group', async () => {
    const id = await makeStarWithChannel('여우비', { ko: '여우비', en: 'Yeowoobi' });
    const group = await makeStarWithChannel('비구름', { ko: '비구름', en: 'Rain Cloud' });
    const sql = connection();
    await sql`insert into star_members (group_id, position, member_id, names) values
      (${group}, 0, ${id}, ${JSON.stringify({ ko: '여우비', en: 'Yeowoobi' })}),
      (${group}, 1, null, ${JSON.stringify({ ko: '는개', en: 'Neun-gae' })})`;
    await sql`update stars set search_text = search_text || ' 는개' where id = ${group}`;
    const event = await makeEvent({ star: id, titles: { en: 'Show' } });
    const shown = await answerOf(
      typedCall('get', '/api/events/:id', { params: { id: event }, query: { language: 'vi' } }),
    );
    expect([shown.primaryStar?.name, ...shown.eventStars.map(({ star }) => star.name)]).toEqual([
      'Yeowoobi',
      'Yeowoobi',
    ]);
    expect(await calendarOfEvent('ms', event)).toContain('Yeowoobi');
    const profileOf = (star: number) =>
      answerOf(
        typedCall('get', '/api/stars/:id/profile', { params: { id: star }, query: { language: 'ms' } }),
      );
    expect((await profileOf(group)).members.map(({ name }) => name)).toEqual(['Yeowoobi', 'Neun-gae']);
    expect((await profileOf(id)).groups.map(({ name }) => name)).toEqual(['Rain Cloud']);
    const { suggestions } = await answerOf(
      typedCall('get', '/api/search/suggestions', { query: { q: '는개', language: 'vi' } }),
    );
    expect(suggestions.map(({ name, member }) => [name, member])).toEqual([['Rain Cloud', 'Neun-gae']]);
  });

  test('has birthdays under the same name', async () => {
    const id = await makeStar({ name: '보슬비', names: { ko: '보슬비', en: 'Boseulbi' } });
    await connection()`insert into star_profiles (star_id, birth_date) values (${id}, '2000-12-24')`;
    await database().transaction((tx) => planAnniversaries(tx, [id], new Date('2026-11-23T00:00:00Z')));
    const titles = await connection()<{ language: Lang; title: string }[]>`
      select language, title from event_translations join events on id = event_id
      where anniversary_of = ${id} and anniversary_year = 2026`;
    expect(Object.fromEntries(titles.map((row) => [row.language, row.title.includes('Boseulbi')]))).toEqual(
      Object.fromEntries(languages.map((language) => [language, language !== 'ko'])),
    );
  });

  test('is told apart from others that are shown under the same name', async () => {
    const korean = await makeStar({ name: '가랑비', names: { ko: '가랑비', en: 'Drizzle' } });
    const other = await makeStar({ name: '안개비', names: { ko: '안개비', en: 'Drizzle' } });
    await connection()`insert into star_profiles (star_id, birth_date) values (${korean}, '2001'), (${other}, '2002')`;
    const { json } = await call(`/api/stars?language=ms&starIds=[${korean},${other}]`);
    expect(json).toMatchObject([
      { name: 'Drizzle', distinction: '2001' },
      { name: 'Drizzle', distinction: '2002' },
    ]);
  });
});

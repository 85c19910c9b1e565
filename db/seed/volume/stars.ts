import { sql } from 'drizzle-orm';
import { languages, translated } from '#content/locales.ts';
import { searchTextOf } from '#content/plain-name.ts';
import {
  starAliases,
  starCategories,
  starProfiles,
  stars,
  starTranslations,
  timelineEvents,
  timelineTranslations,
  timelineTypes,
} from '../../schema/stars.ts';
import { namesOf } from '../../sql.ts';
import { chance } from '../random.ts';
import { insertRows } from '../rows.ts';
import { type Block, inChunks, type Progress, perLanguage, pick, reserveIds, textRows } from './chunks.ts';
import { lines, syllables, titles } from './words.ts';

const timelineLength = 20;
const starsPerChunk = 500;

/** Inserts synthetic stars with names in every language, profiles, aliases and twenty timeline events each. */
export async function seedSyntheticStars(count: number, progress: Progress): Promise<Block> {
  const block = await reserveIds(stars, count);
  const timeline = await reserveIds(timelineEvents, count * timelineLength);
  const texts = { titles: titles(400), lines: lines(1000) };
  await inChunks(block, { size: starsPerChunk, message: 'stars' }, progress, async (tx, { from, to }) => {
    const syntheticStars = Array.from({ length: to - from + 1 }, (_, index) =>
      syntheticStar(from + index, from + index - block.first),
    );
    await insertRows(
      tx,
      stars,
      syntheticStars.map(({ star }) => star),
    );
    await insertRows(
      tx,
      starTranslations,
      syntheticStars.flatMap(({ words }) => words),
    );
    await insertRows(
      tx,
      starAliases,
      syntheticStars.flatMap(({ aliases }) => aliases),
    );
    await insertRows(
      tx,
      starProfiles,
      syntheticStars.map(({ profile }) => profile),
    );
    const first = sql`${timeline.first}::int + (s.id - ${block.first}::int) * ${timelineLength}::int`;
    const kind = sql`(array[${sql.join(
      timelineTypes.map((type) => sql`${type}::text`),
      sql`, `,
    )}])`;
    await tx.execute(sql`
      insert into ${timelineEvents} (${namesOf(
        timelineEvents.id,
        timelineEvents.starId,
        timelineEvents.date,
        timelineEvents.type,
        timelineEvents.isHighlight,
        timelineEvents.importance,
      )}) overriding system value
      select ${first} + k, s.id, current_date - (k * 90 + ${pick(sql`s.id * 32 + k`, 90)}),
        ${kind}[1 + ${pick(sql`s.id * 32 + k + 7`, timelineTypes.length)}], k % 5 = 0, 1 + ${pick(sql`s.id * 32 + k + 3`, 10)}
      from generate_series(${from}::int, ${to}::int) as s(id), generate_series(0, ${timelineLength - 1}::int) as k`);
    await tx.execute(sql`
      with titles as materialized (select * from ${textRows(texts.titles)}),
        lines as materialized (select * from ${textRows(texts.lines)})
      insert into ${timelineTranslations} (${namesOf(
        timelineTranslations.timelineEventId,
        timelineTranslations.language,
        timelineTranslations.title,
        timelineTranslations.description,
      )})
      select ${first} + k, words.language, words.title, words.description
      from generate_series(${from}::int, ${to}::int) as s(id) cross join generate_series(0, ${timelineLength - 1}::int) as k
      join titles t on t.n = ${pick(sql`s.id * 32 + k`, texts.titles.length)}
      join lines d on d.n = ${pick(sql`s.id * 32 + k`, texts.lines.length)}
      cross join lateral (values ${perLanguage((lang) => `t.${lang}, d.${lang}`)})
        as words(language, title, description)`);
  });
  return block;
}

const [fallback] = syllables;

/** The star of an id; its name counts in syllables, so that no two of one run are alike. */
function syntheticStar(id: number, place: number) {
  const luck = chance(`star-${id}`);
  const base = syllables.length;
  const digits = [place % base, Math.floor(place / base) % base, Math.floor(place / base ** 2) % base];
  const parts = digits.map((digit) => syllables[digit] ?? fallback);
  const ko = parts.map(([hangul]) => hangul).join('');
  const latin = parts.map(([, spelling]) => spelling).join('');
  const initials = parts.map(([, , initial]) => initial).join('');
  const name = { ...translated(() => latin.toUpperCase()), ko };
  const hyphenated = parts.map(([, spelling]) => spelling).join('-');
  return {
    star: {
      id,
      slug: `volume-${id}`,
      name: ko,
      category: luck.pick(starCategories),
      fandomColor: `#${luck.int(0, 0xffffff).toString(16).padStart(6, '0')}`,
      initials,
      searchText: searchTextOf([ko, name.en, hyphenated, initials]),
    },
    words: languages.map((language) => ({
      starId: id,
      language,
      name: name[language],
      agency: `Volume ${id % 40}`,
      fandomName: `${name[language]} ${id % 7}`,
      nationality: language === 'ko' ? '대한민국' : 'Korea',
      biography: `${name[language]}. ${luck.int(1, 99)} · ${luck.int(1, 99)}`,
    })),
    aliases: [hyphenated, `${latin} ${id}`].map((alias) => ({ starId: id, alias })),
    profile: {
      starId: id,
      debutDate: `20${luck.int(10, 25)}-0${luck.int(1, 9)}-${luck.int(10, 28)}`,
      birthDate: `19${luck.int(85, 99)}-0${luck.int(1, 9)}-${luck.int(10, 28)}`,
      height: luck.int(155, 190),
      bloodType: luck.pick(['A', 'B', 'O', 'AB']),
      mbti: luck.pick(['INFP', 'ENFJ', 'ISTP', 'ESFP']),
      monthlyListeners: luck.int(1_000, 3_000_000),
      totalAlbumSales: luck.int(1_000, 2_000_000),
    },
  };
}

import { beforeAll, expect, test } from 'bun:test';
import {
  articleContractPart,
  cardPart,
  readArticle,
  readArticlePage,
  readArticles,
  readFeed,
} from '#api/articles/articles.ts';
import { readChannels } from '#api/community/channels.ts';
import { readChannelPage } from '#api/community/page.ts';
import { readCalendar } from '#api/events/calendar.ts';
import { readEventPage, readUpcoming } from '#api/events/events.ts';
import { readQuery } from '#api/search/query.ts';
import { search } from '#api/search/search.ts';
import { readStarArticles, readStarProfile } from '#api/stars/stars.ts';
import { connection } from '#db/client.ts';
import { listArticlesForEditors } from '#db/queries/admin/articles.ts';
import { seedVolume } from '#db/seed/volume.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { plansOf } from '#tests/kit/plans.ts';

const own = useDatabase();

const now = new Date();
const ids = { article: 0, star: 0, event: 0 };

beforeAll(async () => {
  await seedVolume(1_000, () => {});
  const [row] = await connection()<[typeof ids]>`
    select (select max(id) from articles) as article, (select id from stars order by article_count desc limit 1) as star,
      (select id from events where verification = 'approved' order by id limit 1) as event`;
  Object.assign(ids, row);
  await connection()`update articles set original_title = '달무리 전광판' where id = ${ids.article}`;
  // What is so small is read whole; plans shall be those of a site that is not.
  const name = new URL(own.url).pathname.slice(1);
  await connection().unsafe(`alter database "${name}" set enable_seqscan = off`);
}, 300_000);

const sizes = { articles: 20, stars: 20, events: 20, channels: 20 };
const find = (text: string) => {
  const query = readQuery(text);
  if ('problem' in query) throw new Error(query.problem);
  return search(query, { language: 'ko', page: 1, sizes, now });
};
const zone = 'Asia/Seoul';
const [year = 0, month = 0] = now.toISOString().split('-').map(Number);
const date = now.toISOString().slice(0, 10);

/**
 * What pages and calls ask for, in how many statements (quality §Speed: four at most), and how many rows these may read, the parts of what
 * is shown counted each: a card has an article, a rewrite, and its stars with their names. What a page skips is passed over in an index.
 */
const reads: Record<string, { ask: () => Promise<unknown>; statements: number; rows: number }> = {
  'a page of the feed': { ask: () => readFeed('ko'), statements: 1, rows: 200 },
  'a page of the feed far below': { ask: () => readFeed('ko', 900), statements: 1, rows: 900 + 200 },
  'the page of an article': { ask: () => readArticlePage(ids.article, 'en', now), statements: 1, rows: 80 },
  'an article of the API': { ask: () => readArticle(ids.article, 'en'), statements: 2, rows: 20 },
  'twenty articles of the API': {
    ask: () => readArticles(articleContractPart, { language: 'en', limit: 20, offset: 0 }),
    statements: 2,
    rows: 280,
  },
  'the profile of a star': { ask: () => readStarProfile(ids.star, 'ms'), statements: 1, rows: 140 },
  'the articles of a star': {
    ask: () => readStarArticles(cardPart, ids.star, 'ms'),
    statements: 1,
    rows: 120,
  },
  'the page of an event': { ask: () => readEventPage(ids.event, 'vi', now), statements: 2, rows: 90 },
  'what comes': {
    ask: () => readUpcoming('ko', 'month', { zone, now, offset: 0 }),
    statements: 1,
    rows: 110,
  },
  'a month': {
    ask: () => readCalendar('ko', { year, month, date, showAll: false, filter: {} }, zone, now),
    statements: 4,
    rows: 600,
  },
  channels: {
    ask: () => readChannels({ language: 'ko', sort: 'popular', limit: 20, offset: 0 }),
    statements: 1,
    rows: 120,
  },
  'a channel': { ask: () => readChannelPage(ids.star, 'ko'), statements: 3, rows: 170 },
  'articles that editors search for': {
    ask: () => listArticlesForEditors({ language: 'ko', limit: 20, offset: 0, search: '달무리 전광판' }),
    statements: 1,
    rows: 20,
  },
  'a search': { ask: () => find('무대'), statements: 5, rows: 2_200 },
};

for (const [name, { ask, statements, rows }] of Object.entries(reads)) {
  test(`${name}: ${statements} statements at most, and no more rows than its budget`, async () => {
    const plans = await plansOf(ask);
    const read = plans.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    expect(plans.length).toBeWithin(1, statements + 1);
    expect(read).toBeWithin(1, rows + 1);
  });
}

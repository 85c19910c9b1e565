/**
 * `bun run bench --only stars [--stars 20000]`: what lists of stars and searches for them take in a directory of that many: processor
 * time of their statements, and time of their answers alone and at 32 connections; no answer comes from a cache. Fills a database of its own in `.data/bench` once.
 */
import type { Sql } from 'postgres';
import { readChannels } from '#api/community/channels.ts';
import { readQuery } from '#api/search/query.ts';
import { search, suggest } from '#api/search/search.ts';
import { readStarSearch } from '#api/stars/search.ts';
import { readStars } from '#api/stars/stars.ts';
import { languages } from '#content/locales.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { listStarsForEditors } from '#db/queries/admin/stars.ts';
import { type ChannelSort, channelSorts } from '#db/queries/community/channel-list.ts';
import { findStarsByName } from '#db/queries/directory/choose.ts';
import { sentBy, withStatement } from '#tests/kit/plans.ts';
import { numberOption } from './arguments.ts';
import { measure, median, processorOf, start, stop } from './processes.ts';
import { fillDirectory, typed } from './stars/directory.ts';

/** One list: what is asked by calls, none of them twice in a run, and what they ask the database. */
interface List {
  name: string;
  /** None: it is a page of editors. */
  paths: string[];
  ask: (text: string) => Promise<unknown>;
  /** With which the statements are measured. */
  texts: string[];
}

const dataDir = '.data/bench';
const port = 4421;
const seconds = 2;
/** Texts whose statements are measured, and how often: processor time is counted in hundredths of a second. */
const samples = 12;
const runs = 40;
const language = 'en';
const now = new Date();

/** Prints what each list takes. */
export async function benchStars(): Promise<void> {
  const count = numberOption('stars', 20_000);
  const cluster = await startEmbedded(dataDir);
  try {
    const url = cluster.url(`bench_stars_${count}`);
    await createDatabase(url);
    await migrateDatabase(url, { dataDir });
    openDatabase(url);
    await fillDirectory(count);
    console.log(
      `${count} stars; milliseconds: processor of a statement, median/most, then p50/p99 alone and at 32 connections`,
    );
    console.log(`${''.padEnd(34)} statement        alone     32 connections   aim ≤ 10, p99 ≤ 25\n`);
    const server = await start('./serve.ts', String(port), url);
    try {
      await say({ name: 'for comparison: /healthz', paths: ['/healthz'], texts: [], ask: async () => {} });
      for (const list of listsOf(count)) await say(list);
    } finally {
      await stop(server);
    }
  } finally {
    await closeDatabase();
    await cluster.stop();
  }
}

async function say({ name, paths, ask, texts }: List): Promise<void> {
  const costs: number[] = [];
  for (const text of spread(texts)) {
    for (const statement of await sentBy(() => ask(text))) costs.push(await withStatement(statement, costOf));
  }
  const plan = { port, paths, headers: {}, clients: 60_000, seconds };
  const figures: string[] = [];
  for (const connections of paths.length > 0 ? [1, 32] : []) {
    const { p50, p99, failures } = await measure({ ...plan, connections });
    figures.push(`${p50.toFixed(1)}/${p99.toFixed(1)}${failures > 0 ? ` (${failures} failed)` : ''}`);
  }
  const [alone = '', many = ''] = figures;
  const dearest = costs.length > 0 ? Math.max(...costs).toFixed(1) : '';
  const middle = costs.length > 0 ? median(costs).toFixed(1) : '';
  console.log(
    `${name.padEnd(34)} ${`${middle}/${dearest}`.padStart(9)} ${alone.padStart(12)} ${many.padStart(18)}`,
  );
}

/** Milliseconds of a processor that PostgreSQL takes for a statement, planning too where it is not prepared. */
async function costOf(sql: Sql, execute: string): Promise<number> {
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = backend?.pid ?? 0;
  await sql.unsafe(execute);
  const before = await processorOf(pid);
  for (let run = 0; run < runs; run += 1) await sql.unsafe(execute);
  return ((await processorOf(pid)) - before) / runs;
}

/** Some of the texts from one end to the other. */
const spread = (texts: readonly string[]): string[] =>
  texts.filter((_, index) => index % Math.ceil(texts.length / samples) === 0);

function listsOf(count: number): List[] {
  const names = typed('name', count);
  const latin = typed('latin', count);
  const beginnings = typed('beginning', count);
  const initials = typed('initials', count);
  const letters = typed('letter', count);
  const query = (text: string) => {
    const parsed = readQuery(text);
    if ('problem' in parsed) throw new Error(`${text}: ${parsed.problem}`);
    return parsed;
  };
  const searches = (path: string, texts: readonly string[]) =>
    texts.map((text) => `${path}${encodeURIComponent(text)}&language=${language}`);
  const mine = (name: string, texts: string[]): List => ({
    name,
    texts,
    paths: searches('/api/stars?withCount=true&limit=50&search=', texts),
    ask: (text) => readStars({ language, limit: 50, offset: 0, search: text }),
  });
  const sizes = { articles: 20, stars: 20, events: 20, channels: 20 };
  const everything = (name: string, texts: string[]): List => ({
    name,
    texts,
    paths: searches('/api/search?q=', texts),
    ask: (text) => search(query(text), { language, page: 1, sizes, now }),
  });
  const suggestions = (name: string, texts: string[]): List => ({
    name,
    texts,
    paths: searches('/api/search/suggestions?q=', texts),
    ask: (text) => suggest(query(text), language, 8),
  });
  const channels = (sort: ChannelSort): List => ({
    name: `channels, ${sort}`,
    texts: ['0', '20', '400'],
    paths: pages(20).map((page) => `/api/community/channels?sort=${sort}&${page}`),
    ask: (offset) => readChannels({ language, sort, limit: 20, offset: Number(offset) }),
  });
  const channelsOf = (name: string, texts: string[], sort: ChannelSort): List => ({
    name,
    texts,
    paths: searches(`/api/community/channels?sort=${sort}&search=`, texts),
    ask: (text) => readChannels({ language, sort, limit: 20, offset: 0, search: query(text) }),
  });
  const editors = (name: string, texts: string[], filter: object): List => ({
    name,
    texts,
    paths: [],
    ask: (text) =>
      listStarsForEditors({
        language,
        limit: 50,
        offset: 0,
        ...(text ? readStarSearch(text) : {}),
        ...filter,
      }),
  });
  return [
    {
      name: 'My Stars',
      texts: ['0', '50', '400'],
      paths: pages(50).map((page) => `/api/stars?withCount=true&${page}`),
      ask: (offset) => readStars({ language, limit: 50, offset: Number(offset) }),
    },
    mine('My Stars, by name', names),
    mine('My Stars, in Latin letters', latin),
    mine('My Stars, by 초성', initials),
    mine('My Stars, one letter', letters),
    everything('search, by name', names),
    everything('search, in Latin letters', latin),
    everything('search, with a wrong letter', latin.map(misspelt)),
    everything('search, by 초성', initials),
    everything('search, one letter', letters),
    suggestions('suggestions', beginnings),
    suggestions('suggestions, by 초성', initials),
    suggestions('suggestions, one letter', letters),
    ...channelSorts.map(channels),
    channelsOf('channels, found by name', names, 'popular'),
    channelsOf('channels, found by one letter', letters, 'name'),
    editors('editors’ stars', [''], {}),
    editors('editors’ stars, by name', names, {}),
    editors('editors’ stars, by 초성', initials, {}),
    editors('editors’ stars, one letter', letters, {}),
    editors('editors’ stars, hidden', [''], { hidden: true }),
    editors('editors’ stars, no Vietnamese name', [''], { missing: 'vi' }),
    {
      name: 'a star to choose, by name',
      texts: [...names, ...letters],
      paths: [],
      ask: (text) => findStarsByName(text, readStarSearch(text), language, 20),
    },
  ];
}

/** A name with another letter in its middle, which no name has. */
const misspelt = (name: string): string =>
  `${name.slice(0, name.length / 2)}q${name.slice(name.length / 2 + 1)}`;

/** Pages of about as many, in every language: more than a run asks for. */
const pages = (size: number): string[] =>
  Array.from({ length: size }, (_, less) =>
    Array.from({ length: 20 }, (_, page) =>
      languages.map((each) => `limit=${size - less}&page=${page + 1}&language=${each}`),
    ).flat(),
  ).flat();

import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { invalidate, onInvalidation, settleInvalidations } from '#api/invalidation.ts';
import type { Tag } from '#api/tags.ts';
import { languages } from '#content/locales.ts';
import { askImpatiently, connection } from '#db/client.ts';
import { leadPages, sweepStoredPages } from '#db/queries/page-store.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { root } from '#site/launch/root.ts';
import { BackgroundRenders } from '#site/lib/cache/background-renders.ts';
import { PageCache } from '#site/lib/cache/page-cache.ts';
import { PageStore } from '#site/lib/cache/page-store.ts';
import { RenderAhead } from '#site/lib/cache/render-ahead.ts';
import { bearer } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';
import { scrape } from '#tests/kit/metrics.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(300_000);

const database = useDatabase();
const stores: PageStore[] = [];
/** What one test still has to store is no other's. */
const settle = () => Promise.all(stores.splice(0).map((store) => store.end()));
// The first test would wait for the connection.
beforeAll(async () => {
  const store = new PageStore('one', () => {});
  await store.open();
  await store.end();
});
afterAll(settle);

/**
 * How long a statement of the store may take: on a machine that stalls more than its second, and the pages would be rendered. It may wait for
 * a lock for that second, as it does in the site.
 */
const letStatementsTake = (time: string) => askImpatiently(`set statement_timeout = '${time}'`, []);

/**
 * A page cache as a process has it, over the store, and what it rendered. Nothing tells it what others invalidate.
 * @param patience on a busy machine the store is late, and its process, whose clock stands, would leave it alone from then on
 */
function processOf({
  build = 'one',
  render = async (key: string) => key,
  tags = ['feed'] as Tag[],
  status = 200,
  isConnected = (): boolean => true,
  patience = 30_000,
} = {}) {
  const rendered: string[] = [];
  let now = Date.now();
  const background = new BackgroundRenders((key) => cache.renew(key));
  const store = new PageStore(
    build,
    (key) => background.add([key]),
    () => now,
    isConnected,
    patience,
  );
  stores.push(store);
  const cache: PageCache = new PageCache(
    async (_, key) => {
      rendered.push(key);
      const body = new TextEncoder().encode((await render(key)).padEnd(3_000, '.'));
      const life = status === 200 ? { maxAge: 60, swr: 86_400, tags } : undefined;
      return { status, body, headers: { 'x-page': key }, life };
    },
    10_000_000,
    () => now,
    undefined,
    store,
  );
  const get = async (key: string, encoding = 'br') =>
    cache.respond(new Request('http://localhost/', { headers: { 'accept-encoding': encoding } }), key);
  return {
    rendered,
    cache,
    store,
    background,
    get,
    read: async (key: string) => (await (await get(key, 'identity')).text()).replace(/\.+$/, ''),
    isStored: () => until(() => store.counts.stored + store.counts.dropped >= rendered.length),
    answerWith: (next: number) => {
      status = next;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('the pages that processes share', () => {
  beforeEach(async () => {
    await settle();
    await letStatementsTake('30s');
    await connection()`truncate stored_pages, invalidated_tags, page_reads, page_builds`;
  });

  test('are rendered by one process, and answered by another with the same bytes and ETag', async () => {
    const [first, second] = [processOf(), processOf()];
    const answer = await first.get('/ko');
    await first.isStored();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const [ours, theirs] = [await first.get('/ko', encoding), await second.get('/ko', encoding)];
      expect(theirs.headers.get('etag')).toBe(answer.headers.get('etag'));
      expect(theirs.headers.get('x-page')).toBe('/ko');
      expect(await theirs.bytes()).toEqual(await ours.bytes());
    }
    expect(second.rendered).toEqual([]);
  });

  test('are asked of it once by all who wait', async () => {
    const [first, second] = [processOf(), processOf()];
    await first.get('/ko');
    await first.isStored();
    await Promise.all(Array.from({ length: 50 }, () => second.get('/ko')));
    expect(second.store.counts).toMatchObject({ found: 1, missing: 0 });
  });

  test('are another for another build', async () => {
    const first = processOf();
    await first.get('/ko');
    await first.isStored();
    const other = processOf({ build: 'two', render: async () => 'the new build' });
    expect(await other.read('/ko')).toBe('the new build');
  });

  test('are never shown after a write of any process, and only those with its tags are gone', async () => {
    const writer = processOf({ tags: ['star:1'] });
    const bystander = processOf({ tags: ['star:2'] });
    await writer.get('/a');
    await bystander.get('/b');
    await Promise.all([writer.isStored(), bystander.isStored()]);
    await invalidate(['star:1']);
    const reader = processOf({ render: async () => 'new' });
    expect(await reader.read('/a')).toBe('new');
    expect(await reader.read('/b')).toBe('/b');
  });

  test('are not those whose render began before a write that another process told of', async () => {
    let title = 'old';
    const wait = Promise.withResolvers<void>();
    const slow = processOf({
      render: async () => {
        const seen = title;
        await wait.promise;
        return seen;
      },
    });
    const answer = slow.read('/ko');
    await until(() => slow.rendered.length === 1);
    title = 'new';
    await invalidate(['feed']);
    wait.resolve();
    expect(await answer).toBe('old');
    await slow.isStored();
    expect(await processOf({ render: async () => title }).read('/ko')).toBe('new');
  });

  test('are not those that a process was about to give when it heard that they are out of date', async () => {
    /** Undefined when the machine stalled, and the page was given before the process heard it. */
    const renderedByAnother = async (build: string): Promise<string[] | undefined> => {
      let renderedAt = 0;
      const render = async (key: string) => {
        renderedAt = performance.now();
        return key;
      };
      const [first, second] = [processOf({ build, render }), processOf({ build })];
      await first.get('/ko');
      await until(() => first.store.counts.missing === 1);
      await new Promise<void>((resolve) => setImmediate(resolve));
      first.cache.invalidate(['feed']);
      // For so long a process gathers what it gives.
      if (performance.now() - renderedAt > 200) return undefined;
      await first.get('/ko/article/1');
      await until(() => first.store.counts.stored === 1);
      await second.get('/ko');
      await second.get('/ko/article/1');
      return second.rendered;
    };
    let rendered: string[] | undefined;
    for (let tries = 0; tries < 10 && !rendered; tries += 1)
      rendered = await renderedByAnother(`about ${tries}`);
    expect(rendered).toEqual(['/ko']);
  });

  test('are answered for a day after their time, while they are made anew in the background', async () => {
    const first = processOf();
    await first.get('/ko');
    await first.isStored();
    await connection()`update stored_pages set rendered_at = now() - interval '20 hours', fresh_until = now() - interval '20 hours'`;
    const second = processOf({ render: async () => 'new' });
    expect(await second.read('/ko')).toBe('/ko');
    await until(() => second.rendered.length === 1);
    await until(async () => (await second.read('/ko')) === 'new');
    await connection()`update stored_pages set stale_until = now()`;
    expect(await processOf({ render: async () => 'newest' }).read('/ko')).toBe('newest');
  });

  test('are gone when a page that is made anew is there no more, though nobody told', async () => {
    const first = processOf();
    await first.get('/ko');
    await first.isStored();
    await connection()`update stored_pages set fresh_until = now() - interval '1 minute'`;
    const second = processOf({ status: 410 });
    expect((await second.get('/ko')).status).toBe(200);
    await until(async () => (await second.get('/ko')).status === 410);
    await until(async () => (await connection()`select from stored_pages`).length === 0);
    // In the memory of the process that rendered it, too.
    first.pass(61_000);
    first.answerWith(410);
    await first.get('/ko');
    await until(async () => (await first.get('/ko')).status === 410);
  });

  test('are taken back by a process that may have missed what others wrote, and those of others stay', async () => {
    const [first, other] = [processOf({ build: 'deaf' }), processOf({ build: 'deaf' })];
    await first.get('/ko/star/1');
    await other.get('/ko/star/2');
    await until(() => first.store.counts.stored === 1 && other.store.counts.stored === 1);
    first.cache.clear();
    const keys = async () => {
      const rows = await connection()<{ key: string }[]>`select key from stored_pages where build = 'deaf'`;
      return rows.map(({ key }) => key);
    };
    await until(async () => (await keys()).length === 1);
    expect(await keys()).toEqual(['/ko/star/2']);
  });

  test('are taken back once the database is there, where it was not when the process heard the others again', async () => {
    const first = processOf();
    for (const key of ['/ko/star/1', '/ko/star/2']) await first.get(key);
    await first.isStored();
    const log = recordLog();
    await connection()`alter table stored_pages rename to taken_away`;
    try {
      first.cache.clear();
      await until(() => log.text().includes('the stored pages are away'));
    } finally {
      log.stop();
      await connection()`alter table taken_away rename to stored_pages`;
    }
    await until(async () => (await connection()`select from stored_pages`).length === 0);
  });

  test('are told of late, and so is everybody then who may have taken an old one meanwhile', async () => {
    const heard: Tag[][] = [];
    const end = await onInvalidation(
      (tags) => void heard.push(tags),
      () => {},
    );
    await connection().begin(async (tx) => {
      await tx`lock table invalidated_tags`;
      await invalidate(['feed']);
      expect(heard).toEqual([['feed']]);
    });
    await until(() => heard.length === 2);
    expect(heard[1]).toEqual(['feed']);
    await end();
  });

  test('know when a process ends what they are being told in vain', async () => {
    const first = processOf();
    await first.get('/ko');
    await first.isStored();
    await connection().begin(async (tx) => {
      await tx`lock table invalidated_tags`;
      await invalidate(['feed']);
      await until(async () => {
        const waiting = await connection()`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      await settleInvalidations();
      expect(await connection()`select from stored_pages where key = '/ko'`).toHaveLength(0);
    });
  });

  test('know when a process ends what they could not be told before', async () => {
    const first = processOf();
    await first.get('/ko');
    await first.isStored();
    await connection().begin(async (tx) => {
      await tx`lock table invalidated_tags`;
      await invalidate(['feed']);
    });
    await settleInvalidations();
    expect(await processOf({ render: async () => 'new' }).read('/ko')).toBe('new');
  });

  test('hold nothing that a person typed or follows, and no screen that only leads on', async () => {
    const first = processOf({ build: 'typed' });
    const [typed, shared] = [
      ['/ko/search?q=me', '/ko/feed?stars=1&offset=10', '/ko/community?q=a', '/star/7 ko'],
      ['/ko?page=2', '/ko/feed?offset=20', '/ko/star/1?tab=photos'],
    ];
    for (const key of [...typed, ...shared]) await first.get(key);
    await until(() => first.store.counts.stored === shared.length);
    const rows = await connection()<{ key: string }[]>`
      select key from stored_pages where build = 'typed' order by key`;
    expect(rows.map(({ key }) => key)).toEqual([...shared].sort());
  });

  for (const [fault, act] of [
    [
      'is locked',
      () =>
        connection().begin(async (tx) => {
          await tx`lock table stored_pages, invalidated_tags`;
          return survives();
        }),
    ],
    [
      'is emptied',
      async () => {
        await connection()`truncate stored_pages`;
        await survives();
      },
    ],
    [
      'is gone',
      async () => {
        await connection()`alter table stored_pages rename to taken_away`;
        try {
          await survives();
        } finally {
          await connection()`alter table taken_away rename to stored_pages`;
        }
      },
    ],
  ] as const) {
    test(`are rendered where the table ${fault}, soon and without an error`, async () => {
      const first = processOf();
      await first.get('/ko');
      await first.isStored();
      await act();
    });
  }

  async function survives(): Promise<void> {
    await letStatementsTake('1s');
    const process = processOf({ render: async () => 'rendered', patience: 250 });
    const startedAt = performance.now();
    expect(await process.read('/ko')).toBe('rendered');
    for (let page = 0; page < 20; page += 1) await process.read(`/ko/article/${page}`);
    await invalidate(['star:7']);
    expect(performance.now() - startedAt).toBeLessThan(10_000 * contention());
  }

  test('are found again after their connection was cut', async () => {
    const [first, second] = [processOf(), processOf()];
    await first.get('/ko');
    await first.isStored();
    await connection()`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'byeol-pages' and datname = current_database()`;
    await second.get('/ko/article/1');
    expect(second.rendered).toEqual(['/ko/article/1']);
    // A new connection may be later than a reader waits.
    await until(async () => {
      const third = processOf();
      await third.get('/ko');
      return third.rendered.length === 0;
    });
  });

  test('are not those of a process that hears nothing of the others: what it remembers may be out of date', async () => {
    let isConnected = false;
    const first = processOf({ isConnected: () => isConnected });
    await first.get('/ko/star/1');
    await first.isStored();
    isConnected = true;
    await first.get('/ko/star/2');
    await first.isStored();
    const second = processOf();
    for (const key of ['/ko/star/1', '/ko/star/2']) await second.get(key);
    expect(second.rendered).toEqual(['/ko/star/1']);
  });

  test('stay below their limit: what was not read for the longest time leaves', async () => {
    const first = processOf({
      render: async (key) => Array.from(crypto.getRandomValues(new Uint32Array(9_000)), String).join(key),
    });
    await leadPages('one', crypto.randomUUID());
    for (let page = 0; page < 20; page += 1) await first.get(`/ko/article/${page}`);
    await first.isStored();
    await connection()`update stored_pages set rendered_at = rendered_at - interval '1 hour'`;
    await connection()`insert into page_reads (key, reads) values ('/ko/article/3', 1)`;
    await sweepStoredPages(300_000);
    const rows = await connection()<{ key: string; size: number }[]>`
      select key, octet_length(body) + 3000 as size from stored_pages`;
    expect(rows.map(({ key }) => key)).toContain('/ko/article/3');
    const total = rows.reduce((sum, { size }) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(300_000);
    expect(total).toBeGreaterThan(200_000);
  });

  test('how often pages are read is kept of twenty thousand, whatever addresses are asked for', async () => {
    const { store } = processOf();
    for (let page = 0; page < 6_000; page += 1) store.countReads(`/ko/article/${page}`, 1);
    await settle();
    const count = async () =>
      (await connection()<{ count: number }[]>`select count(*)::int as count from page_reads`)[0]?.count;
    expect(await count()).toBe(5_000);
    await connection()`insert into page_reads (key, reads) select '/en/article/' || n, 9 from generate_series(1, 20000) n`;
    await sweepStoredPages(1_000_000);
    expect(await count()).toBe(20_000);
    expect(await connection()`select from page_reads where key like '/ko/%'`).toHaveLength(0);
  });

  test('of builds that serve no more are swept away, and so are those that are out of date', async () => {
    const [old, current] = [processOf({ build: 'old' }), processOf({ tags: ['star:1'] })];
    await old.get('/ko');
    await current.get('/ko/star/1');
    await Promise.all([old.isStored(), current.isStored()]);
    await leadPages('old', crypto.randomUUID());
    await leadPages('one', crypto.randomUUID());
    const count = async () =>
      (await connection()<{ build: string }[]>`select build from stored_pages order by build`).map(
        ({ build }) => build,
      );
    await sweepStoredPages(1_000_000);
    expect(await count()).toEqual(['old', 'one']);
    await invalidate(['star:1']);
    await connection()`update page_builds set leased_until = now() - interval '2 hours' where build = 'old'`;
    await sweepStoredPages(1_000_000);
    expect(await count()).toEqual([]);
  });
});

describe('pages are made before anybody asks', () => {
  const ahead: RenderAhead[] = [];
  afterAll(async () => {
    await Promise.all(ahead.map((each) => each.end()));
  });
  const lookAfter = (build: string, process: ReturnType<typeof processOf>) => {
    const looking = new RenderAhead(build, 1_000_000, process.store, process.background);
    ahead.push(looking);
    return looking;
  };

  test('by one process of a new build, those that were read most first', async () => {
    await connection()`truncate stored_pages, page_reads, page_builds`;
    const old = processOf({ build: 'before' });
    for (let time = 0; time < 3; time += 1)
      for (let hits = 0; hits < 64 * time + 1; hits += 1) await old.get(`/ko/article/${time}`);
    await old.store.end();
    const [leader, other] = [processOf({ build: 'after' }), processOf({ build: 'after' })];
    const leading = lookAfter('after', leader);
    await until(() => leader.rendered.length === 3);
    lookAfter('after', other);
    expect(leader.rendered).toEqual(['/ko/article/2', '/ko/article/1', '/ko/article/0']);
    await leader.isStored();
    await other.get('/ko/article/2');
    expect(other.rendered).toEqual([]);
    await leading.end();
    expect(await leadPages('after', crypto.randomUUID())).toBe(true);
  });

  test('below a quarter of a core', async () => {
    let working = 0;
    const startedAt = performance.now();
    const background = new BackgroundRenders(async () => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      working += 10;
    });
    background.add(Array.from({ length: 100 }, (_, page) => `/${page}`));
    await until(() => working >= 80, 60_000);
    background.end();
    expect(working / (performance.now() - startedAt)).toBeLessThan(0.3);
  });
});

describe('two processes of the site', () => {
  let first: TestServer;
  let second: TestServer;
  let article = 0;
  const read = async (server: TestServer, path: string) => {
    const response = await fetch(server.url + path);
    return { etag: response.headers.get('etag'), text: await response.text(), status: response.status };
  };
  const renders = async (server: TestServer) =>
    (await scrape(server.url)).value('byeol_page_renders_total') ?? 0;
  /** Where the store was late, what was made meanwhile is this process's own: it is made anew then. */
  const readUntilStored = (server: TestServer, paths: readonly string[], tags: readonly Tag[] = []) =>
    until(async () => {
      for (const path of paths) await read(server, path);
      await Bun.sleep(300);
      const rows = await connection()<{ key: string }[]>`
        select key from stored_pages p where key = any(${paths})
          and not exists (select from invalidated_tags i where i.tag = any(p.tags) and i.number > p.as_of)`;
      if (rows.length === paths.length) return true;
      await invalidate(['feed', 'pages', `article:${article}`, ...tags]);
      return false;
    }, 60_000);
  const start = () =>
    startTestServer({
      databaseUrl: database.url,
      settings: { PAGE_STORE_MB: '64', SITE_URL: 'https://byeol.example', JOBS: 'off' },
    });
  const titles = { ko: '제목', en: 'Title', ms: 'Tajuk', vi: 'Tựa' };

  beforeAll(async () => {
    await ensureBuilt();
    article = await makeArticle({ rewrites: titles });
    first = await start();
  }, 360_000);
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
  });

  test('a process that has just started answers what another rendered, and renders nothing', async () => {
    const paths = [
      '/ko',
      '/en',
      `/ko/article/${article}`,
      `/en/article/${article}`,
      '/ko/about',
      '/ko/rss.xml',
    ];
    const readAll = async (server: TestServer) => {
      const answers = [];
      for (const path of paths) answers.push(await read(server, path));
      return answers;
    };
    const answersOf = async (kind: 'found' | 'away') =>
      (await scrape(second.url)).value('byeol_page_store_answers_total', { kind });
    // One for whom the store was late has rendered what it did not wait for.
    const isLate = async () => ((await answersOf('away')) ?? 0) > 0;
    for (let starts = 0; starts === 0 || (starts < 8 && (await isLate())); starts += 1) {
      await second?.stop();
      await readUntilStored(first, paths);
      const answers = await readAll(first);
      // A start may take longer than the minute for which they are fresh, and whoever reads a stale one has it made anew.
      await connection()`update stored_pages set fresh_until = now() + interval '1 hour'`;
      second = await start();
      const sameAnswers = await readAll(second);
      if (!(await isLate())) expect(sameAnswers).toEqual(answers);
    }
    expect(await isLate()).toBe(false);
    expect(await renders(second)).toBe(0);
    expect(await answersOf('found')).toBe(paths.length);
  });

  test('a correction by one is shown by the other at once, and is there in four languages before anybody asks', async () => {
    const editor = await makeFan({ role: 'editor' });
    const paths = languages.map((lang) => `/${lang}/article/${article}`);
    await readUntilStored(first, paths);
    const draft = (title: string) => ({ title, summary: [title], content: title });
    const correct = async (time: number) => {
      const rewrites = Object.fromEntries(
        languages.map((lang) => [lang, draft(`Corrected ${lang} ${time}`)]),
      );
      const answer = await fetch(`${second.url}/api/admin/articles/${article}`, {
        method: 'PUT',
        headers: { ...bearer(editor.token), 'content-type': 'application/json' },
        body: JSON.stringify({ rewrites }),
      });
      expect(answer.status).toBe(200);
    };
    await correct(1);
    // Neither had these two in memory.
    for (const lang of ['ms', 'vi'])
      expect((await read(second, `/${lang}/article/${article}`)).text).toContain(`Corrected ${lang}`);
    const areThere = async () => {
      const [row] = await connection()<{ count: number }[]>`
        select count(*)::int as count from stored_pages p
        where key = any(${[...paths, ...languages.map((lang) => `/${lang}`)]})
          and not exists (select from invalidated_tags i where i.tag = any(p.tags) and i.number > p.as_of)`;
      return row?.count === 8;
    };
    /** Whether all of them are there in time. */
    const comeToBeThere = () =>
      until(areThere).then(
        () => true,
        () => false,
      );
    // What is made while the store rests, because it was late, is given to nobody: that of the next correction is.
    for (let time = 2; time < 6 && !(await comeToBeThere()); time += 1) await correct(time);
    expect(await areThere()).toBe(true);
  });

  test('rows that were changed by hand are shown by both after what the docs say', async () => {
    const path = `/en/article/${article}`;
    for (const server of [first, second]) await read(server, path);
    await connection()`update article_rewrites set title = 'By hand' where article_id = ${article} and language = 'en'`;
    const text = await Bun.file(join(root, 'docs/operating/pages.md')).text();
    const [, statement = ''] = text.match(/```sql\n(.*?)```/s) ?? [];
    expect(statement).toContain('article:7');
    await connection().unsafe(statement.replace('article:7', `article:${article}`));
    for (const server of [first, second])
      await until(async () => (await read(server, path)).text.includes('By hand'));
  });

  test('one page has one key, and a page beyond the end of a list is kept nowhere', async () => {
    const star = await makeStar();
    const [page, part] = [`/ko/star/${star}`, '/ko/feed?offset=1'];
    await read(first, part);
    await readUntilStored(first, [page], [`star:${star}`]);
    // Whoever rendered it anew would not find it.
    await connection()`update stars set hidden_at = now() where id = ${star}`;
    for (const value of ['?tab=poison', '?tab=', '?show=poison&category=poison', '?tab=timeline&x=1'])
      expect((await read(first, page + value)).status).toBe(200);
    const beyond = [
      '/ko/feed?offset=90001',
      '/ko/events?offset=90002',
      '/ko/events?tab=upcoming&offset=90003',
      '/ko/events/part?tab=trending&offset=90004',
      '/ko/events/part?tab=trending&category=poison-5',
      '/ko/events?category=poison-6',
      '/api/articles?offset=90007',
      '/api/stars?page=9008',
      '/api/events?offset=90009',
      '/api/events/trending?offset=90010',
      '/search?q=poison-11',
    ];
    for (const path of beyond) {
      const [{ headers, status }, again] = [await fetch(first.url + path), await fetch(first.url + path)];
      const kept = [headers, again.headers].filter(
        (each) => each.has('age') || each.has('cdn-cache-control') || each.has('cache-tag'),
      );
      expect([path, status, kept.length]).toEqual([path, 200, 0]);
    }
    await fetch(`${first.url}/star/${star}`);
    await readUntilStored(first, ['/ko/terms']);
    const rows = await connection()<{ key: string }[]>`
      select key from stored_pages where key like '%star%' or key like '%9000%'`;
    expect(rows.map(({ key }) => key)).toEqual([page]);
  });
});

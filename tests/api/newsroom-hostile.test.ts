import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import robotsParser from 'robots-parser';
import { config, setConfig } from '#api/config.ts';
import { readCsv } from '#api/directory/csv.ts';
import { type FetchRefused, guardedFetch } from '#api/media/guarded-fetch.ts';
import { advanceItem, collect } from '#api/newsroom/collect.ts';
import { crawl, ownRules } from '#api/newsroom/crawl.ts';
import { readFeedFile } from '#api/newsroom/feed.ts';
import { extractArticle } from '#api/newsroom/full-text.ts';
import { NameBook } from '#api/newsroom/names.ts';
import { checkRewrite } from '#api/newsroom/rewrite-check.ts';
import { addSource, readSources, testSource } from '#api/newsroom/sources.ts';
import { plainText, plainWords } from '#api/newsroom/text.ts';
import { connection } from '#db/client.ts';
import { storeFetch } from '#db/queries/newsroom/items.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { type Outlet, rss, startOutlet } from '#tests/kit/feeds.ts';
import { makeFan } from '#tests/kit/make.ts';

useDatabase();
let outlet: Outlet;
let editor: number;

beforeAll(async () => {
  outlet = startOutlet();
  editor = (await makeFan({ role: 'admin' })).id;
});
beforeEach(async () => {
  setConfig({ ...config(), fetchAllow: ['127.0.0.1/32'] });
  outlet.special.clear();
  await connection()`truncate sources, crawl_hosts, stories restart identity cascade`;
});
afterAll(() => outlet.stop());

const fetchOptions = { maxBytes: 1000, timeout: 60_000 };

describe('the guarded fetcher', () => {
  test.each([
    'http://localhost/rss',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/latest/meta-data',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://10.1.2.3/',
    'http://169.254.169.254/',
    'http://100.64.0.1/',
    'http://①②⑦.0.0.1/',
  ])('does not reach %s, however it is written', async (address) => {
    setConfig({ ...config(), fetchAllow: [] });
    await expect(guardedFetch(address, fetchOptions)).rejects.toMatchObject({ code: 'address' });
  });

  test.each([
    'ftp://outlet.example/',
    'file:///etc/passwd',
    'gopher://x/',
    'http://user:secret@outlet.example/',
    'rss',
  ])('knows no %s', async (address) => {
    await expect(guardedFetch(address, fetchOptions)).rejects.toMatchObject({ code: 'scheme' });
  });

  test.each([
    [
      'changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['says nothing', ''],
    ['promises an answer for ever', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
    ['stops in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  ])('has an end at a server that %s', async (_, words) => {
    const server = createServer((socket) =>
      socket
        .resume()
        .on('error', () => {})
        .write(words),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const closed = new Promise((done) => server.on('connection', (socket) => socket.on('close', done)));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    for (const body of [undefined, new Uint8Array(3)])
      expect(
        await guardedFetch(`http://127.0.0.1:${port}/`, {
          ...fetchOptions,
          timeout: 1_000,
          ...(body && { body }),
        }).catch((error: FetchRefused) => error.code),
      ).toMatch(/^(timeout|network)$/);
    await closed;
    server.close();
  });

  test('is refused by its size as soon as it says it', async () => {
    const server = createServer((socket) =>
      socket
        .resume()
        .on('error', () => {})
        .write('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n'),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    // The body never comes: who waited for it would be refused by the time.
    await expect(guardedFetch(`http://127.0.0.1:${port}/`, fetchOptions)).rejects.toMatchObject({
      code: 'size',
    });
    server.close();
  });

  test('gives redirects up after some, and checks each', async () => {
    outlet.special.set('/round', () => new Response(null, { status: 302, headers: { location: '/round' } }));
    const before = outlet.asked.length;
    await expect(guardedFetch(`${outlet.url}/round`, fetchOptions)).rejects.toMatchObject({
      code: 'redirects',
    });
    expect(outlet.asked.length - before).toBe(5);
    outlet.special.set('/in', () => Response.redirect('http://[::1]:5432/'));
    await expect(guardedFetch(`${outlet.url}/in`, fetchOptions)).rejects.toMatchObject({ code: 'address' });
  });

  test('reaches a private address that FETCH_ALLOW names, by that port and by no other', async () => {
    outlet.special.set('/rss', () => new Response('fine'));
    const { port } = new URL(outlet.url);
    const reached = async (address: string, ...fetchAllow: string[]) => {
      setConfig({ ...config(), fetchAllow });
      const outcome = guardedFetch(address, fetchOptions);
      return outcome.then(
        ({ status }) => status,
        (error: FetchRefused) => error.code,
      );
    };
    const here = `${outlet.url}/rss`;
    expect(await reached(here)).toBe('address');
    expect(await reached(here, `127.0.0.1:${port}`)).toBe(200);
    expect(await reached(`http://2130706433:${port}/rss`, `127.0.0.1:${port}`)).toBe(200);
    expect(await reached(`http://localhost:${port}/rss`, `localhost:${port}`)).toBe(200);
    expect(await reached(`http://LOCALHOST.:${port}/rss`, `localhost:${port}`)).toBe(200);
    expect(await reached(here, '10.0.0.0/8', '127.0.0.0/8')).toBe(200);
    expect(await reached(here, '127.0.0.1:1')).toBe('address');
    expect(await reached(here, `localhost:${port}`)).toBe('address');
    expect(await reached(here, '127.0.0.2/32', '::1/128')).toBe('address');
    expect(await reached(`http://[::1]:${port}/`, '127.0.0.0/8')).toBe('address');
  });

  test('follows a redirect only to what FETCH_ALLOW names too', async () => {
    const inside = startOutlet();
    inside.special.set('/secret', () => new Response('secret'));
    outlet.special.set('/in', () => Response.redirect(`${inside.url}/secret`));
    const portOf = ({ url }: Outlet) => new URL(url).port;
    setConfig({ ...config(), fetchAllow: [`127.0.0.1:${portOf(outlet)}`] });
    await expect(guardedFetch(`${outlet.url}/in`, fetchOptions)).rejects.toMatchObject({ code: 'address' });
    expect(inside.asked).toEqual([]);
    setConfig({ ...config(), fetchAllow: [outlet, inside].map((each) => `127.0.0.1:${portOf(each)}`) });
    expect((await guardedFetch(`${outlet.url}/in`, fetchOptions)).status).toBe(200);
    await inside.stop();
  });

  test('stores no source that is an address of another kind, and shows nothing of what is inside', async () => {
    setConfig({ ...config(), fetchAllow: [] });
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'http://a:b@outlet.example/rss', 'x'])
      await expect(testSource(address)).rejects.toMatchObject({ field: 'feedUrl' });
    expect(await testSource('http://localhost:5432/')).toMatchObject({ ok: false, code: 'address' });
  });

  test('stores no source that can never be public, and says why as its test does', async () => {
    setConfig({ ...config(), fetchAllow: [] });
    const add = (feedUrl: string) =>
      addSource(
        { feedUrl, outlet: 'Outlet', sourceLanguage: 'ko', fullText: true, intervalMinutes: 15 },
        editor,
      );
    for (const address of [
      'http://127.0.0.1:5432/',
      'http://2130706433/rss',
      'http://10.0.0.8/rss',
      'http://192.168.1.1/rss',
      'http://169.254.169.254/latest',
      'http://[::1]/rss',
      'http://[fd00::1]/rss',
      'http://[::ffff:127.0.0.1]/rss',
      'http://localhost/rss',
      'http://LOCALHOST./rss',
      'http://feed.localhost/rss',
    ]) {
      const refused = {
        message: `The host ${new URL(address).hostname.replace(/^\[|\]$/g, '')} is not public.`,
      };
      await expect(add(address)).rejects.toMatchObject({ ...refused, status: 400, field: 'feedUrl' });
      expect(await testSource(address)).toMatchObject({ ...refused, ok: false, code: 'address' });
    }
    setConfig({ ...config(), fetchAllow: ['127.0.0.1/32'] });
    await expect(add('http://10.0.0.8/rss')).rejects.toMatchObject({
      status: 400,
      code: 'address',
      field: 'feedUrl',
    });
    expect((await add(`${outlet.url}/rss`)).state).toBe('active');
    setConfig({ ...config(), fetchAllow: [] });
    expect((await add('https://tomorrow.invalid/rss')).state).toBe('active');
    expect((await add('https://8.8.8.8/rss')).state).toBe('active');
  });
});

/** A letter with so many marks above it and so many below. */
const manyMarks = (count: number) => `a${'\u0301'.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`;

describe('a robots.txt', () => {
  test('that names thousands, or has rules without end, is read for us alone', async () => {
    const before = process.cpuUsage();
    const names = Array.from({ length: 3_000 }, (_, n) => `User-agent: a${n}\nUser-agent: *\n`).join('');
    outlet.robots = `${names}${'Disallow: /x\n'.repeat(30_000)}`;
    outlet.special.set('/y', () => new Response('there'));
    expect(new TextDecoder().decode((await crawl(`${outlet.url}/y`)).body)).toBe('there');
    await expect(crawl(`${outlet.url}/x`)).rejects.toMatchObject({ code: 'robots' });
    const stars = ownRules(`User-agent: *\n${'Disallow: /*a*a*a*a*b$\n'.repeat(20_000)}`);
    robotsParser('https://outlet.example/robots.txt', stars).isAllowed(
      `https://outlet.example/${'a'.repeat(1_900)}`,
      'ByeolBot',
    );
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });

  test('says what it says to everybody, and to us by name', () => {
    const rulesFor = (text: string) => {
      const rules = robotsParser('https://outlet.example/robots.txt', ownRules(text));
      return ['/a', '/b'].map(
        (path) => rules.isAllowed(`https://outlet.example${path}`, 'ByeolBot') !== false,
      );
    };
    expect(rulesFor('User-agent: Other\nDisallow: /\n')).toEqual([true, true]);
    expect(rulesFor('user-agent: *\r\n\r\nDISALLOW : /a # why\r\n')).toEqual([false, true]);
    expect(
      rulesFor('User-agent: Other\nUser-agent: byeolbot/2.0\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n'),
    ).toEqual([true, false]);
    expect(rulesFor('User-agent: *\nDisallow: /a\nUser-agent: Other\nDisallow: /b')).toEqual([false, true]);
  });
});

describe('a feed', () => {
  const readItems = async (items: readonly string[], attributes = '') => {
    const xml = `<rss version="2.0"${attributes}><channel><title>x</title>${items.join('')}</channel></rss>`;
    const body = new TextEncoder().encode(xml);
    return (await readFeedFile({ body, headers: {}, url: 'https://outlet.example/rss' }, new Date())).entries;
  };
  const read = (links: readonly string[]) =>
    readItems(
      links.map((link, n) => `<item><title>소식 ${n}</title><link><![CDATA[${link}]]></link></item>`),
    );

  test('whose entries lead to scripts, files or with credentials has none of them', async () => {
    const bad = [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'https://user:secret@outlet.example/a',
      'http://[broken',
      `https://outlet.example/${'x'.repeat(3_000)}`,
    ];
    expect((await read([...bad, '/good?utm_source=x#y'])).map(({ canonicalUrl }) => canonicalUrl)).toEqual([
      'https://outlet.example/good',
    ]);
  });

  test('of very many entries is read in part, and one address counts once', async () => {
    expect(await read(Array.from({ length: 25_000 }, (_, n) => `/a/${n}`))).toHaveLength(100);
    expect(await read(Array.from({ length: 50 }, () => '/same'))).toHaveLength(1);
  });

  test('whose words or hosts are marks keeps nobody waiting', async () => {
    const before = process.cpuUsage();
    const entry = (link: string, words: string) =>
      `<item><title>소식</title><link><![CDATA[${link}]]></link><description><![CDATA[${words}]]></description></item>`;
    const [only, ...others] = await readItems([
      entry(`https://${manyMarks(60_000)}.example/`, '뒤'),
      entry('/a', manyMarks(199_000)),
    ]);
    expect([only?.text.length, others]).toEqual([30, []]);
    const page = `<html><head><title>t</title></head><body><article><p>${manyMarks(100_000)}</p></article></body></html>`;
    extractArticle({ body: new TextEncoder().encode(page), headers: {}, url: 'https://outlet.example/a' });
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });

  test('whose markup nests, or is all attributes, keeps nobody waiting', async () => {
    const before = process.cpuUsage();
    const text = (words: string, n: number) =>
      `<item><title>소식 ${n}</title><link>/${n}</link><description><![CDATA[앞 ${words}]]></description></item>`;
    const nested = [1, 2, 3, 4].map((n) => text('<b>'.repeat(100_000), n));
    expect((await readItems(nested)).map((entry) => entry.text)).toEqual(['앞', '앞', '앞', '앞']);
    const signs = await readItems([text('<'.repeat(900_000), 5)]);
    expect(signs[0]?.text).toHaveLength(30_000);
    const starts = [
      '<b ',
      '<a b',
      '</',
      '<!',
      '<!--',
      '<style>',
      '<ruby>',
      '<i>',
      '<b="',
      `<b${' '.repeat(9_000)}`,
    ];
    for (const start of starts) {
      const markup = start.repeat(200_000 / start.length);
      expect(`${plainText(markup)}${plainWords(markup)}`.length).toBeGreaterThan(0);
    }
    const hollow = `{"version":"https://jsonfeed.org/version/1.1","items":[${Array(200_000).fill('{}').join()}]}`;
    await expect(
      readFeedFile(
        { body: new TextEncoder().encode(hollow), headers: {}, url: 'https://outlet.example/' },
        new Date(),
      ),
    ).rejects.toMatchObject({ code: 'feed' });
    const attributes = Array.from({ length: 200_000 }, (_, n) => ` a${n}="x"`).join('');
    await expect(readItems([text('뒤', 6)], attributes)).rejects.toMatchObject({ code: 'feed' });
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });

  test('that cannot be stored counts as a failure of its source, which waits', async () => {
    outlet.special.set('/rss', () => new Response(rss([{ path: '/a', title: '소식', summary: '요약' }])));
    const source = { outlet: '신문', sourceLanguage: 'ko', fullText: true, intervalMinutes: 15 } as const;
    const { id } = await addSource({ ...source, feedUrl: `${outlet.url}/rss` }, editor);
    await connection()`alter table items add constraint none check (false) not valid`;
    try {
      expect(await collect(id)).toEqual([]);
    } finally {
      await connection()`alter table items drop constraint none`;
    }
    const [stored] = await readSources();
    expect(stored).toMatchObject({ failures: 1, lastError: 'internal: Something went wrong.' });
    expect(stored?.nextFetchAt.getTime()).toBeGreaterThan(Date.now() + 800_000);
  });

  test('that is a small file of ten unpacked megabytes is refused, not unpacked', async () => {
    const bomb = Bun.gzipSync(new Uint8Array(10 * 1024 * 1024));
    outlet.special.set('/rss', () => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }));
    const source = await addSource(
      {
        outlet: '폭탄',
        feedUrl: `${outlet.url}/rss`,
        sourceLanguage: 'ko',
        fullText: true,
        intervalMinutes: 15,
      },
      editor,
    );
    expect(await collect(source.id)).toEqual([]);
    expect((await readSources())[0]?.lastError).toStartWith('feed: ');
  });

  test('whose pages are huge or lead inside keeps its own words', async () => {
    const entry = (path: string, n: number) => ({
      path,
      title: `소식 ${n} 전혀 다른 이야기 ${'가나다라'[n]}`,
      summary: `짧은 요약 ${n}`,
    });
    const paths = ['/huge', '/inside', '/script', '/unclosed'];
    outlet.special.set(
      '/unclosed',
      () => new Response('<b>'.repeat(20_000), { headers: { 'content-type': 'text/html' } }),
    );
    outlet.special.set('/rss', () => new Response(rss(paths.map(entry))));
    outlet.special.set('/huge', () => new Response(`<p>${'가'.repeat(4_000_000)}`));
    outlet.special.set('/inside', () => Response.redirect('http://169.254.169.254/'));
    const script = `<article><p>${'<script>alert(1)</script>본문 <img src=x onerror=alert(1)> 문장이다. '.repeat(60)}</p></article>`;
    outlet.special.set(
      '/script',
      () => new Response(script, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    );
    const { id } = await addSource(
      {
        outlet: '신문',
        feedUrl: `${outlet.url}/rss`,
        sourceLanguage: 'ko',
        fullText: true,
        intervalMinutes: 15,
      },
      editor,
    );
    for (const item of await collect(id)) for (let n = 0; n < 3; n += 1) await advanceItem(item);
    const items = await connection()<{ text: string }[]>`select text from items order by id`;
    expect(items.slice(0, 2).map(({ text }) => text)).toEqual(['짧은 요약 0', '짧은 요약 1']);
    expect(items[2]?.text).toContain('문장이다.');
    expect(items[2]?.text).not.toMatch(/[<>]|alert/);
    expect(items[3]?.text).toBe('짧은 요약 3');
  });
});

describe('a page', () => {
  const sentence = '파도반이 12월 5일 잠실 무대에 오른다고 소속사 물결엔터가 밝혔다. ';
  const article = (html: string) =>
    extractArticle({
      body: new TextEncoder().encode(html),
      headers: {},
      url: 'https://outlet.example/a',
    });

  test.each([
    ['nests a thousand deep', '<div>'.repeat(1_000)],
    ['is all pictures', '<noscript><img src=a></noscript>'.repeat(25_000)],
  ])('that %s keeps nobody waiting, and is read up to there', (_, markup) => {
    const before = process.cpuUsage();
    const page = article(`<article><p>${sentence.repeat(20)}</p></article>${markup}${sentence.repeat(200)}`);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
    expect(page.text).toContain(sentence.trim());
  });

  test('with the menus, frames and depth of a real one is read to its end', () => {
    const menus = '<ul>'.concat('<li><a href="/x">메뉴 하나</a><img src=a></li>'.repeat(400), '</ul>');
    const body = Array.from({ length: 60 }, (_, n) => `<p>${n}: ${sentence.repeat(4)}</p>`).join('');
    const html = `<html><head><title>제목</title><meta name="Robots" content="index">
<meta name="robots" content="noai"><link rel="canonical" href="/b">${'<script>a < b</script>'.repeat(500)}</head>
<body><nav>${menus}</nav>${'<div>'.repeat(25)}<article>${body}</article>${'</div>'.repeat(25)}</body></html>`;
    expect(article(html.replace('noai', 'all')).text).toContain('59: 파도반');
    expect(article(html.replace('noai', 'all')).canonicalUrl).toBe('https://outlet.example/b');
    expect(article(html.replace('content="index"', 'content="noai"')).text).toBe('');
  });
});

test('a feed, an answer of the model or a cell whose signs are looked at again and again keeps nobody waiting', async () => {
  const before = process.cpuUsage();
  const doctypes = new TextEncoder().encode('<!DOCTYPE'.repeat(400_000));
  const file = { body: doctypes, headers: {}, url: 'https://outlet.example/feed' };
  await expect(readFeedFile(file, new Date())).rejects.toMatchObject({ code: 'feed' });
  const context = {
    language: 'en' as const,
    sourceLanguage: 'ko',
    source: '',
    book: new NameBook([]),
    mentionedNames: [],
  };
  for (const words of ['a@', 'a-', 'a.', '[', '\n', '\n[', 'www.', '!', '@a.'])
    checkRewrite({ title: 'T', summary: ['S'], body: words.repeat(20_000 / words.length) }, context);
  const csv = `words.en.name,height\nHan,"1${' '.repeat(300_000)}x"\n`;
  expect(readCsv(csv)[0]?.reasons.length).toBeGreaterThan(0);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  for (const text of ['mail me@host.example', 'see byeol.com', '[1]: x', '](', 'http://x'])
    expect(
      checkRewrite({ title: 'T', summary: ['S'], body: text }, context).problems.map(({ code }) => code),
    ).toContain('link');
});

test('who tells under the address of another source is corrected by that one, and takes nothing from it', async () => {
  const sql = connection();
  const add = async (feed: string) =>
    (
      await sql<
        { id: number }[]
      >`insert into sources (outlet, feed_url) values ('신문', ${feed}) returning id`
    )[0]?.id ?? 0;
  const [stranger, owner] = [
    await add('https://stranger.example/rss'),
    await add('https://feeds.outlet.example/rss'),
  ];
  const url = 'https://www.outlet.example/1';
  const told = (text: string) => [
    { url, canonicalUrl: url, title: '소식', text, digest: text, publishedAt: new Date() },
  ];
  const note = { etag: null, lastModified: null };
  const tellings = [
    [stranger, '꾸며 낸 이야기'],
    [owner, '자기 이야기'],
    [stranger, '또 꾸며 낸 이야기'],
  ] as const;
  const stored: unknown[] = [];
  for (const [source, text] of tellings) {
    await storeFetch(source, note, told(text));
    stored.push(...(await sql`select source_id, text from items where canonical_url = ${url}`));
  }
  expect(stored).toEqual([
    { source_id: stranger, text: '꾸며 낸 이야기' },
    { source_id: owner, text: '자기 이야기' },
    { source_id: owner, text: '자기 이야기' },
  ]);
});

test('two tellings more than 48 hours apart are two stories', async () => {
  const text = '파도반이 12월 5일 잠실 무대에 오른다고 소속사 물결엔터가 밝혔다. '.repeat(14);
  const [source] = await connection()<{ id: number }[]>`
    insert into sources (outlet, feed_url) values ('신문', 'https://outlet.example/rss') returning id`;
  const tell = async (hoursAgo: number) => {
    const [item] = await connection()<{ id: number }[]>`
      insert into items (source_id, stage, url, canonical_url, title, text, digest, published_at)
      values (${source?.id ?? 0}, 'collected', ${`https://outlet.example/${hoursAgo}`}, ${`https://outlet.example/${hoursAgo}`},
        '파도반, 12월 5일 잠실 콘서트', ${text}, 'x', now() - make_interval(hours => ${hoursAgo})) returning id`;
    return advanceItem(item?.id ?? 0);
  };
  const [late, early, near] = [await tell(0), await tell(49), await tell(30)];
  expect(early).not.toBe(late ?? 0);
  expect([late, early]).toContain(near ?? 0);
});

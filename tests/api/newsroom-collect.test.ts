import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { config, setConfig } from '#api/config.ts';
import { onInvalidation } from '#api/invalidation.ts';
import { advanceItem, collect } from '#api/newsroom/collect.ts';
import { crawl } from '#api/newsroom/crawl.ts';
import { decode, readFeedFile } from '#api/newsroom/feed.ts';
import { instantOf } from '#api/newsroom/feed-date.ts';
import { addSource, changeSource, readSources, testSource } from '#api/newsroom/sources.ts';
import { headlineOf, plainText, plainWords } from '#api/newsroom/text.ts';
import type { Tag } from '#api/tags.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { eucKr, type Outlet, rss, startOutlet } from '#tests/kit/feeds.ts';
import { makeArticle, makeFan } from '#tests/kit/make.ts';

useDatabase();
let outlet: Outlet;
let editor: number;

beforeAll(async () => {
  editor = (await makeFan({ role: 'admin' })).id;
});
beforeEach(async () => {
  setConfig({ ...config(), fetchAllow: ['127.0.0.1/32'] });
  outlet = startOutlet();
  await connection()`truncate sources, crawl_hosts, stories restart identity cascade`;
});
afterAll(() => outlet.stop());

const long = (text: string) =>
  Array.from({ length: 12 }, (_, n) => `${text} 그 ${n + 1}번째 이야기를 자세히 전합니다.`).join(' ');

async function source(path = '/rss', name = '무대뒤뉴스') {
  const added = await addSource(
    {
      outlet: name,
      feedUrl: `${outlet.url}${path}`,
      sourceLanguage: 'ko',
      fullText: true,
      intervalMinutes: 15,
    },
    editor,
  );
  return added.id;
}

const due = () => connection()`update sources set next_fetch_at = now()`;
const health = async () => (await readSources())[0];
const items = () =>
  connection()<
    { id: number; title: string; text: string; canonicalUrl: string; textOrigin: string; storyId: number }[]
  >`
    select id, title, text, canonical_url as "canonicalUrl", text_origin as "textOrigin", story_id as "storyId"
    from items order by id`;

describe('a feed', () => {
  test('is stored once, however often it is read, and asked for conditionally', async () => {
    outlet.stories = [
      { path: '/a/1', title: '파도반 & 하루치 신곡', summary: long('파도반 소식') },
      { path: '/a/2', title: '두 번째', summary: long('다른 소식') },
    ];
    const id = await source();
    expect(await collect(id)).toHaveLength(2);
    await due();
    expect(await collect(id)).toEqual([]);
    expect(await collect(id)).toEqual([]);
    const requests = outlet.asked.filter(({ path }) => path === '/rss');
    expect(requests.map(({ etag }) => etag !== null)).toEqual([false, true]);
    expect(requests[0]?.agent).toStartWith('ByeolBot/1.0 (+http');
    const stored = await items();
    expect(stored.map(({ title }) => title)).toEqual(['파도반 & 하루치 신곡', '두 번째']);
    expect(stored[0]?.canonicalUrl).toBe(`${outlet.url}/a/1`);
    expect(await health()).toMatchObject({ failures: 0, lastError: null, items: 2, itemsPerDay: 2 });
  });

  test('of Atom, with escaped markup in a headline, becomes plain text', async () => {
    outlet.stories = [
      {
        path: 'a/1',
        title: '<script>alert(1)</script>파도반 <b>컴백</b>',
        summary: '<img src=x onerror=alert(1)>본문',
      },
    ];
    await collect(await source('/atom'));
    expect(await items()).toMatchObject([
      { title: '파도반 컴백', text: '본문', canonicalUrl: `${outlet.url}/a/1` },
    ]);
  });

  test('in EUC-KR is read by its header or its prolog', async () => {
    const xml = rss([{ path: '/k/1', title: '심야버스 컴백', summary: '새 노래' }], 'euc-kr');
    outlet.special.set('/rss', () => new Response(eucKr(xml), { headers: { 'content-type': 'text/xml' } }));
    await collect(await source());
    expect(await items()).toMatchObject([{ title: '심야버스 컴백', text: '새 노래' }]);
    expect(decode(eucKr('가나'), 'text/html; charset=MS949')).toBe('가나');
    // What a server says of all its files is no word about this one.
    const says = 'text/xml; charset=utf-8';
    expect(decode(eucKr(xml), says)).toBe(xml);
    expect(decode(eucKr('<rss>가나'), says)).toBe('<rss>가나');
    expect(decode(eucKr('<meta charset="euc-kr">가나'), says)).toEndWith('가나');
    expect(decode(new TextEncoder().encode('가나'), 'text/xml; charset=euc-kr')).toBe('가나');
    expect(decode(new Uint8Array([0x61, 0xff, 0x62]), says)).toBe('a\u{fffd}b');
    expect(decode(new Uint8Array([0xfe, 0xff, 0xac, 0x00]), says)).toBe('가');
  });

  test.each([
    [
      'ends too soon',
      '<?xml version="1.0"?><rss version="2.0"><channel><item><title>하나</title><link>/x</link></item><item><title>둘',
    ],
    [
      'has bare ampersands and foreign entities',
      '<rss version="2.0"><channel><item><title>하나 & 둘&nbsp;</title><link>/x?a=1&b=2</link></item></channel></rss>',
    ],
    [
      'begins with junk',
      '\n\n<br>oops<?xml version="1.0"?><rss version="2.0"><channel><item><title>하나</title><link>/x</link></item></channel></rss>',
    ],
    [
      'has a doctype',
      '<?xml version="1.0"?><!DOCTYPE rss><rss version="2.0"><channel><item><title>하나</title><link>/x</link></item></channel></rss>',
    ],
    [
      'has control characters',
      '<rss version="2.0"><channel><item><title>하나\u0008</title><link>/x</link></item></channel></rss>',
    ],
  ])('that %s is still read', async (_, xml) => {
    const feed = await readFeedFile(
      { body: new TextEncoder().encode(xml), headers: {}, url: 'https://outlet.example/rss' },
      new Date(),
    );
    expect(feed.entries[0]?.title).toStartWith('하나');
    expect(feed.entries[0]?.url).toStartWith('https://outlet.example/x');
  });

  test('that changes an entry has it read again; another source cannot change it', async () => {
    outlet.stories = [{ path: '/a/1', title: '처음 제목', summary: long('하나') }];
    const id = await source();
    await collect(id);
    outlet.stories = [{ path: '/a/1', title: '고친 제목', summary: long('하나') }];
    await due();
    expect(await collect(id)).toHaveLength(1);
    expect((await items()).map(({ title }) => title)).toEqual(['고친 제목']);
    const other = await source('/atom', '다른곳');
    outlet.stories = [{ path: '/a/1', title: '남의 제목', summary: long('하나') }];
    expect(await collect(other)).toEqual([]);
    expect((await items()).map(({ title }) => title)).toEqual(['고친 제목']);
  });

  test('knows an entry again whose page calls itself otherwise', async () => {
    const tell = (title: string) => {
      outlet.stories = [{ path: '/short/1', title, summary: '짧은 요약' }];
    };
    outlet.special.set(
      '/short/1',
      () =>
        new Response(
          `<link rel="canonical" href="/long/one"><article>${'<p>파도반이 돌아온다. </p>'.repeat(40)}</article>`,
          { headers: { 'content-type': 'text/html; charset=utf-8' } },
        ),
    );
    tell('처음 제목');
    const id = await source();
    const [item = 0] = await collect(id);
    await advanceItem(item);
    expect((await items()).map(({ canonicalUrl }) => canonicalUrl)).toEqual([`${outlet.url}/long/one`]);
    tell('고친 제목');
    // The feed may tell it by both addresses at once.
    outlet.stories.push({ path: '/long/one', title: '고친 제목', summary: '짧은 요약' });
    await due();
    expect(await collect(id)).toEqual([item]);
    expect((await items()).map(({ title }) => title)).toEqual(['고친 제목']);
  });

  test('is stored though a headline or a text is cut within a character', async () => {
    outlet.stories = [{ path: '/a/1', title: `${'가'.repeat(299)}🎤`, summary: `${'나'.repeat(29_999)}🎤` }];
    expect(await collect(await source())).toHaveLength(1);
    const [item] = await items();
    expect([item?.title.length, item?.text.length]).toEqual([299, 29_999]);
  });

  test('leaves old entries out and takes no date from the future', async () => {
    const now = Date.now();
    outlet.stories = [
      { path: '/old', title: '지난주', summary: '…', publishedAt: new Date(now - 7 * 86_400_000) },
      { path: '/new', title: '내일', summary: '…', publishedAt: new Date(now + 86_400_000) },
    ];
    await collect(await source());
    const [row] = await connection()<{ at: string }[]>`select published_at as at from items`;
    expect(Date.parse(row?.at ?? '')).toBeLessThan(Date.now() + 1000);
    expect(await items()).toHaveLength(1);
  });

  test('dates without a zone are Korean', () => {
    const now = new Date('2026-12-01T00:00:00Z');
    for (const text of [
      '2026-11-20 18:30:00',
      '2026.11.20 18:30:00',
      '2026.11.20. 18:30',
      '2026. 11. 20. (금) 오후 6:30',
      '2026년 11월 20일 오후 6시 30분',
      '2026-11-20 오후 6:30',
      '2026-11-20 6:30 PM',
      '20261120183000',
      '202611201830',
      'Fri, 20 Nov 2026 18:30:00',
      'Fri, 20 Nov 2026 18:30:00 KST',
      'Fri, 20 Nov 2026 09:30:00 GMT',
      'Fri, 20 Nov 2026 18:30:00 GMT+0900',
      'Fri, 20 Nov 2026 18:30:00 +0900 (KST)',
      'Fri Nov 20 2026 18:30:00 GMT+0900 (Korean Standard Time)',
      '2026-11-20T18:30:00+09:00',
      '2026-11-20T09:30:00.000Z',
    ]) {
      expect([text, instantOf(text, now)?.toISOString()]).toEqual([text, '2026-11-20T09:30:00.000Z']);
    }
    expect(instantOf('2026-08-03 9:05', now)?.toISOString()).toBe('2026-08-03T00:05:00.000Z');
    expect(instantOf('2026-08-03 오전 12:05', now)?.toISOString()).toBe('2026-08-02T15:05:00.000Z');
    expect(instantOf('20260803', now)?.toISOString()).toBe('2026-08-02T15:00:00.000Z');
  });

  test('takes no date of an entry for today that it cannot read, and says so at its source', async () => {
    const now = new Date();
    for (const text of [undefined, '', ' ']) expect(instantOf(text, now)).toBe(now);
    for (const text of ['gestern', '03-08-2026', '2026-13-03', '2026-08-03 25:00', '9'.repeat(90)])
      expect([text, instantOf(text, now)]).toEqual([text, undefined]);
    const entry = (n: number, date: string) =>
      `<item><title>소식 ${n}</title><link>/a/${n}</link>${date}</item>`;
    const answer = (...entries: string[]) =>
      outlet.special.set(
        '/rss',
        () =>
          new Response(`<rss version="2.0"><channel><title>x</title>${entries.join('')}</channel></rss>`, {
            headers: { etag: '"1"' },
          }),
      );
    const unread = entry(1, '<pubDate>gestern</pubDate>');
    answer(unread, entry(2, ''));
    const id = await source();
    expect(await collect(id)).toHaveLength(1);
    expect((await items()).map(({ title }) => title)).toEqual(['소식 2']);
    const said = 'dates: Entries are left out, because their dates cannot be read: “gestern”.';
    for (let n = 0; n < 2; n += 1) {
      expect(await health()).toMatchObject({ failures: 1, lastError: said });
      expect((await health())?.nextFetchAt.getTime()).toBeLessThan(Date.now() + 16 * 60_000);
      await due();
      await collect(id);
    }
    // Asked conditionally, the feed would say that nothing is new, and its source would seem well.
    expect(outlet.asked.map(({ etag }) => etag)).toEqual([null, null, null, null]);
    answer(unread);
    await due();
    await collect(id);
    expect(await health()).toMatchObject({ failures: 2, lastError: said });
    expect(await testSource(`${outlet.url}/rss`)).toMatchObject({ ok: false, code: 'dates' });
  });

  test('may put titles into angle brackets, which are no markup', async () => {
    const read = async (body: string) => {
      const file = { body: new TextEncoder().encode(body), headers: {}, url: 'https://outlet.example/rss' };
      return (await readFeedFile(file, new Date())).entries.map(({ title, text }) => [title, text]);
    };
    const entry = (n: number, title: string, text: string) =>
      `<item><title>${title}</title><link>/${n}</link><description>${text}</description></item>`;
    const entries = [
      entry(1, '카리나, &lt;SBS 인기가요&gt; 1위', '&lt;p&gt;둘은 &lt;SBS 인기가요&gt;에&lt;/p&gt;'),
      entry(
        2,
        '<![CDATA[아이유 <Love wins all> <b>발매</b>]]>',
        '<![CDATA[<p>곡 &lt;Love wins all&gt;<br>끝</p>]]>',
      ),
      entry(
        3,
        '윤하, &amp;lt;Style Icon Awards&amp;gt; 참석 소감',
        '<![CDATA[<Style Icon Awards>에 왔다 <style>p{}</style>]]>',
      ),
      entry(4, '<![CDATA[<Head Over Heels> 제작발표회]]>', '<![CDATA[<STYLE>과 <Ruby>를 냈다]]>'),
    ];
    const expected = [
      ['카리나, <SBS 인기가요> 1위', '둘은 <SBS 인기가요>에'],
      ['아이유 <Love wins all> 발매', '곡 <Love wins all>\n\n끝'],
      ['윤하, <Style Icon Awards> 참석 소감', '<Style Icon Awards>에 왔다'],
      ['<Head Over Heels> 제작발표회', '<STYLE>과 <Ruby>를 냈다'],
    ];
    expect(await read(`<rss version="2.0"><channel>${entries.join('')}</channel></rss>`)).toEqual(expected);
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">${entries.join('')}</rdf:RDF>`;
    expect(await read(rdf)).toEqual(expected);
    const json = {
      version: 'https://jsonfeed.org/version/1.1',
      items: [
        { id: '1', url: '/1', title: '태연 <I> 발매', content_text: '<p>와 <Love wins all>은 <b>곡</b>' },
        { id: '2', url: '/2', title: '<em>새</em> <U>', content_html: '<p><Love wins all></p><img src=x>' },
      ],
    };
    expect(await read(JSON.stringify(json))).toEqual([
      ['태연 <I> 발매', '<p>와 <Love wins all>은 곡'],
      ['새 <U>', '<Love wins all>'],
    ]);
  });

  test.each([
    ['<a href="x">가</a> <font color=red>나</font><br/>다<SPAN\n>라</SPAN >', '가 나 다라', '가 나\n\n다라'],
    ['<script>x<b>y</script>가', '<script>x<b>y</script>가', '가'],
    [
      '<iframe src="x" allowfullscreen></iframe><video controls>x</video><o:p></o:p><section><my-box id=a>가</my-box></section>',
      undefined,
      'x\n\n가',
    ],
    ['<img alt src="<b>" onerror=alert(1)>가', undefined, '가'],
    ['3 <b and c> d <?> <!주의> </ e', '3 <b and c> d <?> <!주의> </ e', '3 <b and c> d <?> <!주의> </ e'],
    ['가 <!-- 나 -->다 <img src="', undefined, '가 다'],
  ])('has of %s the words', (markup, words, text) => {
    if (words !== undefined) expect(headlineOf(markup)).toBe(words);
    expect(plainText(markup)).toBe(text);
    expect(plainWords(markup)).not.toBe('');
  });
});

describe('a hostile feed', () => {
  const refusedAs = async (code: string) => {
    const id = await source();
    expect(await collect(id)).toEqual([]);
    expect((await health())?.lastError).toStartWith(`${code}: `);
    expect((await health())?.failures).toBe(1);
    expect(await collect(id)).toEqual([]);
  };

  test('that is huge is cut off', async () => {
    outlet.special.set('/rss', () => new Response('<rss>'.padEnd(6 * 1024 * 1024, 'x')));
    await refusedAs('size');
  });

  test('that leads to a private address is refused', async () => {
    outlet.special.set('/rss', () => Response.redirect('http://169.254.169.254/latest/meta-data'));
    await refusedAs('address');
  });

  test('that leads to a file is refused', async () => {
    outlet.special.set(
      '/rss',
      () => new Response(null, { status: 302, headers: { location: 'file:///etc/passwd' } }),
    );
    await refusedAs('scheme');
  });

  test('that defines entities is refused before it is parsed', async () => {
    outlet.special.set(
      '/rss',
      () =>
        new Response(`<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "${'ha'.repeat(50)}"><!ENTITY x SYSTEM "file:///etc/passwd">]>
          <rss version="2.0"><channel><item><title>&a;&x;</title><link>/x</link></item></channel></rss>`),
    );
    await refusedAs('entities');
  });

  test('that is none at all is said so', async () => {
    outlet.special.set('/rss', () => new Response('<html><body>점검 중</body></html>'));
    await refusedAs('feed');
  });

  test('that answers slowly is given up', async () => {
    outlet.special.set(
      '/rss',
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(50);
              controller.enqueue(new TextEncoder().encode('x'));
            },
          }),
        ),
    );
    expect(crawl(`${outlet.url}/rss`, { timeout: 400 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('that nests as deep as no news does is read down to there', () => {
    const nested = (depth: number) => `<p>앞</p>${'<div>'.repeat(depth)}안${'</div>'.repeat(depth)}<p>뒤</p>`;
    expect(plainText(nested(80))).toBe('앞\n\n안\n\n뒤');
    expect(plainText(nested(10_000))).toBe('앞');
  });
});

describe('politeness', () => {
  test('what robots.txt forbids is not asked for', async () => {
    outlet.robots = 'User-agent: *\nDisallow: /rss\n';
    const id = await source();
    await collect(id);
    expect((await health())?.lastError).toStartWith('robots: ');
    expect(outlet.asked.map(({ path }) => path)).toEqual(['/robots.txt']);
  });

  test('a redirect to another site asks the robots.txt of that one, and stops where it forbids', async () => {
    const other = startOutlet();
    try {
      outlet.special.set('/x', () => Response.redirect(`${other.url}/y`));
      other.special.set('/y', () => new Response('there'));
      other.robots = 'User-agent: *\nDisallow: /y\n';
      await expect(crawl(`${outlet.url}/x`)).rejects.toMatchObject({ code: 'robots' });
      expect(other.asked.map(({ path }) => path)).toEqual(['/robots.txt']);
      outlet.special.set('/z', () => Response.redirect(`${other.url}/w`));
      other.special.set('/w', () => new Response('there'));
      expect(new TextDecoder().decode((await crawl(`${outlet.url}/z`)).body)).toBe('there');
    } finally {
      await other.stop();
    }
  });

  test('a redirect within a site needs no second turn there', async () => {
    outlet.robots = 'User-agent: *\nCrawl-delay: 30\nDisallow: /z\n';
    outlet.special.set('/x', () => Response.redirect(`${outlet.url}/y`));
    outlet.special.set('/y', () => new Response('there'));
    expect(new TextDecoder().decode((await crawl(`${outlet.url}/x`)).body)).toBe('there');
    await connection()`update crawl_hosts set next_at = now()`;
    outlet.special.set('/x', () => Response.redirect(`${outlet.url}/z`));
    await expect(crawl(`${outlet.url}/x`)).rejects.toMatchObject({ code: 'robots' });
  });

  /** A turn is waited for when it is twenty seconds away: ten that this machine stands still would bring it near enough. */
  const putTurnOff = () => connection()`update crawl_hosts set next_at = next_at + interval '5 minutes'`;

  test('to wait for a turn is no failure of a page, nor of a feed', async () => {
    outlet.robots = 'User-agent: *\nCrawl-delay: 30\n';
    outlet.stories = [{ path: '/a/1', title: '하나', summary: '짧은 요약', page: ['x '.repeat(300)] }];
    const [id = 0] = await collect(await source());
    await putTurnOff();
    for (let n = 0; n < 5; n += 1) expect(await advanceItem(id)).toBeUndefined();
    const waiting =
      await connection()`select stage, attempts, next_try_at > now() + interval '20 seconds' as later from items`;
    expect(waiting).toMatchObject([{ stage: 'collected', attempts: 0, later: true }]);
    expect(await collect(await source('/atom', '다른곳'))).toEqual([]);
    const [other] =
      await connection()`select failures, last_error, next_fetch_at > now() as later from sources
      where outlet = '다른곳'`;
    expect(other).toMatchObject({ failures: 0, last_error: null, later: true });
    await connection()`update crawl_hosts set next_at = now()`;
    expect(await advanceItem(id)).toBeNumber();
    expect(await items()).toMatchObject([{ textOrigin: 'page' }]);
  });

  test('who waits too long for a turn goes on with the words of the feed', async () => {
    outlet.robots = 'User-agent: *\nCrawl-delay: 30\n';
    outlet.stories = [{ path: '/a/1', title: '하나', summary: '짧은 요약', page: ['x '.repeat(300)] }];
    const [id = 0] = await collect(await source());
    await putTurnOff();
    // First seen long ago, changed just now.
    await connection()`update items set created_at = now() - interval '1 day'`;
    expect(await advanceItem(id)).toBeUndefined();
    await connection()`update items set updated_at = now() - interval '16 minutes'`;
    expect(await advanceItem(id)).toBeNumber();
    expect(await items()).toMatchObject([{ textOrigin: 'feed', text: '짧은 요약' }]);
  });

  test('a robots.txt that cannot be had forbids for now', async () => {
    outlet.special.set(
      '/robots.txt',
      () => new Response('x', { status: 503, headers: { 'retry-after': '3600' } }),
    );
    await collect(await source());
    expect((await health())?.lastError).toStartWith('later: ');
    expect((await health())?.nextFetchAt.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
  });

  test('requests to one host keep the distance that it wishes, also from several processes at once', async () => {
    outlet.robots = 'User-agent: *\nCrawl-delay: 1\n';
    outlet.special.set('/x', () => new Response('ok'));
    const began = performance.now();
    await Promise.all([1, 2, 3].map(() => crawl(`${outlet.url}/x`)));
    const times = outlet.asked.filter(({ path }) => path === '/x').map(({ at }) => at - began);
    expect(times).toHaveLength(3);
    // None comes before its turn; a machine that stood still sends those together whose turns have come meanwhile.
    for (const [n, at] of times.sort((a, b) => a - b).entries()) expect(at).toBeGreaterThan(n * 1_000 - 50);
  });

  test('a failing source waits longer each time, and a paused one is left alone', async () => {
    outlet.special.set('/rss', () => new Response('x', { status: 500 }));
    const id = await source();
    const waits: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      await due();
      await collect(id);
      waits.push(((await health())?.nextFetchAt.getTime() ?? 0) - Date.now());
    }
    expect(waits.map((wait) => Math.round(wait / 60_000))).toEqual([15, 30, 60]);
    await changeSource(id, { state: 'paused' }, editor);
    await due();
    const before = outlet.asked.length;
    await collect(id);
    expect(outlet.asked).toHaveLength(before);
    await changeSource(id, { state: 'active' }, editor);
    expect((await health())?.nextFetchAt.getTime()).toBeLessThan(Date.now() + 1000);
  });

  test('the guard holds where FETCH_ALLOW names nothing', async () => {
    setConfig({ ...config(), fetchAllow: [] });
    expect(await testSource(`${outlet.url}/rss`)).toMatchObject({ ok: false, code: 'address' });
    expect(outlet.asked).toEqual([]);
  });
});

test('a source can be tested without being stored, and is known once', async () => {
  outlet.stories = [{ path: '/a/1', title: '하나', summary: long('긴 본문이 있는 소식으로') }];
  expect(await testSource(`${outlet.url}/rss`)).toMatchObject({
    ok: true,
    title: '무대뒤뉴스',
    entries: [{ title: '하나', url: `${outlet.url}/a/1?utm_source=rss` }],
    fullText: true,
  });
  expect(await readSources()).toEqual([]);
  await source();
  expect(source()).rejects.toMatchObject({ code: 'known', status: 409 });
  expect(testSource('ftp://x')).rejects.toMatchObject({ field: 'feedUrl' });
});

describe('the text of an item', () => {
  test('is read from its page where the feed has only a summary', async () => {
    outlet.stories = [
      {
        path: '/a/1',
        title: '파도반 컴백',
        summary: '짧은 요약',
        page: ['파도반이 돌아온다. '.repeat(20), '둘째 문단이다. '.repeat(20)],
      },
    ];
    const [id = 0] = await collect(await source());
    await advanceItem(id);
    const [item] = await items();
    expect(item?.textOrigin).toBe('page');
    expect(item?.text).toContain('둘째 문단이다.');
    expect(item?.text).not.toContain('gotcha');
    expect(item?.text).not.toContain('처음');
  });

  test('stays the feed’s where the page is forbidden or gone', async () => {
    outlet.robots = 'User-agent: *\nDisallow: /a/\n';
    outlet.stories = [
      { path: '/a/1', title: '하나', summary: '짧은 요약', page: ['x '.repeat(300)] },
      { path: '/b/2', title: '전혀 다른 둘', summary: '다른 요약' },
    ];
    for (const id of await collect(await source())) expect(await advanceItem(id)).toBeGreaterThan(0);
    expect((await items()).map(({ text }) => text).sort()).toEqual(['다른 요약', '짧은 요약']);
    expect(outlet.asked.map(({ path }) => path)).not.toContain('/a/1');
  });
});

describe('near-duplicates', () => {
  const entry = (title: string, summary: string, path: string) => ({ title, summary, path });

  test('of several sources are one story; another piece of news is another', async () => {
    const text = long('파도반이 12월 5일 잠실 무대에 오른다고 소속사 물결엔터가 밝혔다.');
    outlet.stories = [entry('파도반, 12월 5일 잠실 콘서트 개최', text, '/a/1')];
    outlet.special.set(
      '/other',
      () =>
        new Response(
          rss([entry('[공식] 파도반 12월 5일 잠실서 콘서트 연다', `${text} 현장에서 전합니다.`, '/o/1')]),
        ),
    );
    outlet.special.set(
      '/third',
      () =>
        new Response(
          rss([
            entry('심야버스, 신곡 뮤직비디오 공개', long('심야버스가 새 뮤직비디오를 내놓았다.'), '/t/1'),
          ]),
        ),
    );
    const ids = [];
    for (const [path, name] of [
      ['/rss', 'ㄱ'],
      ['/other', 'ㄴ'],
      ['/third', 'ㄷ'],
    ] as const)
      ids.push(...(await collect(await source(path, name))));
    const stories = await Promise.all(ids.map((id) => advanceItem(id)));
    expect(stories[0]).toBe(stories[1] ?? 0);
    expect(stories[2]).not.toBe(stories[0] ?? 0);
    expect(await connection()`select 1 from stories`).toHaveLength(2);
  });

  test('the same words about another star with other texts stay apart', async () => {
    outlet.stories = [
      entry(
        '파도반, 12월 콘서트 개최',
        '파도반 다섯 사람이 올해의 마지막 무대를 준비한다. 너울은 새 안무를 짰고 윤슬은 편곡을 맡았다. 공연은 이틀 동안 이어진다.'.repeat(
          4,
        ),
        '/a/1',
      ),
      entry(
        '하루치, 12월 콘서트 개최',
        '솔로 가수가 혜화동 소극장에서 어쿠스틱 밴드와 함께 관객 백 명을 만난다고 알려졌다. 예매 시작은 다음 주다.'.repeat(
          4,
        ),
        '/a/2',
      ),
    ];
    const stories = [];
    for (const id of await collect(await source())) stories.push(await advanceItem(id));
    expect(new Set(stories).size).toBe(2);
  });

  test('of a story that was published are told to its page, which names the outlets', async () => {
    const text = long('파도반이 12월 5일 잠실 무대에 오른다고 소속사 물결엔터가 밝혔다.');
    outlet.stories = [entry('파도반, 12월 5일 잠실 콘서트 개최', text, '/a/1')];
    outlet.special.set(
      '/other',
      () => new Response(rss([entry('파도반, 12월 5일 잠실 콘서트 개최 확정', text, '/o/1')])),
    );
    const [first = 0] = await collect(await source('/rss', 'ㄱ'));
    const story = await advanceItem(first);
    const article = await makeArticle();
    await connection()`update stories set stage = 'published', article_id = ${article} where id = ${story ?? 0}`;
    const [second = 0] = await collect(await source('/other', 'ㄴ'));
    const told: Tag[] = [];
    const ignore = await onInvalidation(
      (tags) => void told.push(...tags),
      () => {},
    );
    expect(await advanceItem(second)).toBe(story ?? 0);
    expect(told).toContain(`article:${article}`);
    await ignore();
  });

  test('an item that is advanced twice is in one story', async () => {
    outlet.stories = [entry('하나', long('하나'), '/a/1')];
    const [id = 0] = await collect(await source());
    await Promise.all([advanceItem(id), advanceItem(id), advanceItem(id)]);
    expect(await connection()`select 1 from stories`).toHaveLength(1);
  });
});

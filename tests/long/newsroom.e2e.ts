import { test as base, expect, type Page } from '@playwright/test';
import postgres from 'postgres';
import { type Lang, languages, translated } from '#content/locales.ts';
import { type AiStandIn, type Asked, startAi } from '#tests/kit/ai.ts';
import { expectAccessible } from '#tests/kit/browser.ts';
import { leaveTestCluster } from '#tests/kit/cluster.ts';
import { type Outlet, startOutlet } from '#tests/kit/feeds.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';
import { startWorker, type Worker } from '#tests/kit/worker.ts';

interface Newsroom {
  server: TestServer;
  outlet: Outlet;
  ai: AiStandIn;
  /** Lets a worker with these settings work, alone. */
  work(settings?: Record<string, string>): Promise<void>;
  /** Ends the worker: jobs wait for the next one. */
  rest(): Promise<void>;
}

const day = new Date(Date.now() + 33 * 86_400_000 + 9 * 3_600_000).toISOString().slice(0, 10);
const when = `모하진은 ${Number(day.slice(5, 7))}월 ${Number(day.slice(8))}일 오후 5시 광화문 별빛홀에서 팬미팅을 연다.`;
const titles = {
  ...translated(() => 'MO HAJIN winter fan meeting'),
  ko: '모하진 겨울 팬미팅',
  ms: 'Jumpa peminat musim sejuk MO HAJIN',
  vi: 'Fan meeting mùa đông của MO HAJIN',
};
const headline = '모하진, 겨울 팬미팅 확정… 광화문서 만난다';

function readEvents(request: Asked): string | undefined {
  if (request.kind !== 'events' || !request.prompt.includes(when)) return undefined;
  const claim = {
    type: 'fan_meeting',
    title: titles,
    date: day,
    time: '17:00',
    zone: 'Asia/Seoul',
    venue: { ...translated(() => 'Byeolbit Hall'), ko: '광화문 별빛홀' },
    stars: ['모하진'],
    evidence: { date: when, time: when, venue: when, type: when },
  };
  return JSON.stringify({ events: [claim] });
}
const bodyText = '신인 그룹 오로라가 다음 달 홍대에서 첫 단독 공연을 연다고 알려졌다. '.repeat(12);

/** The built site that runs no jobs, an outlet, a model, and a worker when a test asks for one. */
const test = base.extend<object, { newsroom: Newsroom }>({
  newsroom: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from its first parameter.
    async ({}, use) => {
      const outlet = startOutlet();
      const ai = startAi();
      ai.answer = readEvents;
      const server = await startTestServer({ settings: { JOBS: 'off' } });
      let worker: Worker | undefined;
      const stopWorker = async () => {
        await worker?.end('SIGTERM');
        worker = undefined;
      };
      const work = async (settings: Record<string, string> = {}) => {
        await stopWorker();
        worker = await startWorker(server.databaseUrl, {
          NODE_ENV: 'test',
          FETCH_ALLOW: '127.0.0.1/32',
          ...settings,
        });
      };
      await use({ server, outlet, ai, work, rest: stopWorker });
      await stopWorker();
      await server.stop();
      await outlet.stop();
      await ai.stop();
      await leaveTestCluster();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ newsroom }, use) => use(newsroom.server.url),
});

const sources = '/admin?tab=tools&tool=sources&lang=en';

/** Fills in the form of a source as an admin does, and sends it. */
async function sendSource(page: Page, feedUrl: string, outletName: string): Promise<void> {
  await page.goto(sources);
  await page.getByLabel('Feed URL (RSS, Atom)').fill(feedUrl);
  await page.locator('#outlet').fill(outletName);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

/**
 * Adds a feed by the form. The built site keeps no address that it never reaches, such as that of the outlet of this test (decision
 * S10): it is told a public one, which is exchanged while no worker runs. The next one, which may reach its own machine, reads it.
 */
async function addSource(
  page: Page,
  { server, rest }: Newsroom,
  feedUrl: string,
  outletName: string,
): Promise<void> {
  await rest();
  const outletUrl = `https://outlet.example${new URL(feedUrl).pathname}`;
  await sendSource(page, outletUrl, outletName);
  await expect(page.locator('.admin-saved')).toContainText('Saved.');
  const sql = postgres(server.databaseUrl, { max: 1 });
  const updatedSources =
    await sql`update sources set feed_url = ${feedUrl} where feed_url = ${outletUrl} returning id`;
  expect(updatedSources).toHaveLength(1);
  await sql.end();
}

/** A read of the database that is true, after a while. */
async function read<Row extends object>(
  server: TestServer,
  query: (sql: postgres.Sql) => Promise<Row[]>,
): Promise<Row> {
  const sql = postgres(server.databaseUrl, { max: 1 });
  let row: Row | undefined;
  await expect(async () => {
    [row] = await query(sql);
    expect(row).toBeDefined();
  }).toPass({ intervals: [100] });
  await sql.end();
  if (!row) throw new Error('nothing came');
  return row;
}

test('an editor sees in every language which step a story waits for, since when and why', async ({
  page,
  newsroom: { server },
}) => {
  await signIn(page.context(), server, 'editor');
  const sql = postgres(server.databaseUrl, { max: 1 });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const make = async (state: Record<string, string | number>) => {
    const [story] = await sql<
      { id: number }[]
    >`insert into stories ${sql({ next_try_at: later, ...state })} returning id`;
    const address = `https://outlet.example/${story?.id}`;
    const [source] = await sql<{ id: number }[]>`
      insert into sources (outlet, feed_url) values ('무대뒤뉴스', ${address}) returning id`;
    await sql`insert into items (source_id, stage, story_id, url, canonical_url, title, text, digest, published_at)
      values (${source?.id ?? 0}, 'grouped', ${story?.id ?? 0}, ${address}, ${address}, '새 소식', '본문', 'x', now())`;
    return story?.id ?? 0;
  };
  const busy = await make({ stage: 'waiting', reason: 'limited', attempts: 2 });
  await sql`insert into story_drafts (story_id, language, title, summary, content) values (${busy}, 'ko', '새', '소', '식')`;
  const states: [id: number, said: Record<Lang, string[]>][] = [
    [
      await make({ stage: 'waiting', reason: 'budget' }),
      {
        ko: ['재작성 중: ko, en, ms, vi · ', '오늘 AI 예산을 다 썼어요', '다시 진행해요'],
        en: ['Writing: ko, en, ms, vi · since ', 'Today’s AI budget is used up', 'Goes on '],
        ms: ['Sedang ditulis: ko, en, ms, vi · sejak ', 'Bajet AI hari ini sudah habis', 'Disambung pada '],
        vi: ['Đang viết: ko, en, ms, vi · từ ', 'Đã hết ngân sách AI hôm nay', 'Tiếp tục lúc '],
      },
    ],
    [
      busy,
      {
        ko: ['재작성 중: en, ms, vi · ', 'AI 서버가 바빠요', '2번 실패했어요', '다시 진행해요'],
        en: ['Writing: en, ms, vi · since ', 'The AI endpoint is busy', '2 failed tries', 'Goes on '],
        ms: [
          'Sedang ditulis: en, ms, vi · sejak ',
          'Pelayan AI sedang sibuk',
          'Gagal 2 kali',
          'Disambung pada ',
        ],
        vi: ['Đang viết: en, ms, vi · từ ', 'Máy chủ AI đang bận', 'Đã thất bại 2 lần', 'Tiếp tục lúc '],
      },
    ],
    [
      await make({ stage: 'held', reason: 'names' }),
      {
        ko: ['편집자를 기다려요', '이름이 틀렸거나 빠졌어요'],
        en: ['Waiting for an editor · since ', 'A name is wrong or missing'],
        ms: ['Menunggu editor · sejak ', 'Ada nama salah atau tertinggal'],
        vi: ['Chờ biên tập viên · từ ', 'Tên sai hoặc thiếu'],
      },
    ],
    [
      await make({ stage: 'new', next_try_at: new Date().toISOString() }),
      {
        ko: ['스타 찾는 중 · ', '실행 중인 작업 프로세스가 없어요'],
        en: ['Finding its stars · since ', 'No worker is running'],
        ms: ['Mencari bintangnya · sejak ', 'Tiada proses kerja yang berjalan'],
        vi: ['Đang tìm sao liên quan · từ ', 'Không có tiến trình xử lý nào đang chạy'],
      },
    ],
    [
      await make({ stage: 'published', event_stage: 'pending', event_attempts: 1, reason: 'timeout' }),
      {
        ko: ['일정 찾는 중 · ', 'AI 응답이 너무 오래 걸려요', '1번 실패했어요'],
        en: ['Looking for events · since ', 'The AI endpoint takes too long', '1 failed try'],
        ms: ['Mencari acara · sejak ', 'AI mengambil masa terlalu lama', 'Gagal 1 kali'],
        vi: ['Đang tìm sự kiện · từ ', 'AI trả lời quá lâu', 'Đã thất bại 1 lần'],
      },
    ],
  ];
  for (const [id, said] of states) {
    for (const lang of languages) {
      await page.goto(`/admin/stories/${id}?lang=${lang}`);
      for (const each of said[lang]) await expect(page.locator('[data-step]')).toContainText(each);
    }
  }
  await page.goto('/admin?tab=tools&tool=stories&stage=waiting&lang=en');
  const row = page.locator('.admin-row').filter({ has: page.locator(`a[href^="/admin/stories/${busy}?"]`) });
  await expect(row).toContainText('Writing: en, ms, vi · since ');
  await expect(row).toContainText('The AI endpoint is busy · 2 failed tries · Goes on ');
  await expectAccessible(page);
  await sql`delete from items where story_id = any(${states.map(([id]) => id)})`;
  await sql`delete from stories where id = any(${states.map(([id]) => id)})`;
  await sql.end();
});

test('an editor says with one press whom a name means, and the story goes on', async ({
  page,
  newsroom: { server },
}) => {
  await signIn(page.context(), server, 'editor');
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [story] = await sql<{ id: number }[]>`
    insert into stories (stage, reason, details) values ('held', 'namesakes', 'It is open whom these names mean: 벨.') returning id`;
  const id = story?.id ?? 0;
  await sql`insert into story_candidates (story_id, name, star_id, score)
    select ${id}, '벨', id, 52 from stars where name in ('벨', '서리')`;
  await page.goto(`/admin/stories/${id}?lang=en`);
  await expect(page.locator('[data-step]')).toContainText('A name may mean several stars');
  await expect(page.locator('main')).not.toContainText('It is open whom');
  const choice = page.getByRole('group', { name: '벨' });
  await expect(choice.getByRole('button')).toHaveCount(3);
  await expectAccessible(page);
  // By what else they are told apart: their numbers and categories.
  for (const [button, category] of [
    ['BELL', 'Idol'],
    ['SEORI', 'Idol'],
  ] as const)
    await expect(choice.getByRole('button', { name: button })).toHaveText(
      new RegExp(` · \\d+ · ${category}$`),
    );
  await choice.getByRole('button', { name: 'BELL SIMYA BUS' }).click();
  await expect(page.locator('.admin-saved')).toBeVisible();
  await expect(choice).toHaveCount(0);
  await expect(page.locator('[name="starIds"]')).toHaveValue(/^\d+ BELL$/);
  expect(await sql`select stage, reason from stories where id = ${id}`).toMatchObject([
    { stage: 'waiting', reason: null },
  ]);
  await sql`delete from stories where id = ${id}`;
  await sql.end();
});

test('a source is added, tested and paused, and a story of it, written by hand without any model, is read and withdrawn in four languages', async ({
  page,
  newsroom,
}) => {
  const { server, outlet, work } = newsroom;
  outlet.stories = [{ path: '/h/1', title: '오로라, 첫 단독 공연', summary: bodyText }];
  await signIn(page.context(), server, 'admin');
  // The site itself, other than the worker of this test, reaches nothing on its own machine (decision S10).
  await page.goto('/admin?tab=tools&tool=sources&lang=ms');
  const feedUrl = page.locator('#feedUrl');
  await feedUrl.fill(`${outlet.url}/rss`);
  await page.getByRole('button', { name: 'Uji' }).click();
  const sentence = 'Alamat ini bukan di internet awam, jadi tidak dapat dibaca.';
  await expect(page.getByRole('alert')).toHaveText(sentence);
  await expect(feedUrl).toHaveAttribute('aria-invalid', 'true');
  await expect(feedUrl).toHaveAccessibleDescription(`${sentence} The host 127.0.0.1 is not public.`);
  await expect(page.locator('#feedUrl-problem [lang=en]')).toHaveText('The host 127.0.0.1 is not public.');
  await expect(feedUrl).toHaveValue(`${outlet.url}/rss`);
  for (const address of [`${outlet.url}/rss`, 'http://10.0.0.1/feed']) {
    await sendSource(page, address, '닿지 않는 신문');
    await expect(
      page.getByRole('alert').getByText('This address isn’t on the public internet, so it can’t be read.'),
    ).toBeVisible();
    await expect(page.getByLabel('Feed URL (RSS, Atom)')).toHaveValue(address);
    await expect(page.locator('main')).not.toContainText('닿지 않는 신문');
  }
  expect(outlet.asked).toEqual([]);
  await addSource(page, newsroom, `${outlet.url}/rss`, '손글씨신문');
  const row = page.locator('.admin-list > li').filter({ hasText: '손글씨신문' });
  await expect(row).toContainText('Not read yet');

  await work();
  const story = await read(
    server,
    (sql) => sql<{ id: number }[]>`
    select id from stories where stage = 'held' or (stage = 'waiting' and reason = 'no_ai')`,
  );
  await page.goto(sources);
  await expect(row).toContainText('Healthy');
  await expect(row).toContainText('1 a day');
  await row.getByRole('button', { name: 'Pause' }).click();
  await expect(row).toContainText('Paused');

  await page.goto('/admin?tab=tools&tool=stories&stage=held&lang=en');
  await page.getByRole('link', { name: '오로라, 첫 단독 공연' }).click();
  await expect(page.locator('.admin-lead')).toContainText('Mentions none of our stars');
  await page.getByLabel('All stars (numbers, separated by commas)').fill('1');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectAccessible(page);
  for (const lang of languages) {
    const part = page
      .locator('details.admin-language')
      .filter({ has: page.locator(`[name="title.${lang}"]`) });
    if ((await part.getAttribute('open')) === null) await part.locator('summary').click();
    await part.locator(`[name="title.${lang}"]`).fill(`By hand ${lang}`);
    await part.locator(`[name="summary.${lang}"]`).fill('One.');
    await part
      .locator(`[name="content.${lang}"]`)
      .fill('A **text** <script>alert(1)</script> [x](javascript:alert(1))');
    await part.getByRole('button', { name: /^Save this language/ }).click();
    await expect(page.locator('.admin-saved')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Edit article' }).click();
  const id = Number(new URL(page.url()).pathname.split('/').pop());
  expect(story.id).toBeGreaterThan(0);
  for (const lang of languages) {
    expect((await page.request.get(`/${lang}/article/${id}`)).status()).toBe(200);
    const text = await (await page.request.get(`/${lang}/article/${id}`)).text();
    expect(text).toContain(`By hand ${lang}`);
    expect(text).toContain('오로라, 첫 단독 공연');
    // Nobody but a person wrote it (decision P4).
    expect(text).not.toContain('id="how-made"');
    expect(text).not.toMatch(/<script>alert|href="javascript:/);
  }

  for (const lang of languages) await page.locator(`[name="note.${lang}"]`).fill(`Because ${lang}`);
  await page.getByRole('button', { name: 'Withdraw article' }).click();
  await expect(page.getByRole('alert')).toContainText('It hasn’t been withdrawn yet.');
  expect((await page.request.get(`/en/article/${id}`)).status()).toBe(200);
  await page.getByRole('button', { name: 'Yes, withdraw it' }).click();
  await expect(page.locator('.admin-lead')).toContainText('Withdrawn');
  for (const [lang, title] of [
    ['ko', '철회한 기사예요'],
    ['en', 'This story was withdrawn'],
    ['ms', 'Berita ini telah ditarik balik'],
    ['vi', 'Bài viết này đã được gỡ'],
  ] as const) {
    await expect(async () => {
      expect((await page.goto(`/${lang}/article/${id}`))?.status()).toBe(410);
    }).toPass();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.locator('main')).toContainText(`Because ${lang}`);
    await expect(page.locator('main')).not.toContainText('By hand');
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
    await expect(page.locator('main').getByRole('link').first()).toHaveAttribute('href', `/${lang}`);
  }
});

test('news from a feed is read by a fan in four languages and its event approved by an admin', async ({
  page,
  browser,
  newsroom,
  baseURL,
}) => {
  const { server, outlet, ai, work } = newsroom;
  outlet.stories = [
    {
      path: '/a/1',
      title: headline,
      summary: '배우 모하진이 팬들을 만난다.',
      page: [
        `배우 모하진이 올겨울 팬들과 만난다. ${when}`,
        '소속사는 이번 자리가 두 시간가량 이어지며 낭독과 대화로 채워진다고 설명했다. 예매는 다음 주 화요일에 시작된다.',
      ],
    },
  ];
  await signIn(page.context(), server, 'admin');
  await addSource(page, newsroom, `${outlet.url}/atom`, '별빛신문');
  await work({ AI_BASE_URL: ai.url, AI_MODEL: ai.model });
  const fan = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage();
  const { id } = await read(
    server,
    (sql) => sql<{ id: number }[]>`
    select s.article_id as id from stories s join items i on i.story_id = s.id
    where s.stage = 'published' and s.event_stage = 'done' and i.title = ${headline}`,
  );

  for (const [lang, title] of [
    ['ko', '모하진의 다음 걸음이 정해졌다'],
    ['en', 'MO HAJIN sets out on a new chapter'],
    ['ms', 'MO HAJIN membuka lembaran baharu'],
    ['vi', 'MO HAJIN mở ra một chương mới'],
  ] as const) {
    await fan.goto(`/${lang}`);
    await fan.locator(`a[href="/${lang}/article/${id}"]`).first().click();
    await expect(fan.getByRole('heading', { level: 1 })).toHaveText(title);
    const howMade = fan.locator('#how-made');
    await expect(howMade).toContainText('stand-in-1');
    await expect(howMade).toContainText('별빛신문');
    await expect(howMade).toContainText(headline);
    if (lang === 'ms') await expectAccessible(fan);
  }

  const event = await read(
    server,
    (sql) => sql<{ id: number }[]>`
    select id from events where source_article_id = ${id}`,
  );
  expect((await fan.request.get(`/api/events/${event.id}`)).status()).toBe(404);
  await page.goto(`/admin/events/verification?lang=ko&search=${encodeURIComponent(titles.ko)}`);
  const row = page.locator('.verify-row').filter({ hasText: titles.ko });
  await expect(row).toContainText('98%');
  await expect(row).toContainText(when);
  await expect(row.locator('[data-check="dateNamed"]')).toHaveText('문장에 그 날짜가 있어요');
  await expect(row.locator('[data-passed="false"]')).toHaveCount(0);
  await row.getByRole('button', { name: /^승인/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '승인' }).click();
  await expect(row).toHaveCount(0);
  for (const lang of languages) {
    await expect(async () => {
      await fan.goto(`/${lang}/events/${event.id}`);
      await expect(fan.locator('main')).toContainText(titles[lang], { timeout: 500 });
    }).toPass();
  }
  await fan.context().close();
});

import { test as base, expect } from '@playwright/test';
import postgres from 'postgres';
import { type AiStandIn, type Asked, startAi } from '#tests/kit/ai.ts';
import { expectAccessible } from '#tests/kit/browser.ts';
import { leaveTestCluster } from '#tests/kit/cluster.ts';
import { type Outlet, startOutlet } from '#tests/kit/feeds.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';
import { startWorker } from '#tests/kit/worker.ts';

interface Newsroom {
  server: TestServer;
  outlet: Outlet;
  ai: AiStandIn;
}

const day = new Date(Date.now() + 33 * 86_400_000 + 9 * 3_600_000).toISOString().slice(0, 10);
const when = `모하진은 ${Number(day.slice(5, 7))}월 ${Number(day.slice(8))}일 오후 5시 광화문 별빛홀에서 팬미팅을 연다.`;
const titles = {
  ko: '모하진 겨울 팬미팅',
  en: 'MO HAJIN winter fan meeting',
  ms: 'Jumpa peminat musim sejuk MO HAJIN',
  vi: 'Họp fan mùa đông của MO HAJIN',
};
const headline = '모하진, 겨울 팬미팅 확정… 광화문서 만난다';

function readEvents(asked: Asked): string | undefined {
  if (asked.kind !== 'events') return undefined;
  const claim = {
    type: 'fan_meeting',
    title: titles,
    date: day,
    time: '17:00',
    zone: 'Asia/Seoul',
    venue: { ko: '광화문 별빛홀', en: 'Byeolbit Hall', ms: 'Byeolbit Hall', vi: 'Byeolbit Hall' },
    stars: ['모하진'],
    evidence: { date: when, time: when, venue: when, type: when },
  };
  return JSON.stringify({ events: [claim] });
}

/** The built site that runs no jobs, a worker, an outlet and a model. */
const test = base.extend<object, { newsroom: Newsroom }>({
  newsroom: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from its first parameter.
    async ({}, use) => {
      const outlet = startOutlet();
      const ai = startAi();
      ai.answer = readEvents;
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
      const server = await startTestServer({ settings: { JOBS: 'off' } });
      const worker = await startWorker(server.databaseUrl, {
        NODE_ENV: 'test',
        FETCH_LOOPBACK: 'on',
        AI_BASE_URL: ai.url,
        AI_MODEL: ai.model,
      });
      await use({ server, outlet, ai });
      await worker.end('SIGTERM');
      await server.stop();
      await outlet.stop();
      await ai.stop();
      await leaveTestCluster();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ newsroom }, use) => use(newsroom.server.url),
});

test('news from a feed is read by a fan in four languages and its event approved by an admin', async ({
  page,
  browser,
  newsroom: { server, outlet },
  baseURL,
}) => {
  test.setTimeout(180_000);
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`insert into sources (outlet, feed_url) values ('별빛신문', ${`${outlet.url}/rss`})`;
  const fan = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage();
  let id = 0;
  await expect(async () => {
    const [row] = await sql<{ id: number }[]>`
      select article_id as id from stories where stage = 'published' and event_stage = 'done'`;
    id = row?.id ?? 0;
    expect(id).toBeGreaterThan(0);
  }).toPass({ timeout: 90_000 });

  for (const [lang, title] of [
    ['ko', '모하진의 다음 걸음이 정해졌다'],
    ['en', 'MO HAJIN sets out on a new chapter'],
    ['ms', 'MO HAJIN membuka lembaran baharu'],
    ['vi', 'MO HAJIN mở ra một chương mới'],
  ] as const) {
    await fan.goto(`/${lang}`);
    await fan.locator(`a[href="/${lang}/article/${id}"]`).first().click();
    await expect(fan.getByRole('heading', { level: 1 })).toHaveText(title);
    const made = fan.locator('#how-made');
    await expect(made).toContainText('stand-in-1');
    await expect(made).toContainText('별빛신문');
    await expect(made).toContainText(headline);
    if (lang === 'ms') await expectAccessible(fan);
  }

  const [event] = await sql<{ id: number }[]>`select id from events where source_article_id = ${id}`;
  expect((await fan.request.get(`/api/events/${event?.id}`)).status()).toBe(404);
  await signIn(page.context(), server, 'admin');
  await page.goto(`/admin/events/verification?lang=ko&search=${encodeURIComponent(titles.ko)}`);
  const row = page.locator('.verify-row').filter({ hasText: titles.ko });
  await expect(row).toContainText('98%');
  await expect(row).toContainText(when);
  await row.getByRole('button', { name: /^승인/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '승인' }).click();
  await expect(row).toHaveCount(0);
  for (const lang of ['ko', 'en', 'ms', 'vi'] as const) {
    await expect(async () => {
      await fan.goto(`/${lang}/events/${event?.id}`);
      await expect(fan.locator('main')).toContainText(titles[lang], { timeout: 500 });
    }).toPass({ timeout: 5_000 });
  }
  await fan.context().close();
  await sql.end();
});

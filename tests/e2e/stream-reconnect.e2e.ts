import type { Page } from '@playwright/test';
import { expect, test } from '#tests/kit/browser.ts';
import { bubbles, fillChannel, newFan, newStar } from '#tests/kit/channel.ts';
import { type FlakyProxy, startFlakyProxy } from '#tests/kit/flaky-proxy.ts';
import type { TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';

/** A reader's page whose clock stands still unless it is told the time, and whose line to the server can fail. */
async function readOverLine(page: Page, line: FlakyProxy, starId: number) {
  let streams = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/stream')) streams += 1;
  });
  await page.clock.install();
  await page.goto(`${line.url}/en/community/${starId}`);
  await isLive(page);
  // Long enough to come in time on a busy machine, short enough that the stream is trusted still. One that came late stands already.
  await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 5000))).toPass();
  // What a slow start has given up does not count.
  streams = 1;
  return { streams: () => streams };
}

const isLive = (page: Page) => expect(page.locator('.chat-bar[data-connection="live"]')).toBeAttached();

/** Events as browsers send them when one comes back to a page: several at once. */
const comeBack = (page: Page, times = 1) =>
  page.evaluate((count) => {
    for (let time = 0; time < count; time += 1) {
      document.dispatchEvent(new Event('visibilitychange'));
      dispatchEvent(new Event('focus'));
      dispatchEvent(new Event('pageshow'));
    }
  }, times);

/** Somebody elsewhere, whose messages reach the server at once. */
async function farFan(server: TestServer, starId: number, browser: Parameters<typeof newFan>[0]) {
  const { token, context } = await newFan(browser, server, { member: starId });
  return {
    async says(content: string) {
      const answer = await context.request.post(`/api/community/channels/${starId}/messages`, {
        headers: { authorization: `Bearer ${token}` },
        data: { content },
      });
      expect(answer.status()).toBeLessThan(300);
    },
    leave: () => context.close(),
  };
}

test('a stream that goes silent without an end is missed by its heartbeat, and what was said in the silence comes once', async ({
  browser,
  page,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 1);
  const fan = await farFan(server, star.id, browser);
  const line = await startFlakyProxy(server.url);
  const { streams } = await readOverLine(page, line, star.id);
  await fan.says('before');
  await expect(bubbles(page)).toHaveText([/^message 1/, 'before']);

  line.silence();
  await fan.says('in the silence');
  // Two heartbeats of the server are missing: that may be a slow network.
  await page.clock.runFor(18_000);
  await expect(bubbles(page)).toHaveCount(2);
  expect(streams()).toBe(1);
  await page.clock.runFor(4000);
  await expect
    .poll(async () => {
      await page.clock.runFor(250);
      return streams();
    })
    .toBe(2);
  await expect(bubbles(page)).toHaveText([/^message 1/, 'before', 'in the silence']);
  await isLive(page);
  await fan.says('after');
  await expect(bubbles(page)).toHaveText([/^message 1/, 'before', 'in the silence', 'after']);
  expect(streams()).toBe(2);
  await fan.leave();
  await line.close();
});

test('whoever comes back to the page, or to the network, is connected at once and only once', async ({
  browser,
  page,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 1);
  const fan = await farFan(server, star.id, browser);
  const line = await startFlakyProxy(server.url);
  const { streams } = await readOverLine(page, line, star.id);

  // A stream that lives, and was heard since the clock stands, is left in peace.
  await fan.says('before');
  await expect(bubbles(page)).toHaveText([/^message 1/, 'before']);
  await comeBack(page, 20);
  await fan.says('alive');
  await expect(bubbles(page)).toHaveText([/^message 1/, 'before', 'alive']);
  expect(streams()).toBe(1);

  // One that was silent for longer than a heartbeat is not waited for, and its successor is left in peace again.
  line.silence();
  await fan.says('while away');
  await page.clock.runFor(12_000);
  expect(streams()).toBe(1);
  await comeBack(page, 20);
  await expect(bubbles(page)).toHaveText([/^message 1/, 'before', 'alive', 'while away']);
  await isLive(page);
  expect(streams()).toBe(2);

  // A tab in the background hears of the network, too.
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { configurable: true, value: true }));
  line.cut();
  await expect(page.locator('.chat-bar[data-connection="waiting"]')).toBeAttached();
  await fan.says('without a network');
  line.mend();
  await comeBack(page);
  await expect(page.locator('.chat-bar[data-connection="waiting"]')).toBeAttached();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await isLive(page);
  await expect(bubbles(page)).toHaveText([
    /^message 1/,
    'before',
    'alive',
    'while away',
    'without a network',
  ]);
  expect(streams()).toBe(3);
  await fan.leave();
  await line.close();
});

test('streams that are cut as soon as they begin are begun less and less often', async ({ page, server }) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 1);
  let [streams, ended] = [0, 0];
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/stream')) ended += 1;
  });
  await page.route('**/stream', (route) => {
    streams += 1;
    return route.fulfill({
      contentType: 'text/event-stream',
      body: `event: hello\ndata: ${JSON.stringify({ lastEventId: 1, memberCount: 0, activeUsers: 0, slowModeSeconds: 0 })}\n\n`,
    });
  });
  await page.clock.install();
  await page.goto(`/en/community/${star.id}`);
  await expect(page.locator('.chat[data-live]')).toBeVisible();
  // From here on only the seconds that are counted pass, however long each takes here.
  await page.clock.pauseAt(Date.now() + 10_000);
  const before = streams;
  for (let second = 0; second < 30; second += 1) {
    await page.clock.runFor(1000);
    await expect.poll(() => ended).toBe(streams);
  }
  expect(streams).toBeGreaterThan(3);
  expect(streams - before).toBeLessThan(14);
});

test('whoever reads in the channel of a star that an editor hides is told that it is not there', async ({
  page,
  context,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 1);
  await page.goto(`/en/community/${star.id}`);
  await isLive(page);
  const { token } = await signIn(context, server, 'editor');
  const hidden = await context.request.post(`/api/admin/stars/${star.id}/hide`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(hidden.status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'Channel not found' })).toBeVisible();
  await expect(page.locator('.chat')).toHaveCount(0);
});

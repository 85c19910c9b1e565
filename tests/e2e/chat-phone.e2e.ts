import { expect, test } from '#tests/kit/browser.ts';
import { bubbles, fillChannel, newFan, newStar, openChannel, say } from '#tests/kit/channel.ts';

/** The chat on a phone whose network comes and goes. */
test.use({ locale: 'en-GB', viewport: { width: 360, height: 740 } });

const phone = { viewport: { width: 360, height: 740 } };

test('without a network the channel keeps its header, and the message box stays on the screen', async ({
  browser,
  server,
}) => {
  const { page, context } = await newFan(browser, server, { member: 1, options: phone });
  await openChannel(page, 1);
  const ground = () => page.locator('.header').evaluate((header) => getComputedStyle(header).backgroundColor);
  await expect(page.locator('.chat textarea')).toBeVisible();
  const before = await ground();
  await context.setOffline(true);
  await expect(page.locator('#offline')).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.chat-form')).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(740);
  expect((await page.locator('.channel-head').boundingBox())?.y).toBe(0);
  expect(await ground()).toBe(before);
  // In a low window the page scrolls, so that the messages keep room.
  await page.setViewportSize({ width: 360, height: 400 });
  await expect.poll(() => page.locator('.channel').evaluate((channel) => channel.clientHeight)).toBe(640);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThanOrEqual(640);
  await page.evaluate(() => scrollTo(0, 240));
  await expect
    .poll(() => page.locator('#offline').evaluate((line) => Math.round(line.getBoundingClientRect().bottom)))
    .toBe(400);
  await context.close();
});

test('who was at the end is at the end again after the network was away', async ({ browser, server }) => {
  test.slow();
  const star = await newStar(server);
  await fillChannel(server, star.id, 40);
  const one = await newFan(browser, server, { member: star.id, options: phone });
  const other = await newFan(browser, server, { member: star.id });
  await openChannel(one.page, star.id);
  await openChannel(other.page, star.id);
  const gap = () =>
    one.page
      .locator('.chat-live .chat-log')
      .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await expect(one.page.locator('.chat textarea')).toBeVisible();
  await one.context.setOffline(true);
  await say(one.page, 'mine');
  for (let number = 1; number <= 12; number += 1) {
    await say(other.page, `meanwhile ${number}`);
    await expect(bubbles(other.page).last()).toHaveText(`meanwhile ${number}`);
  }
  await one.context.setOffline(false);
  await expect(bubbles(one.page).last()).toHaveText('mine', { timeout: 20_000 });
  await expect(one.page.locator('.message-unsent, .message-sending')).toHaveCount(0, { timeout: 20_000 });
  await expect(bubbles(other.page).last()).toHaveText('mine');
  await expect(bubbles(one.page).filter({ hasText: 'meanwhile 12' })).toBeInViewport();
  await expect.poll(gap).toBeLessThan(2);

  // Nor is anything pulled away from under one who reads further up.
  await one.page.locator('.chat-live .chat-log').hover();
  await one.page.mouse.wheel(0, -1200);
  await expect(one.page.getByRole('button', { name: 'Jump to the latest message' })).toBeVisible();
  await one.context.setOffline(true);
  await say(other.page, 'unseen');
  await expect(bubbles(other.page).last()).toHaveText('unseen');
  await one.context.setOffline(false);
  await expect(one.page.getByRole('button', { name: '1 new message' })).toBeVisible({ timeout: 20_000 });
  expect(await gap()).toBeGreaterThan(500);
  for (const { context } of [one, other]) await context.close();
});

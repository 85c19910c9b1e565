import { expect, test, withMotion } from '#tests/kit/browser.ts';
import { bubbles, fillChannel, newFan, newStar, openChannel, say } from '#tests/kit/channel.ts';
import { setFontSize } from '#tests/kit/reflow.ts';

/** The chat on a phone whose network comes and goes. */
test.use({ ...withMotion, locale: 'en-GB', viewport: { width: 360, height: 740 } });

const phone = { viewport: { width: 360, height: 740 } };

test('without a network the channel keeps its header, and the message box stays on the screen', async ({
  browser,
  server,
}) => {
  const { page, context } = await newFan(browser, server, { member: 1, options: phone });
  await openChannel(page, 1);
  const ground = () => page.locator('.header').evaluate((header) => getComputedStyle(header).backgroundColor);
  await expect(page.locator('.chat textarea')).toBeVisible();
  const groundBefore = await ground();
  await context.setOffline(true);
  await expect(page.locator('#offline')).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.chat-form')).toBeInViewport({ ratio: 1 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(740);
  expect((await page.locator('.channel-head').boundingBox())?.y).toBe(0);
  await expect.poll(ground).toBe(groundBefore);
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
  const firstFan = await newFan(browser, server, { member: star.id, options: phone });
  const secondFan = await newFan(browser, server, { member: star.id });
  await openChannel(firstFan.page, star.id);
  await openChannel(secondFan.page, star.id);
  const gap = () =>
    firstFan.page
      .locator('.chat-live .chat-log')
      .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await expect(firstFan.page.locator('.chat textarea')).toBeVisible();
  await firstFan.context.setOffline(true);
  await say(firstFan.page, 'mine');
  for (let number = 1; number <= 12; number += 1) {
    await say(secondFan.page, `meanwhile ${number}`);
    await expect(bubbles(secondFan.page).last()).toHaveText(`meanwhile ${number}`);
  }
  // Shown is not stored yet: what the server takes last stands last.
  await expect(secondFan.page.locator('.message-sending')).toHaveCount(0);
  await firstFan.context.setOffline(false);
  await expect(bubbles(firstFan.page).last()).toHaveText('mine');
  await expect(firstFan.page.locator('.message-unsent, .message-sending')).toHaveCount(0);
  await expect(bubbles(secondFan.page).last()).toHaveText('mine');
  await expect(bubbles(firstFan.page).filter({ hasText: 'meanwhile 12' })).toBeInViewport();
  await expect.poll(gap).toBeLessThan(2);

  // Nor is anything pulled away from under one who reads further up.
  await firstFan.page.locator('.chat-live .chat-log').hover();
  await firstFan.page.mouse.wheel(0, -1200);
  await expect(firstFan.page.getByRole('button', { name: 'Jump to the latest message' })).toBeVisible();
  await firstFan.context.setOffline(true);
  await say(secondFan.page, 'unseen');
  await expect(bubbles(secondFan.page).last()).toHaveText('unseen');
  await expect(secondFan.page.locator('.message-sending')).toHaveCount(0);
  await firstFan.context.setOffline(false);
  await expect(firstFan.page.getByRole('button', { name: '1 new message' })).toBeVisible();
  expect(await gap()).toBeGreaterThan(500);
  for (const { context } of [firstFan, secondFan]) await context.close();
});

test('one’s own long words are seen leaving, and what others say after them', async ({ browser, server }) => {
  test.slow();
  const star = await newStar(server);
  await fillChannel(server, star.id, 40);
  const own = await newFan(browser, server, { member: star.id, options: phone });
  const other = await newFan(browser, server, { member: star.id });
  await openChannel(own.page, star.id);
  await openChannel(other.page, star.id);
  const log = own.page.locator('.chat-live .chat-log');
  const gap = () =>
    log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  for (const length of [126, 294]) {
    const field = own.page.locator('.chat textarea');
    await field.fill(`${length} `.repeat(length / 4));
    // The log is as low as the field is high, before the message goes.
    await expect.poll(() => field.evaluate((box) => box.clientHeight)).toBeGreaterThan(60);
    await expect.poll(gap).toBeLessThan(2);
    await field.press('Enter');
    await expect(bubbles(own.page).last()).toContainText(String(length));
    await expect.poll(gap).toBeLessThan(2);
    // Shown is not stored yet: what the server takes last stands last.
    await expect(own.page.locator('.message-sending')).toHaveCount(0);
    await say(other.page, `after ${length}`);
    await expect(bubbles(own.page).last()).toHaveText(`after ${length}`);
    await expect.poll(gap).toBeLessThan(2);
  }
  for (const { context } of [own, other]) await context.close();
});

test('with large text the page scrolls, and messages keep room to be read', async ({ page }) => {
  await page.goto('/ms/community/1');
  await setFontSize(page, 32);
  await page.mouse.move(100, 300);
  await page.mouse.move(120, 320);
  await page.locator('.chat[data-live] [role="log"]').waitFor();
  const height = (selector: string) => page.locator(selector).evaluate((element) => element.clientHeight);
  await expect.poll(() => height('.chat[data-live] [role="log"]')).toBeGreaterThan(300);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.locator('.chat .chat-instead')).toBeInViewport({ ratio: 1 });
  expect(
    await page
      .locator('.news-toggle svg')
      .first()
      .evaluate((icon) => icon.clientWidth),
  ).toBe(20);
});

test('the menu of the newest message opens in view, however high that is and however large the text', async ({
  browser,
  server,
}) => {
  test.slow();
  const star = await newStar(server);
  await fillChannel(server, star.id, 20);
  const { page, context } = await newFan(browser, server, { member: star.id, options: phone });
  await openChannel(page, star.id);
  const expectMenuInView = async () => {
    await page
      .locator('.message')
      .last()
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await expect(page.getByRole('menuitem')).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
  };
  for (const text of ['short', 'words '.repeat(78).trim()]) {
    await say(page, text);
    await expect(bubbles(page).last()).toHaveText(text);
    await expect(page.locator('.message-sending')).toHaveCount(0);
    for (const size of ['100%', '200%']) {
      await page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), size);
      await expectMenuInView();
    }
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  }
  await context.close();
});

test('two fingers that look closer are no keyboard', async ({ browser, server }) => {
  const { page, context } = await newFan(browser, server, { options: { ...phone, isMobile: true } });
  await openChannel(page, 1);
  const browserSide = await context.newCDPSession(page);
  await browserSide.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
  await expect.poll(() => page.evaluate(() => visualViewport?.scale)).toBe(2);
  // The page hears of it with the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(page.locator('html')).not.toHaveAttribute('data-typing');
  await context.close();
});

test('Join is offered once to a fan, and what stands in the header is seen and has room', async ({
  browser,
  server,
}) => {
  const { page, context } = await newFan(browser, server, { options: phone });
  await openChannel(page, 1, 'vi');
  const join = page.getByRole('button', { name: 'Tham gia kênh' });
  await expect(join).toHaveCount(1);
  const edge = await page.locator('.channel-follow').evaluate((button) => {
    const { borderTopColor, borderTopWidth } = getComputedStyle(button);
    return [borderTopColor, Number.parseFloat(borderTopWidth) > 0];
  });
  expect(edge).toEqual(['rgb(255, 255, 255)', true]);
  await join.click();
  await expect(page.locator('.chat textarea')).toBeVisible();
  await expect(join).toHaveCount(0);
  await expect(page.locator('.channel-facts')).toContainText('đang trực tuyến');
  expect((await page.locator('.channel-facts').boundingBox())?.height).toBeLessThan(30);
  await context.close();
});

test('without JavaScript the first screen says what writing needs', async ({ browser, server }) => {
  const context = await browser.newContext({ ...phone, baseURL: server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [lang, sentence] of [
    ['ko', '자바스크립트'],
    ['en', 'Turn on JavaScript to write.'],
    ['ms', 'JavaScript'],
    ['vi', 'Bật JavaScript để nhắn tin.'],
  ] as const) {
    await page.goto(`/${lang}/community/1`);
    await expect(page.locator('.chat-instead').getByText(sentence)).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.message-bubble').first()).toBeAttached();
  }
  await context.close();
});

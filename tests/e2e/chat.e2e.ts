import type { Page } from '@playwright/test';
import type { ReportList } from '#api/community/model.ts';
import { languages } from '#content/locales.ts';
import { expect, expectAccessible, expectNoThirdParty, test, withMotion } from '#tests/kit/browser.ts';
import {
  bubbles,
  fillChannel,
  newFan,
  newStar,
  openAsMember,
  openChannel,
  say,
  withDatabase,
} from '#tests/kit/channel.ts';
import { holdAnswer } from '#tests/kit/held-answer.ts';
import { delayTimers, keepToasts, stretchTimeouts } from '#tests/kit/page-timers.ts';
import { forbidStorage } from '#tests/kit/storage.ts';
import { setVisibility } from '#tests/kit/visibility.ts';

test.use({ ...withMotion, locale: 'en-GB' });

/**
 * Keeps the banner of a new channel, which goes after five seconds, until the answer is called, and marks a page on which confetti was
 * thrown: a slow machine may look when both are over.
 */
async function holdCelebration(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    const held: (() => void)[] = [];
    Object.assign(window, {
      setTimeout: (run: () => void, milliseconds: number, ...rest: unknown[]) =>
        milliseconds === 5_000 ? void held.push(run) : wait(run, milliseconds, ...rest),
      endBanner: () => {
        for (const each of held) each();
      },
    });
    new MutationObserver(() => {
      if (document.querySelector('canvas.confetti')) document.documentElement.dataset.confetti = 'thrown';
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'endBanner')());
}

/** What is held back by a test, the chat would give up after ten or twenty seconds. */
async function waitLong(page: Page): Promise<void> {
  await stretchTimeouts(page);
  await delayTimers(page, 10_000, 20_000);
}

test('two fans meet in a new channel, join and talk; only the first is celebrated', async ({
  browser,
  server,
}) => {
  test.slow();
  const star = await newStar(server);
  const firstFan = await newFan(browser, server);
  const secondFan = await newFan(browser, server);
  const endBanner = await holdCelebration(firstFan.page);
  await openChannel(firstFan.page, star.id);
  await expect(firstFan.page.locator('.channel-banner')).toHaveText(
    'A new channel is born! You’re the first one here.',
  );
  await expect(firstFan.page.locator('html')).toHaveAttribute('data-confetti');
  // The banner stands over the chat, which is 600 px high (§2), not over the star's name.
  const chat = await firstFan.page.locator('.chat').boundingBox();
  const banner = await firstFan.page.locator('.channel-banner').boundingBox();
  expect(chat?.height).toBe(600);
  expect(banner?.y).toBeGreaterThan(chat?.y ?? Number.NaN);
  expect((banner?.x ?? 0) + (banner?.width ?? 0)).toBeLessThan((chat?.x ?? 0) + (chat?.width ?? 0));
  await expect(firstFan.page.locator('.chat-empty')).toHaveText(
    'No messages yet. Be the first to start the conversation!',
  );
  await endBanner();
  await expect(firstFan.page.locator('.channel-banner')).toHaveCount(0);
  await expect(firstFan.page.locator('canvas.confetti')).toHaveCount(0);

  await openChannel(secondFan.page, star.id);
  await expect(secondFan.page.locator('.chat-instead')).toContainText('Join the channel to send messages');
  await expect(secondFan.page.locator('.channel-banner, canvas.confetti')).toHaveCount(0);
  await expect(secondFan.page.locator('.chat textarea')).toHaveCount(0);
  await firstFan.page.locator('.channel-head').getByRole('button', { name: 'Join Channel' }).click();
  await secondFan.page.locator('.chat').getByRole('button', { name: 'Join Channel' }).click();
  await expect(secondFan.page.locator('.chat textarea')).toBeFocused();
  for (const { page } of [firstFan, secondFan]) {
    await expect(page.locator('.channel-joined')).toHaveText('Joined');
    await expect(page.locator('.channel-facts')).toContainText('2 members');
    await expect(page.locator('.channel-facts')).toContainText('2 online');
  }

  await say(firstFan.page, 'Is anybody here? https://byeol.example/hello');
  await expect(bubbles(secondFan.page)).toHaveText(['Is anybody here? https://byeol.example/hello']);
  const link = bubbles(secondFan.page).getByRole('link');
  await expect(link).toHaveAttribute('href', 'https://byeol.example/hello');
  await expect(link).toHaveAttribute('rel', /nofollow.*noopener.*ugc/);
  await expect(secondFan.page.locator('.chat-live [aria-live="polite"]').last()).toContainText(
    `${firstFan.name}: Is anybody here?`,
  );
  await say(secondFan.page, 'Yes');
  await say(secondFan.page, '<b>always</b> javascript:alert(1)');
  await expect(bubbles(firstFan.page)).toHaveText([
    /^Is anybody/,
    'Yes',
    '<b>always</b> javascript:alert(1)',
  ]);
  await expect(firstFan.page.locator('.message-own .message-bubble')).toHaveText(/^Is anybody/);
  await expect(firstFan.page.locator('.message-author')).toHaveText([secondFan.name]);
  await expect(secondFan.page.locator('.message-own')).toHaveCount(2);
  expectNoThirdParty(firstFan.page);
  for (const { context } of [firstFan, secondFan]) await context.close();
});

test('the talk of today is there without a browser’s tables of time zones', async ({ browser, server }) => {
  const star = await newStar(server);
  const { page, context } = await newFan(browser, server, { member: star.id });
  await page.addInitScript(() => {
    Object.assign(window, { zonesAsked: 0 });
    const count = () => Object.assign(window, { zonesAsked: Number(Reflect.get(window, 'zonesAsked')) + 1 });
    Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      apply: (target, self, args) => {
        count();
        return Reflect.apply(target, self, args);
      },
      construct: (target, args) => {
        count();
        return Reflect.construct(target, args);
      },
    });
  });
  await openChannel(page, star.id);
  await say(page, 'hello');
  const messageTime = page.locator('.chat-live .message:not(.message-sending) time[datetime]');
  const localTime = await messageTime.evaluate((time: HTMLTimeElement) =>
    new Date(time.dateTime).toTimeString(),
  );
  await expect(messageTime).toHaveText(localTime.slice(0, 5));
  expect(await page.evaluate(() => Reflect.get(window, 'zonesAsked'))).toBe(0);
  await context.close();
});

test('what is written without a connection goes out when it is back, once and in order', async ({
  browser,
  server,
}) => {
  test.slow();
  const star = await newStar(server);
  const firstFan = await newFan(browser, server, { member: star.id });
  const secondFan = await newFan(browser, server, { member: star.id });
  await openChannel(firstFan.page, star.id);
  await openChannel(secondFan.page, star.id);
  await say(firstFan.page, 'before');
  await expect(bubbles(secondFan.page)).toHaveText(['before']);
  await firstFan.context.setOffline(true);
  await say(firstFan.page, 'first');
  await say(firstFan.page, 'second');
  await say(secondFan.page, 'meanwhile');
  await expect(bubbles(secondFan.page).last()).toHaveText('meanwhile');
  // Shown is not stored yet: what the server takes last stands last.
  await expect(secondFan.page.locator('.message-sending')).toHaveCount(0);
  await expect(bubbles(firstFan.page)).toHaveText(['before', 'first', 'second']);
  const waitingNotes = firstFan.page
    .locator('.message-failed')
    .getByText('Will be sent once you’re back online.', { exact: true });
  await expect(waitingNotes).toHaveCount(2);
  // Nothing has failed that somebody would have to see to.
  await expect(firstFan.page.locator('.message-failed').getByText('Not sent.')).toHaveCount(0);
  await expect(firstFan.page.getByRole('button', { name: 'Send again' })).toHaveCount(0);
  // Under way while the connection comes back.
  await say(firstFan.page, 'third');
  await firstFan.context.setOffline(false);
  await say(firstFan.page, 'fourth');
  await expect(waitingNotes).toHaveCount(0);
  await expect(firstFan.page.locator('.message-failed').getByText('Not sent.')).toHaveCount(0);
  for (const { page } of [firstFan, secondFan])
    await expect(bubbles(page)).toHaveText(['before', 'meanwhile', 'first', 'second', 'third', 'fourth']);
  for (const { context } of [firstFan, secondFan]) await context.close();
});

test('what one tab could not send is kept beside what another writes, and goes before what is written later', async ({
  browser,
  server,
}) => {
  test.slow();
  const { star, page, context } = await openAsMember(browser, server);
  const other = await context.newPage();
  await openChannel(other, star.id);
  const refuse = (each: Page) =>
    each.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
  await refuse(page);
  await refuse(other);
  const unsent = (each: Page) => each.locator('.message-failed').getByText('Not sent.', { exact: true });
  await say(page, 'one');
  await expect(unsent(page)).toHaveCount(1);
  await say(other, 'two');
  await expect(unsent(other)).toHaveCount(1);
  await say(page, 'three');
  await expect(unsent(page)).toHaveCount(2);
  await other.close();
  await page.unrouteAll();
  // The connection has been there all the time: what is written now takes along what waits.
  await say(page, 'four');
  await expect(bubbles(page)).toHaveText(['one', 'three', 'four']);
  await expect(page.locator('.message-unsent, .message-sending')).toHaveCount(0);
  await page.reload();
  await expect(bubbles(page)).toHaveText(['one', 'three', 'four', 'two']);
  await expect(page.locator('.message-unsent, .message-sending')).toHaveCount(0);
  await context.close();
});

test('a message whose answer was lost is sent again without being doubled', async ({ browser, server }) => {
  const { star, page, context } = await openAsMember(browser, server);
  let lostAnswers = 0;
  await page.route('**/stream', (route) => route.abort());
  await page.route('**/messages**', async (route) => {
    if (route.request().method() !== 'POST') return route.abort();
    if (lostAnswers >= 2) return route.continue();
    lostAnswers += 1;
    await route.fetch();
    return route.abort();
  });
  await page.reload();
  await expect(page.locator('.chat textarea')).toBeVisible();
  await say(page, 'only once');
  const waitingNote = page
    .locator('.message-failed')
    .getByText('Will be sent once you’re back online.', { exact: true });
  await expect(waitingNote).toBeVisible();
  expect(lostAnswers).toBe(2);
  await page.unroute('**/stream');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(waitingNote).toHaveCount(0);
  await expect(page.locator('.message-unsent, .message-sending')).toHaveCount(0);
  await expect(bubbles(page)).toHaveText(['only once']);
  const stored = await withDatabase(
    server,
    (sql) =>
      sql`select 1 from messages m join channels c on c.id = m.channel_id where c.star_id = ${star.id}`,
  );
  expect(stored).toHaveLength(1);
  // What a handler of this test still waits for would fail in the next one.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});

test('a message that was lost while the stream lived on goes by itself after a while', async ({
  browser,
  server,
}) => {
  const star = await newStar(server);
  const { page, context } = await newFan(browser, server, { member: star.id });
  await page.clock.install();
  await openChannel(page, star.id);
  await expect(page.locator('.chat-bar')).toHaveAttribute('data-connection', 'live');
  let lost = 0;
  await page.route('**/messages', (route) => {
    if (route.request().method() !== 'POST' || lost >= 2) return route.continue();
    lost += 1;
    return route.abort();
  });
  // For five seconds it counts as not sent: they begin to pass when that was seen. Short enough that the stream is trusted still.
  await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 5000))).toPass();
  await say(page, 'late but there');
  await expect
    .poll(async () => {
      await page.clock.runFor(1000);
      return page.locator('.message-failed').getByText('Not sent.').isVisible();
    })
    .toBe(true);
  await page.clock.resume();
  await expect(page.locator('.message-unsent, .message-sending')).toHaveCount(0);
  await expect(bubbles(page)).toHaveText(['late but there']);
  expect(lost).toBe(2);
  await context.close();
});

test('who joins and writes on another device writes here, too', async ({ browser, server }) => {
  const star = await newStar(server);
  const { page, context, token } = await newFan(browser, server);
  await openChannel(page, star.id);
  await expect(page.getByText('Join the channel to send messages')).toBeVisible();
  await expect(page.locator('.chat-bar')).toHaveAttribute('data-connection', 'live');
  for (const [call, body] of [
    ['join', {}],
    ['messages', { content: 'from the phone' }],
  ] as const) {
    const answer = await fetch(`${server.url}/api/community/channels/${star.id}/${call}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.ok).toBe(true);
  }
  await expect(bubbles(page)).toHaveText(['from the phone']);
  await expect(page.locator('.chat textarea')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Join Channel' })).toHaveCount(0);
  await context.close();
});

test('drafts and unsent messages survive a reload, and go with their writer', async ({ browser, server }) => {
  const { page, context } = await openAsMember(browser, server);
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await say(page, 'almost gone');
  // The connection lives: what did not go may be sent at once, without waiting for the next try.
  await expect(page.locator('.message-failed').getByText('Not sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
  await page.locator('.chat textarea').fill('half a tho');
  await page.unrouteAll();
  await page.reload();
  await expect(page.locator('.chat textarea')).toHaveValue('half a tho');
  await expect(bubbles(page)).toHaveText(['almost gone']);
  await expect(page.locator('.message-unsent, .message-sending')).toHaveCount(0);
  await page.goto('/en');
  await page.locator('.user-menu summary').first().click();
  const frontPage = page.waitForRequest(
    (request) => request.isNavigationRequest() && new URL(request.url()).pathname === '/',
  );
  await page.locator('.header form[action="/logout"] button').click();
  await frontPage;
  await expect(async () => {
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':chat:')));
    expect(kept).toEqual([]);
  }).toPass();
  await context.close();
});

test('a draft stays while another tab of the channel writes and sends', async ({ browser, server }) => {
  const star = await newStar(server);
  const { page, context } = await newFan(browser, server, { member: star.id });
  await openChannel(page, star.id);
  const otherTab = await context.newPage();
  await openChannel(otherTab, star.id);
  await page.locator('.chat textarea').fill('half a tho');
  await say(otherTab, 'ừ');
  await expect(bubbles(page)).toHaveText(['ừ']);
  await page.reload();
  await expect(page.locator('.chat textarea')).toHaveValue('half a tho');
  await say(page, 'half a thought');
  await page.reload();
  await expect(bubbles(page)).toHaveText(['ừ', 'half a thought']);
  await expect(page.locator('.chat textarea')).toHaveValue('');
  await context.close();
});

for (const ending of ['logging out everywhere', 'deleting the account']) {
  test(`a draft goes with its writer by ${ending}, in every tab, and stays when that is refused`, async ({
    browser,
    server,
  }) => {
    const star = await newStar(server);
    const { page, context, name } = await newFan(browser, server, { member: star.id });
    const password = '밤하늘의 별 72';
    const elsewhere = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { origin: server.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${name}@byeol.example`, password }),
    });
    expect(elsewhere.status).toBe(200);
    const other = await context.newPage();
    await openChannel(other, star.id);
    await other.locator('.chat textarea').fill('half a thought');
    const keptWords = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':chat:')).length);
    await page.goto('/profile?lang=en');
    expect(await keptWords()).toBe(1);
    if (ending === 'deleting the account') {
      await page.getByText('Delete account', { exact: true }).click();
      for (const typed of ['not this one', password]) {
        expect(await keptWords()).toBe(1);
        await page.fill('#deletePassword', typed);
        await page.getByRole('button', { name: 'Delete account for good' }).click();
        if (typed === password) continue;
        await expect(page.locator('#deletePassword')).toBeFocused();
        // With the script that notes that the session is about to end.
        await page.waitForLoadState();
      }
    } else await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await expect(page).toHaveURL(/\/login/);
    await expect.poll(keptWords).toBe(0);
    await expect(other.locator('.chat textarea')).toHaveCount(0);
    expect(await keptWords()).toBe(0);
    await context.close();
  });
}

test('Enter sends a Hangul syllable that is being composed once, when it is whole', async ({
  browser,
  server,
}) => {
  const { page, context } = await openAsMember(browser, server);
  const field = page.locator('.chat textarea');
  await field.focus();
  const keys = await context.newCDPSession(page);
  const compose = (text: string) =>
    keys.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  for (const [typedText, syllable] of [
    ['안녕하세', '요'],
    ['반가워', '요'],
  ] as const) {
    await keys.send('Input.insertText', { text: typedText });
    await compose('ㅇ');
    await compose(syllable);
    await page.keyboard.down('Enter');
    await keys.send('Input.insertText', { text: syllable });
    await page.keyboard.up('Enter');
    await expect(field).toHaveValue('');
  }
  await expect(bubbles(page)).toHaveText(['안녕하세요', '반가워요']);
  await field.press('Shift+Enter');
  await field.pressSequentially('two');
  await field.press('Shift+Enter');
  await field.pressSequentially('lines');
  await field.press('Enter');
  await expect(bubbles(page).last()).toHaveText('two\nlines', { useInnerText: true });
  await context.close();
});

test('scrolling up brings earlier messages without a jump, and only what is in view is in the page', async ({
  page,
  server,
}) => {
  test.slow();
  const star = await newStar(server);
  await fillChannel(server, star.id, 230);
  await openChannel(page, star.id);
  await expect(bubbles(page).last()).toContainText('message 230');
  const log = page.locator('.chat-live .chat-log');
  const topmost = () =>
    log.evaluate((box) => {
      const top = box.getBoundingClientRect().top;
      const line = [...box.querySelectorAll('.message')].find(
        (each) => each.getBoundingClientRect().top >= top,
      );
      return {
        text: line?.querySelector('.message-bubble')?.textContent ?? '',
        at: (line?.getBoundingClientRect().top ?? 0) - top,
      };
    });
  await log.hover();
  for (let step = 0; step < 60; step += 1) {
    const first = await page.locator('.chat-live .message-bubble').first().textContent();
    if (first?.startsWith('message 1 ') || first === 'message 1') break;
    await page.mouse.wheel(0, -900);
    await expect(page.locator('.chat-older'))
      .toHaveCount(0, { timeout: 5000 })
      .catch(() => {});
    expect(await page.locator('.chat-live li').count()).toBeLessThan(70);
  }
  await expect(bubbles(page).first()).toHaveText('message 1 and more');
  await expect(page.locator('.chat-day').first()).toBeVisible();

  // A page of its own that comes while one reads: what is read stays where it is.
  await page.reload();
  await expect(page.locator('.chat[data-live]')).toBeVisible();
  const older = await holdAnswer(page, '**/messages?*before=*');
  await log.hover();
  // To the very top, where the first line is not a message.
  await expect(async () => {
    await page.mouse.wheel(0, -1000);
    expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
  }).toPass();
  await older.requested;
  await expect.poll(() => page.locator('.chat-live .message').count()).toBeGreaterThan(5);
  const positionBefore = await topmost();
  const height = await log.evaluate((box) => box.scrollHeight);
  older.release();
  await expect.poll(() => log.evaluate((box) => box.scrollHeight)).toBeGreaterThan(height + 1000);
  const offset = () =>
    log.evaluate((box, text) => {
      const line = [...box.querySelectorAll('.message')].find(
        (each) => each.querySelector('.message-bubble')?.textContent === text,
      );
      return (line?.getBoundingClientRect().top ?? Number.NaN) - box.getBoundingClientRect().top;
    }, positionBefore.text);
  // Less than a line: the one that comes into view above it may be higher than was guessed.
  await expect.poll(async () => Math.abs((await offset()) - positionBefore.at)).toBeLessThan(40);
});

test('who reads further up is told of new messages and finds where they begin', async ({
  browser,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 80);
  const firstFan = await newFan(browser, server, { member: star.id });
  const secondFan = await newFan(browser, server, { member: star.id });
  await openChannel(firstFan.page, star.id);
  await openChannel(secondFan.page, star.id);
  await say(secondFan.page, 'read as it comes');
  await expect(bubbles(firstFan.page).last()).toHaveText('read as it comes');
  await expect(firstFan.page.locator('.chat-unread')).toHaveCount(0);
  await firstFan.page.locator('.chat-live .chat-log').hover();
  await firstFan.page.mouse.wheel(0, -1500);
  await expect(firstFan.page.getByRole('button', { name: 'Jump to the latest message' })).toBeVisible();
  await say(secondFan.page, 'new one');
  await say(secondFan.page, 'new two');
  const pill = firstFan.page.getByRole('button', { name: '2 new messages' });
  await expect(pill).toBeVisible();
  await expectAccessible(firstFan.page);
  await pill.click();
  await expect(pill).toHaveCount(0);
  await expect(bubbles(firstFan.page).last()).toHaveText('new two');
  await expect(firstFan.page.locator('.chat-unread')).toHaveText('New messages');
  await say(firstFan.page, 'seen');
  await expect(bubbles(secondFan.page).last()).toHaveText('seen');

  await setVisibility(firstFan.page, 'hidden');
  for (let number = 1; number <= 6; number += 1) await say(secondFan.page, `while away ${number}`);
  await expect(bubbles(secondFan.page).last()).toHaveText('while away 6');
  await expect(firstFan.page.getByRole('button', { name: '6 new messages' })).toBeVisible();
  await setVisibility(firstFan.page, 'visible');
  await firstFan.page.getByRole('button', { name: '6 new messages' }).click();
  await expect(bubbles(firstFan.page).last()).toHaveText('while away 6');
  for (const { context } of [firstFan, secondFan]) await context.close();
});

test('a message of characters that cannot be shown says so, and comes back into the field', async ({
  browser,
  server,
}) => {
  const { page, context } = await openAsMember(browser, server);
  await say(page, 'turned \u202e around');
  const failed = page.locator('.message-failed');
  await expect(failed).toContainText('Not sent: it has characters that can’t be shown.');
  await expect(failed.getByRole('button')).toHaveText(['Edit', 'Discard']);
  await expect(page.locator('.chat-live > [aria-live="polite"]')).toHaveText(
    'Not sent: it has characters that can’t be shown.',
  );
  // Nobody has to see the same refusal again.
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/messages')) sent += 1;
  });
  await page.reload();
  await expect(failed).toContainText('Not sent: it has characters that can’t be shown.');
  expect(sent).toBe(0);
  const field = page.locator('.chat textarea');
  await field.fill('and the next line');
  await failed.getByRole('button', { name: 'Edit' }).click();
  await expect(failed).toHaveCount(0);
  await expect(field).toHaveValue('turned \u202e around\nand the next line');
  await expect(field).toBeFocused();
  await context.close();
});

test('where streams are blocked, messages come by asking', async ({ browser, server }) => {
  const star = await newStar(server);
  const firstFan = await newFan(browser, server, { member: star.id });
  const secondFan = await newFan(browser, server, { member: star.id });
  await firstFan.page.route('**/stream', (route) =>
    route.fulfill({ status: 200, body: '<html>blocked</html>' }),
  );
  await openChannel(firstFan.page, star.id);
  await openChannel(secondFan.page, star.id);
  await expect(firstFan.page.locator('.chat-connection')).toContainText('Live updates are blocked here');
  await say(secondFan.page, 'can you read this?');
  await expect(bubbles(firstFan.page)).toHaveText(['can you read this?']);
  await say(firstFan.page, 'I can');
  await expect(bubbles(secondFan.page)).toHaveText(['can you read this?', 'I can']);
  await expect(bubbles(firstFan.page)).toHaveText(['can you read this?', 'I can']);
  await withDatabase(
    server,
    (sql) => sql`update channels set slow_mode_seconds = 30 where star_id = ${star.id}`,
  );
  await setVisibility(firstFan.page, 'visible');
  await expect(firstFan.page.getByText('Slow mode: one message every 30 seconds')).toBeVisible();
  for (const { context } of [firstFan, secondFan]) await context.close();
});

test('who begins anew loses nothing that is said before the newest page has come, nor when it does not come', async ({
  browser,
  server,
}) => {
  const star = await newStar(server);
  const reader = await newFan(browser, server, { member: star.id });
  const writer = await newFan(browser, server, { member: star.id });
  await waitLong(reader.page);
  await openChannel(writer.page, star.id);
  const held = Promise.withResolvers<void>();
  const streams: string[] = [];
  let pages = 0;
  // A position that the channel has not reached makes the server say `reset`.
  await reader.page.route('**/stream', async (route) => {
    const headers = route.request().headers();
    streams.push(headers['last-event-id'] ?? '');
    if (streams.length === 1) {
      await say(writer.page, 'missed');
      await expect(writer.page.locator('.message-sending')).toHaveCount(0);
    }
    await route.continue({ headers: { ...headers, 'last-event-id': '2147483647' } });
  });
  await reader.page.route('**/messages?*', async (route) => {
    pages += 1;
    if (pages === 1) return route.abort();
    const response = await route.fetch();
    await held.promise;
    return route.fulfill({ response });
  });
  await openChannel(reader.page, star.id);
  await expect.poll(() => pages).toBe(2);
  // The page that did not come has moved nothing on.
  expect(streams).toEqual(['0', '0']);
  await say(writer.page, 'theirs');
  await expect(writer.page.locator('.message-sending')).toHaveCount(0);
  await say(reader.page, 'mine');
  await expect(bubbles(writer.page)).toHaveText(['missed', 'theirs', 'mine']);
  held.resolve();
  await expect(bubbles(reader.page)).toHaveText(['missed', 'theirs', 'mine']);
  await say(writer.page, 'afterwards');
  await expect(bubbles(reader.page)).toHaveText(['missed', 'theirs', 'mine', 'afterwards']);
  expect(streams).toHaveLength(2);
  await reader.page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const { context } of [reader, writer]) await context.close();
});

test('a page of earlier messages that comes after the log has begun anew is not put before a gap', async ({
  page,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 60);
  await waitLong(page);
  const held = Promise.withResolvers<void>();
  const before: string[] = [];
  await page.route(/\/messages\?.*before=/, async (route) => {
    before.push(new URL(route.request().url()).searchParams.get('before') ?? '');
    // The test may be over before the second is answered, and what Playwright fetches itself would fail in the next test.
    if (before.length > 1) return route.continue();
    const response = await route.fetch();
    await held.promise;
    return route.fulfill({ response });
  });
  await openChannel(page, star.id);
  await page.locator('.chat-live .chat-log').hover();
  await expect(async () => {
    await page.mouse.wheel(0, -3000);
    expect(before).toHaveLength(1);
  }).toPass();
  await fillChannel(server, star.id, 120);
  // A position that the channel has not reached makes the server say `reset`.
  await page.route('**/stream', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'last-event-id': '2147483647' } }),
  );
  const newest = page.waitForResponse((response) => /\/messages\?limit=\d+$/.test(response.url()));
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await page.evaluate(() => dispatchEvent(new Event('online')));
  const { messages }: { messages: { id: number }[] } = await (await newest).json();
  await expect(bubbles(page).last()).toContainText('message 120');
  held.resolve();
  await expect(async () => {
    await page.mouse.wheel(0, -3000);
    expect(before.length).toBeGreaterThan(1);
  }).toPass();
  expect(before[1]).toBe(String(messages[0]?.id));
});

test('a message that is deleted while an older answer still brings it stays deleted', async ({
  browser,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 60);
  const { page, context, token } = await newFan(browser, server, { member: star.id, role: 'editor' });
  await waitLong(page);
  const held = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<number>();
  let isAsked = false;
  await page.route(/\/messages\?.*before=/, async (route) => {
    isAsked = true;
    const response = await route.fetch();
    answered.resolve((await response.json()).messages.at(-1).id);
    await held.promise;
    return route.fulfill({ response });
  });
  await openChannel(page, star.id);
  await page.locator('.chat-live .chat-log').hover();
  await expect(async () => {
    await page.mouse.wheel(0, -3000);
    expect(isAsked).toBe(true);
  }).toPass();
  const id = await answered.promise;
  const channel = `${server.url}/api/community/channels/${star.id}`;
  const authorization = `Bearer ${token}`;
  const deletion = await fetch(`${channel}/messages/${id}`, { method: 'DELETE', headers: { authorization } });
  const message = await fetch(`${channel}/messages`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'said after the deletion' }),
  });
  expect([deletion.ok, message.ok]).toEqual([true, true]);
  await expect(bubbles(page).last()).toHaveText('said after the deletion');
  held.resolve();
  await expect(page.locator('.message-deleted')).toHaveCount(1);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});

test('a channel whose details failed is asked for again when the network is back', async ({
  browser,
  server,
}) => {
  const star = await newStar(server);
  const { page, context } = await newFan(browser, server, { member: star.id });
  const details = `**/api/community/channels/${star.id}?*`;
  await page.route(details, (route) => route.fulfill({ status: 503 }));
  await openChannel(page, star.id);
  await expect(page.getByText('Failed to fetch channel')).toBeVisible();
  await page.unroute(details);
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.locator('.chat textarea')).toBeVisible();
  await context.close();
});

test('by the keyboard one comes to every message that is left, wherever the log is scrolled', async ({
  browser,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 49);
  const { page, context } = await newFan(browser, server, { member: star.id });
  await openChannel(page, star.id);
  const log = page.locator('.chat-live .chat-log');
  const remove = async (text: string) => {
    await page
      .locator('.message', { hasText: text })
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(text, { exact: true })).toHaveCount(0);
    // Whoever goes on before the focus is back would lose it again.
    await expect(log).toBeFocused();
  };
  await say(page, 'mine');
  await say(page, 'slip');
  await say(page, 'mine too');
  await say(page, 'last slip');
  await expect(page.locator('.message-sending')).toHaveCount(0);
  await remove('last slip');
  await remove('slip');
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.closest('.message')?.querySelector('.message-bubble')?.textContent,
    );
  await log.focus();
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('mine too');
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe('mine');
  // Far outside of what is in view it keeps the focus.
  await log.hover();
  await expect(async () => {
    await page.mouse.wheel(0, -1000);
    expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
  }).toPass();
  expect(await focused()).toBe('mine');
  await expect(page.locator('.message-menu > button[tabindex="0"]')).toHaveCount(1);
  await context.close();
});

test('slow mode counts by the server’s clock, whatever the phone’s says', async ({ browser, server }) => {
  const star = await newStar(server);
  const { page, context } = await newFan(browser, server, { member: star.id });
  await withDatabase(
    server,
    (sql) => sql`update channels set slow_mode_seconds = 300 where star_id = ${star.id}`,
  );
  await page.clock.install({ time: Date.now() - 180_000 });
  await openChannel(page, star.id);
  await say(page, 'early');
  const wait = page.locator('.chat-send');
  // By its own it would be 480 or 120.
  await expect(wait).toHaveText(/^(2\d\d|30[0-3])$/);
  await page.reload();
  await expect(wait).toHaveText(/^(2\d\d|30[0-3])$/);
  await context.close();
});

test('whoever waits in slow mode waits no longer than it lasts', async ({ browser, server }) => {
  const star = await newStar(server);
  const { page, context } = await newFan(browser, server, { member: star.id });
  const editor = await newFan(browser, server, { role: 'editor' });
  const slowDown = async (seconds: number) => {
    const answer = await fetch(`${server.url}/api/community/channels/${star.id}/slow-mode`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${editor.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ seconds }),
    });
    expect(answer.status).toBe(200);
  };
  await slowDown(600);
  await openChannel(page, star.id);
  await say(page, 'early');
  const send = page.locator('.chat-send');
  await expect(send).toHaveText(/^(5\d\d|600)$/);
  await page.locator('.chat textarea').fill('next');
  await slowDown(300);
  await expect(send).toHaveText(/^(2\d\d|300)$/);
  await slowDown(0);
  await expect(send).toBeEnabled();
  for (const each of [context, editor.context]) await each.close();
});

test('a browser that keeps nothing chats all the same', async ({ browser, server }) => {
  const star = await newStar(server);
  const { page, context } = await newFan(browser, server, { member: star.id });
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await forbidStorage(page);
  await openChannel(page, star.id);
  await say(page, 'kept nowhere');
  await expect(bubbles(page)).toHaveText(['kept nowhere']);
  expect(errors).toEqual([]);
  await context.close();
});

test('a message has at most 500 characters, counted as people do', async ({ browser, server }) => {
  const { page, context } = await openAsMember(browser, server);
  const field = page.locator('.chat textarea');
  const send = page.getByRole('button', { name: 'Send message' });
  await expect(send).toBeDisabled();
  await field.fill('   \n ');
  await expect(send).toBeDisabled();
  await field.fill('👍'.repeat(480));
  await expect(page.locator('.chat-count')).toHaveText('480/500');
  await expect(page.locator('.chat-count-bad')).toBeVisible();
  await expect(page.getByText('20 characters left')).toBeAttached();
  await field.fill('👍'.repeat(501));
  await expect(send).toBeDisabled();
  await expect(page.getByText('A message can have at most 500 characters.')).toBeVisible();
  await field.press('Enter');
  await expect(bubbles(page)).toHaveCount(0);
  await field.fill(`  ${'👍'.repeat(500)}  `);
  await field.press('Enter');
  await expect(bubbles(page)).toHaveText(['👍'.repeat(500)]);
  await context.close();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test('the messages, the news and the ways out are there', async ({ page, server }) => {
    const star = await newStar(server);
    await fillChannel(server, star.id, 60);
    await page.goto(`/en/community/${star.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(star.name);
    await expect(page.locator('.message-bubble')).toHaveCount(50);
    await expect(page.locator('.message-bubble').last()).toContainText('message 60');
    await expect(page.getByText('Turn on JavaScript to write.')).toBeVisible();
    await expect(page.getByText('No recent articles found.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to Communities' }).click();
    await expect(page).toHaveURL('/en/community');
  });

  test('two whole headlines leave the chat its room on a phone', async ({ page }) => {
    for (const lang of languages) {
      await page.goto(`/${lang}/community/1`);
      const news = page.locator('.news-list');
      await expect(news.locator('.card-title').filter({ visible: true })).toHaveCount(2);
      expect(await news.evaluate((list) => list.scrollHeight - list.clientHeight), lang).toBeLessThanOrEqual(
        0,
      );
      const chat = await page.locator('.chat').boundingBox();
      const below = await page.locator('.chat-instead').filter({ visible: true }).boundingBox();
      expect((below?.y ?? 0) - (chat?.y ?? 0), lang).toBeGreaterThan(240);
    }
  });

  test('an unknown star has no channel', async ({ page }) => {
    for (const id of ['999999', '0', 'abc', '1e3']) {
      const answer = await page.goto(`/en/community/${id}`);
      expect([id, answer?.status()]).toEqual([id, 404]);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Channel not found');
    }
    await page.getByRole('link', { name: 'Back to Communities' }).click();
    await expect(page).toHaveURL('/en/community');
  });
});

test('reduced motion gets the banner and no confetti', async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const star = await newStar(server);
  const endBanner = await holdCelebration(page);
  await openChannel(page, star.id);
  await expect(page.locator('.channel-banner')).toBeVisible();
  await endBanner();
  await expect(page.locator('.channel-banner')).toHaveCount(0);
  await expect(page.locator('canvas')).toHaveCount(0);
  await expect(page.locator('html')).not.toHaveAttribute('data-confetti');
});

test('guests read, and find the way in and the news', async ({ page, server }) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 5);
  await page.setViewportSize({ width: 360, height: 740 });
  await openChannel(page, star.id);
  await expect(page.getByText('Log in to join the conversation')).toBeVisible();
  await expect(page.locator('.chat').getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    `/login?lang=en&next=%2Fen%2Fcommunity%2F${star.id}`,
  );
  await expect(page.getByRole('button', { name: 'Join Channel' })).toHaveCount(0);
  await expect(page.getByText('No recent articles found.')).toBeHidden();
  await page.getByRole('button', { name: 'Latest News' }).click();
  await expect(page.getByText('No recent articles found.')).toBeVisible();
});

test('is accessible in every language, on phones and desktops, for guests and members', async ({
  browser,
  page,
  server,
}) => {
  test.slow();
  const star = await newStar(server);
  await fillChannel(server, star.id, 12);
  const fan = await newFan(browser, server, { member: star.id });
  for (const [at, lang] of languages.entries()) {
    const width = at % 2 === 0 ? 360 : 1280;
    const visitor = at === 0 || at === 3 ? page : fan.page;
    await visitor.setViewportSize({ width, height: 800 });
    await openChannel(visitor, star.id, lang);
    await expect(visitor.locator('.chat-instead a, .chat textarea')).toBeVisible();
    await expectAccessible(visitor);
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await fan.context.close();
});

test.describe('keeping the peace', () => {
  test('a fan deletes an own message, reports one, and blocks its writer', async ({ browser, server }) => {
    test.slow();
    const star = await newStar(server);
    const firstFan = await newFan(browser, server, { member: star.id });
    const secondFan = await newFan(browser, server, { member: star.id });
    await keepToasts(firstFan.page);
    await openChannel(firstFan.page, star.id);
    await openChannel(secondFan.page, star.id);
    const menuOf = (fan: typeof firstFan, text: string) =>
      fan.page.locator('.message', { hasText: text }).getByRole('button', { name: /^Actions for/ });

    await say(firstFan.page, 'slip of the tongue');
    await expect(bubbles(secondFan.page)).toHaveText(['slip of the tongue']);
    await menuOf(firstFan, 'slip').focus();
    await firstFan.page.keyboard.press('Enter');
    await expect(firstFan.page.getByRole('menuitem')).toHaveText(['Delete']);
    await firstFan.page.keyboard.press('Enter');
    const dialog = firstFan.page.getByRole('dialog');
    await expect(dialog).toContainText('Delete this message?');
    await expectAccessible(firstFan.page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    for (const { page } of [firstFan, secondFan])
      await expect(page.locator('.message-deleted')).toHaveText('This message was deleted.');
    await expect(firstFan.page.locator('.chat-log')).toBeFocused();

    await say(secondFan.page, 'something rude');
    await menuOf(firstFan, 'rude').click();
    await firstFan.page.getByRole('menuitem', { name: 'Report' }).click();
    await dialog.getByLabel('Insults or harassment').check();
    await dialog.getByLabel('Details (optional)').fill('it was rude');
    await expectAccessible(firstFan.page);
    await dialog.getByRole('button', { name: 'Report' }).click();
    await expect(firstFan.page.locator('#toast')).toContainText('The moderators will look into it.');
    await expect(menuOf(firstFan, 'rude')).toBeFocused();

    const otherTab = await firstFan.context.newPage();
    await openChannel(otherTab, star.id);
    await expect(bubbles(otherTab)).toHaveText(['something rude']);
    await firstFan.page.bringToFront();
    await menuOf(firstFan, 'rude').focus();
    await firstFan.page.keyboard.press('Enter');
    await firstFan.page.keyboard.press('ArrowDown');
    await firstFan.page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Block' }).click();
    for (const tab of [firstFan.page, otherTab]) await expect(bubbles(tab)).toHaveCount(0);
    await expect(firstFan.page.locator('.chat-log')).toBeFocused();
    await otherTab.close();
    await say(secondFan.page, 'still here');
    await expect(bubbles(secondFan.page)).toHaveText(['something rude', 'still here']);
    await firstFan.page.reload();
    await expect(firstFan.page.locator('.chat textarea')).toBeVisible();
    await expect(bubbles(firstFan.page)).toHaveCount(0);
    await firstFan.page.getByRole('button', { name: 'Channel menu' }).click();
    await firstFan.page.getByRole('menuitem', { name: 'Blocked people' }).click();
    await dialog.getByRole('button', { name: `Unblock: ${secondFan.name}` }).click();
    await expect(dialog).toContainText('You haven’t blocked anyone.');
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
    // A menu that is opened before the dialog has said that it closed keeps the focus.
    await firstFan.page.evaluate(() => {
      document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
      document.querySelector<HTMLElement>('[data-channel-tools] button')?.click();
    });
    await expect(bubbles(firstFan.page)).toHaveText(['something rude', 'still here']);
    await firstFan.page.getByRole('menuitem', { name: 'Leave channel' }).click();
    await dialog.getByRole('button', { name: 'Leave channel' }).click();
    await expect(firstFan.page.getByText('Join the channel to send messages')).toBeVisible();
    for (const { context } of [firstFan, secondFan]) await context.close();
  });

  test('a moderator slows the channel, mutes a fan, and decides a report', async ({ browser, server }) => {
    test.slow();
    const star = await newStar(server);
    const fan = await newFan(browser, server, { member: star.id });
    const editor = await newFan(browser, server, { member: star.id, role: 'editor' });
    await keepToasts(editor.page);
    await openChannel(fan.page, star.id);
    await openChannel(editor.page, star.id);
    const dialog = editor.page.getByRole('dialog');
    const openModeration = async () => {
      await editor.page.getByRole('button', { name: 'Channel menu' }).click();
      await editor.page.getByRole('menuitem', { name: 'Moderation' }).click();
    };
    await openModeration();
    // The longest: what follows is to happen before it is over.
    await dialog.getByLabel('Slow mode').selectOption('5 minutes');
    await expectAccessible(editor.page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(fan.page.getByText('Slow mode: one message every 5 minutes')).toBeVisible();
    await say(fan.page, 'one for now');
    await expect(fan.page.locator('#chat-note')).toHaveText(
      /^You can send again in \d+ (?:second|minute)s?\.$/,
    );
    await expect(fan.page.getByRole('button', { name: 'Send message' })).toBeDisabled();
    await fan.page.locator('.chat textarea').fill('too soon');
    await fan.page.locator('.chat textarea').press('Enter');
    await expect(fan.page.locator('.chat textarea')).toHaveValue('too soon');
    await expect(bubbles(editor.page)).toHaveText(['one for now']);

    await editor.page.getByRole('button', { name: /^Actions for/ }).click();
    await editor.page.getByRole('menuitem', { name: `Mute ${fan.name}` }).click();
    await dialog.getByLabel('1 hour').check();
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await expect(editor.page.locator('#toast')).toContainText(`${fan.name} is muted.`);
    await fan.page.reload();
    await expect(fan.page.getByText(/^You can’t send messages until \d\d:\d\d\.$/)).toBeVisible();

    // Its menu has room neither above in the log nor below in the window.
    await editor.page.evaluate(() => scrollTo(0, 0));
    await editor.page.getByRole('button', { name: /^Actions for/ }).click();
    await editor.page.getByRole('menuitem', { name: 'Report' }).click();
    await dialog.getByRole('button', { name: 'Report' }).click();
    await openModeration();
    await dialog.getByRole('button', { name: `Unmute: ${fan.name}` }).click();
    await expect(dialog).toContainText('Nobody is muted.');
    await setVisibility(fan.page, 'visible');
    await expect(fan.page.locator('.chat textarea')).toBeVisible();
    const report = dialog.locator('.chat-reports li', { hasText: star.name });
    await report.getByRole('button', { name: 'Delete message' }).click();
    await expect(report).toHaveCount(0);
    await expect(fan.page.locator('.message-deleted')).toHaveText('This message was deleted.');
    for (const { context } of [fan, editor]) await context.close();
  });
});

test('a moderator is given the next reports when those of the first page are decided', async ({
  browser,
  server,
}) => {
  const star = await newStar(server);
  await fillChannel(server, star.id, 2);
  const { page, context } = await newFan(browser, server, { member: star.id, role: 'editor' });
  await withDatabase(
    server,
    (sql) => sql`insert into message_reports (message_id, reporter_id, reason)
      select m.id, m.user_id, 'spam' from messages m join channels c on c.id = m.channel_id where c.star_id = ${star.id} order by m.id`,
  );
  // A page has one of this channel's: other tests report in theirs.
  await page.route('**/api/community/reports?*', async (route) => {
    const response = await route.fetch({ url: `${route.request().url()}&limit=100` });
    const { reports, pagination }: ReportList = await response.json();
    const own = reports.filter(({ starId }) => starId === star.id);
    const json = { reports: own.slice(0, 1), pagination: { ...pagination, total: own.length } };
    await route.fulfill({ response, json });
  });
  await openChannel(page, star.id);
  await page.getByRole('button', { name: 'Channel menu' }).click();
  await page.getByRole('menuitem', { name: 'Moderation' }).click();
  const reports = page.locator('.chat-reports li', { hasText: star.name });
  for (const words of ['message 2', 'message 1']) {
    await expect(reports).toHaveCount(1);
    await expect(reports).toContainText(words);
    await reports.getByRole('button', { name: 'Dismiss' }).click();
  }
  await expect(reports).toHaveCount(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});

test.describe('a channel on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  for (const javaScriptEnabled of [false, true])
    test(`shows no face outside the chat ${javaScriptEnabled ? 'before its script has come' : 'without JavaScript'}`, async ({
      browser,
      server,
    }) => {
      const context = await browser.newContext({
        javaScriptEnabled,
        baseURL: server.url,
        viewport: { width: 360, height: 740 },
      });
      const page = await context.newPage();
      await page.route('**/mount*.js', (route) => route.abort());
      await page.goto('/en/community/1');
      const faces = page.locator('.message-face');
      expect(await faces.count()).toBeGreaterThan(3);
      const strays = await faces.evaluateAll((elements) =>
        elements.flatMap((face) => {
          const { left, right, top, bottom } = face.getBoundingClientRect();
          const log = face.closest('.chat-log')?.getBoundingClientRect() ?? new DOMRect();
          const middle = (top + bottom) / 2;
          const inside = middle >= log.top && middle <= log.bottom;
          const isVisible = document.elementFromPoint((left + right) / 2, middle) === face;
          return inside || !isVisible ? [] : [face.textContent];
        }),
      );
      expect(strays).toEqual([]);
      await context.close();
    });

  test('ends with the chat, and its tools stand at the edge of the screen', async ({
    browser,
    page,
    server,
  }) => {
    await page.goto('/en/community/1');
    await expect(page.locator('.chat-instead')).toContainText(/log ?in/i);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(740);
    const language = await page.locator('.language-menu summary').boundingBox();
    expect(360 - (language?.x ?? 0) - (language?.width ?? 0)).toBeLessThan(16);
    const fan = await newFan(browser, server);
    await fan.page.setViewportSize({ width: 360, height: 740 });
    await openChannel(fan.page, 1);
    const menu = fan.page.getByRole('button', { name: 'Channel menu' });
    await expect(menu).toBeVisible();
    const languageMenu = await fan.page.locator('.language-menu summary').first().boundingBox();
    const menuBox = await menu.boundingBox();
    expect((languageMenu?.x ?? 0) + (languageMenu?.width ?? 0)).toBeLessThanOrEqual((menuBox?.x ?? 0) + 1);
    // A press leaves it under a pointer: its dots stay white on dark.
    await menu.hover();
    const ground = await menu.evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(ground).not.toMatch(/^rgb\(/);
    await fan.context.close();
  });
});

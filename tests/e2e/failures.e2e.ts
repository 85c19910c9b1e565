import type { Page, Route } from '@playwright/test';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { demoAccounts } from '#tests/kit/cluster.ts';

test.use({ locale: 'en-GB' });

/** An answer of the server in which one text became something that cannot be drawn. */
const broken = (change: (answer: Record<string, unknown>) => object) => async (route: Route) => {
  const answer = await route.fetch();
  await route.fulfill({ json: change(await answer.json()) });
};
const noText = { crash: true };

/** How each island is made to crash, and what of its page stays readable. */
const islands = {
  'the star filter': {
    path: '/en',
    answers: '**/api/stars?**',
    change: () => [{ id: 1, name: noText }],
    start: (page: Page) => page.locator('.my-stars').click(),
    again: () => Promise.resolve(),
    stays: '.card-link',
  },
  'the chat': {
    path: '/en/community/1',
    answers: '**/words/chat.json',
    change: (words: object) => ({ ...words, loginToChat: noText }),
    start: (page: Page) => page.locator('[data-chat]').scrollIntoViewIfNeeded(),
    again: () => Promise.resolve(),
    stays: '[data-message], .channel-news a',
  },
  'the calendar': {
    path: '/en/events',
    answers: '**/words/events.json',
    change: (words: object) => ({ ...words, calendarTitle: noText }),
    start: (page: Page) => page.locator('[data-calendar]').scrollIntoViewIfNeeded(),
    again: () => Promise.resolve(),
    stays: '.header a',
  },
  'event verification': {
    path: '/admin/events/verification?lang=en',
    answers: '**/api/admin/events/verification/pending?**',
    change: (list: object) => ({ ...list, events: [{ title: noText }] }),
    start: (page: Page) => page.getByRole('searchbox').fill('concert'),
    again: (page: Page) => page.getByRole('searchbox').fill('concert'),
    stays: '.admin h1',
  },
} as const;

for (const [island, { path, answers, change, start, again, stays }] of Object.entries(islands)) {
  test(`${island} that crashes leaves the page, offers three retries and then only a full reload`, async ({
    page,
  }) => {
    if (path.startsWith('/admin')) await page.request.post('/api/auth/login', { data: demoAccounts.admin });
    await page.route(answers, broken(change));
    await page.goto(path);
    await start(page);
    const alert = page.getByRole('alert').filter({ has: page.getByRole('heading', { name: 'App error' }) });
    for (const left of [3, 2, 1]) {
      await alert.getByRole('button', { name: `Try again (${left} left)` }).click();
      await again(page);
    }
    await expect(alert).toContainText('Rendering error, restart the app');
    await expect(alert.getByRole('button')).toHaveText(['Reload the page']);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.locator(stays).first()).toBeVisible();
  });
}

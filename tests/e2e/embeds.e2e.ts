import { createHash, randomBytes } from 'node:crypto';
import type { Page, Route } from '@playwright/test';
import postgres from 'postgres';
import { embedPlatforms, playerOrigins } from '#content/embed-platforms.ts';
import { expect, expectAccessible, expectNoThirdParty, picturesInSight, test } from '#tests/kit/browser.ts';

/** The hosts of the players, which no test may reach: each test says what they answer. */
const players = (url: URL) => playerOrigins().includes(url.origin);

/** A player as YouTube's behaves: it answers the page that listens. */
const youtube = (answer: object) => `<!doctype html><title>player</title><p>player</p><script>
  addEventListener('message', ({ data }) => {
    if (String(data).includes('listening')) parent.postMessage(${JSON.stringify(JSON.stringify(answer))}, '*');
  });
</script>`;

const playing = (route: Route) =>
  route.fulfill({ contentType: 'text/html', body: youtube({ event: 'onReady' }) });

/** The demo's story that has embeds of every platform. */
const story = 48;
const openStory = (page: Page) => page.goto(`/en/article/${story}`);

/** Stops the page's clock, so that a test says how much time passes. */
async function stopTime(page: Page): Promise<void> {
  // A slow machine may come too late for it: its clock stands already, and the next try moves it on.
  await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))).toPass();
}

/** Presses Find More and lets the two seconds begin. */
async function findMore(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Find More' });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
}

/** axe needs time to pass. */
async function expectAccessibleWhileStopped(page: Page): Promise<void> {
  await page.clock.resume();
  await expectAccessible(page);
  await stopTime(page);
}

const firstVideo = (page: Page) => page.locator('.related-videos .embed').first();

test('nobody else is asked before a click, and then only the player that was clicked', async ({ page }) => {
  const requestedHosts: string[] = [];
  await page.route(players, (route) => {
    requestedHosts.push(new URL(route.request().url()).host);
    return playing(route);
  });
  await openStory(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await picturesInSight(page);
  expectNoThirdParty(page);
  await firstVideo(page).getByRole('link').click();
  const frame = firstVideo(page).locator('iframe');
  await expect(frame).toHaveAttribute('title', /^YouTube: PADOBAN/);
  await expect(frame).toHaveAttribute('src', /youtube-nocookie\.com\/embed\/byeoldemo01\?autoplay=1/);
  await expect(frame).toHaveAttribute('referrerpolicy', 'strict-origin-when-cross-origin');
  await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
  await expect(firstVideo(page).frameLocator('iframe').getByText('player')).toBeVisible();
  expect(new Set(requestedHosts)).toEqual(new Set(['www.youtube-nocookie.com']));
});

test('a video says how long it is, whose it is and how often it was seen', async ({ page }) => {
  await openStory(page);
  await expect(page.locator('.related-videos .embed')).toHaveCount(2);
  await expect(firstVideo(page).locator('.embed-duration')).toHaveText('1:08');
  await expect(firstVideo(page).locator('.embed-meta')).toContainText('PADOBAN');
  await expect(firstVideo(page).locator('.embed-meta')).toContainText(/1\.3m views/i);
});

test.describe('a player that fails', () => {
  test('is given up after ten seconds of silence and can be tried again', async ({ page }) => {
    await page.clock.install();
    let silent = true;
    await page.route(players, (route) => (silent ? undefined : playing(route)));
    await openStory(page);
    await stopTime(page);
    await firstVideo(page).getByRole('link').click();
    await expect(firstVideo(page).locator('iframe')).toHaveCount(1);
    await page.clock.runFor(9_900);
    await expect(firstVideo(page).getByRole('alert')).toHaveCount(0);
    await page.clock.runFor(200);
    const failure = firstVideo(page).getByRole('alert');
    await expect(failure).toContainText('Failed to load YouTube content');
    await expect(firstVideo(page).locator('iframe')).toHaveCount(0);
    await expectAccessibleWhileStopped(page);
    const tryAgain = failure.getByRole('button', { name: 'Try Again' });
    silent = false;
    // Who listens last hears it last: the page has heard that the player is there when we do.
    await page.evaluate(() => {
      addEventListener('message', () => {
        document.documentElement.dataset.heard = '';
      });
    });
    await tryAgain.click();
    await expect(tryAgain).toBeDisabled();
    await page.clock.runFor(100);
    await expect(firstVideo(page).frameLocator('iframe').getByText('player')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-heard');
    await page.clock.runFor(30_000);
    await expect(firstVideo(page).getByRole('alert')).toHaveCount(0);
  });

  test('says so when the platform reports an error', async ({ page }) => {
    await page.route(players, (route) =>
      route.fulfill({ contentType: 'text/html', body: youtube({ event: 'onError', info: 150 }) }),
    );
    await openStory(page);
    await firstVideo(page).getByRole('link').click();
    await expect(firstVideo(page).getByRole('alert')).toContainText('Failed to load YouTube content');
  });

  test('does not pass for loaded when the browser shows its own error page', async ({ page }) => {
    await page.clock.install();
    await page.route(players, (route) => route.abort());
    await openStory(page);
    await stopTime(page);
    await firstVideo(page).getByRole('link').click();
    await expect(firstVideo(page).locator('iframe')).toHaveCount(1);
    await expect(firstVideo(page).locator('.embed-box')).not.toHaveAttribute('aria-busy');
    await page.clock.runFor(10_100);
    await expect(firstVideo(page).getByRole('alert')).toContainText('Failed to load YouTube content');
  });
});

test.describe('many embeds', () => {
  test('fold by platform, and what is folded stops playing', async ({ page }) => {
    await page.route(players, playing);
    await openStory(page);
    const group = page.locator('[data-group="tiktok"]');
    await expect(group).toHaveAttribute('open');
    await group.getByRole('link').click();
    await expect(group.locator('iframe')).toHaveCount(1);
    await group.locator('summary').click();
    await expect(group).not.toHaveAttribute('open');
    await expect(group.locator('iframe')).toHaveCount(0);
  });

  test('fold by platform, YouTube as well', async ({ page }) => {
    await page.route(players, playing);
    await openStory(page);
    const group = page.locator('[data-group="youtube"]').first();
    await expect(group).toHaveAttribute('open');
    await firstVideo(page).getByRole('link').click();
    await expect(group.locator('iframe')).toHaveCount(1);
    await group.locator('summary').focus();
    await page.keyboard.press('Enter');
    await expect(firstVideo(page)).toBeHidden();
    await expect(group.locator('iframe')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(firstVideo(page)).toBeVisible();
  });

  test('hide and show all at once, the related videos with the others', async ({ page }) => {
    await page.route(players, playing);
    await openStory(page);
    const groups = page.locator('#embed-groups');
    await firstVideo(page).getByRole('link').click();
    await expect(firstVideo(page).locator('iframe')).toHaveCount(1);
    await page.getByRole('button', { name: 'Hide All' }).click();
    await expect(groups).toBeHidden();
    await expect(page.locator('.multimedia [data-embed]:visible')).toHaveCount(0);
    await expect(page.locator('.multimedia iframe')).toHaveCount(0);
    const show = page.getByRole('button', { name: 'Show All' });
    await expect(show).toHaveAttribute('aria-expanded', 'false');
    await expectAccessible(page);
    await show.click();
    await expect(groups).toBeVisible();
    await expect(firstVideo(page)).toBeVisible();
  });

  test('grow to the height that a post tells, and only the post itself may tell it', async ({ page }) => {
    await page.route(players, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>setTimeout(() => parent.postMessage(JSON.stringify({ type: 'MEASURE', details: { height: 612.5 } }), '*'), 50)</script>`,
      }),
    );
    await openStory(page);
    const card = page.locator('[data-platform="instagram"]').first();
    await card.getByRole('link').click();
    await expect(card.locator('iframe')).toHaveAttribute('style', 'height: 612px;');
    // Who listens first hears it first: the page has heard it when we do.
    await page.evaluate(() =>
      new Promise((heard) => {
        addEventListener('message', heard, { once: true });
        postMessage(JSON.stringify({ height: 99 }), '*');
      }).then(() => undefined),
    );
    await expect(card.locator('iframe')).toHaveAttribute('style', 'height: 612px;');
  });
});

test.describe('Find More', () => {
  test('waits two seconds, says so, and adds what is new', async ({ page }) => {
    await page.clock.install();
    await openStory(page);
    await stopTime(page);
    let requestCount = 0;
    await page.route(`**/api/articles/${story}/multimedia?language=en`, async (route) => {
      requestCount += 1;
      const { embeds } = await (await page.request.get(route.request().url())).json();
      const newEmbed = {
        ...embeds[2],
        id: 999_999,
        platform: 'spotify',
        embedType: 'track',
        embedId: 'byeolnew1',
      };
      const text = { title: 'A <b>new</b> song', metadata: { duration: 'PT3M4S', viewCount: 12_345 } };
      await route.fulfill({ json: { embeds: [...embeds, { ...newEmbed, ...text }] } });
    });
    await findMore(page);
    await expect(page.getByRole('status').filter({ hasText: 'Looking for more' })).toBeVisible();
    await page.clock.runFor(1_900);
    expect(requestCount).toBe(0);
    await page.clock.runFor(200);
    await expect(page.getByRole('status').filter({ hasText: 'Found 1 more.' })).toBeVisible();
    const card = page.locator('[data-group="spotify"] [data-embed="999999"]');
    await expect(card.locator('.embed-title')).toHaveText('A <b>new</b> song');
    await expect(card.locator('.embed-duration')).toHaveText('3:04');
    await expect(page.locator('[data-group="spotify"] .section-count')).toHaveText('2');
    await expectAccessibleWhileStopped(page);
    await findMore(page);
    await page.clock.runFor(2_100);
    await expect(page.getByRole('status').filter({ hasText: 'Nothing new yet.' })).toBeVisible();
  });

  test('says that it failed and tries again', async ({ page }) => {
    await page.clock.install();
    await openStory(page);
    await stopTime(page);
    let refused = true;
    await page.route(`**/api/articles/${story}/multimedia?language=en`, (route) =>
      refused ? route.fulfill({ status: 404, json: { error: 'gone', code: 'not_found' } }) : route.continue(),
    );
    await findMore(page);
    await page.clock.runFor(2_100);
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to load multimedia content.' });
    await expect(failure).toBeVisible();
    await expectAccessibleWhileStopped(page);
    refused = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect(failure).toBeHidden();
    await page.clock.runFor(2_100);
    await expect(page.getByRole('status').filter({ hasText: 'Nothing new yet.' })).toBeVisible();
  });
});

test('a poster that fails is asked for smaller, then the mark of the star takes its place', async ({
  page,
}) => {
  await page.route('**/16x9-480.avif', (route) => route.fulfill({ status: 404 }));
  await openStory(page);
  const poster = firstVideo(page).locator('img');
  await poster.scrollIntoViewIfNeeded();
  await expect(poster).toHaveAttribute('src', /3x2-400\.webp$/);
  await page.route('**/3x2-400.webp', (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await poster.scrollIntoViewIfNeeded();
  await expect(poster).toHaveAttribute('src', /^\/media\/star-padoban-mark\.svg$/);
});

test.describe('the test page of embeds', () => {
  /** A session of a new account with a role, as the database knows it. */
  async function sessionOf(databaseUrl: string, role: 'user' | 'admin'): Promise<string> {
    const token = randomBytes(32).toString('hex');
    const name = `embeds_${role}_${token.slice(0, 6)}`;
    const sql = postgres(databaseUrl, { max: 1 });
    const [user] = await sql<{ id: number }[]>`
      insert into users (username, username_key, role, language) values (${name}, ${name}, ${role}, 'en') returning id`;
    await sql`insert into sessions (id, user_id, expires_at)
      values (${createHash('sha256').update(token).digest('hex')}, ${user?.id ?? 0}, now() + interval '1 day')`;
    await sql.end();
    return token;
  }

  test('does not exist for visitors and fans', async ({ page, context, server }) => {
    expect((await page.goto('/test-embeds'))?.status()).toBe(404);
    const token = await sessionOf(server.databaseUrl, 'user');
    await context.addCookies([{ name: 'byeol_session', value: token, url: server.url }]);
    expect((await page.goto('/test-embeds'))?.status()).toBe(404);
  });

  test('shows admins every platform, one that is unknown and one that fails', async ({
    page,
    context,
    server,
  }) => {
    const token = await sessionOf(server.databaseUrl, 'admin');
    await context.addCookies([{ name: 'byeol_session', value: token, url: server.url }]);
    const response = await page.goto('/test-embeds');
    expect(response?.status()).toBe(200);
    expect(response?.headers()['cache-control']).toContain('no-store');
    for (const platform of embedPlatforms) {
      await expect(page.locator(`.embed[data-platform="${platform}"]`).first()).toBeVisible();
    }
    await expect(page.getByText('Unsupported platform: vimeo')).toBeVisible();
    const broken = page.locator('[data-group="spotify"] .embed').last();
    await broken.getByRole('link').click();
    await expect(broken.getByRole('alert')).toContainText('Failed to load Spotify content');
    expectNoThirdParty(page);
    await expectAccessible(page);
  });
});

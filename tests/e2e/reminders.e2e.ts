import type { APIRequestContext } from '@playwright/test';
import postgres from 'postgres';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { demoAccounts } from '#tests/kit/cluster.ts';
import { delayTimers } from '#tests/kit/page-timers.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';

let fanCount = 0;

interface Fan {
  email: string;
  password: string;
  token: string;
  headers: Record<string, string>;
}

/** An account of its own, with the cookie of its session in the context that asked. */
async function newFan(request: APIRequestContext): Promise<Fan> {
  const name = `rem_${Date.now().toString(36)}_${++fanCount}`.slice(-20);
  const password = '바다 건너는 별 31';
  const email = `${name}@byeol.example`;
  const answer = await request.post('/api/auth/register', {
    data: {
      email,
      username: name,
      password,
      confirmPassword: password,
      language: 'en',
    },
  });
  expect(answer.status()).toBe(200);
  const { token } = await answer.json();
  return { email, password, token, headers: { authorization: `Bearer ${token}` } };
}

/** The next event that is more than a day away: its reminder of one day is still to come. */
async function comingEvent(request: APIRequestContext): Promise<{ id: number; title: string }> {
  const { events } = await (await request.get('/api/events?limit=100&language=en')).json();
  const upcomingEvent = events.find(
    (event: { startTime: string; status: string }) =>
      event.status === 'upcoming' && Date.parse(event.startTime) > Date.now() + 3 * 86_400_000,
  );
  return upcomingEvent;
}

test.beforeEach(async ({ server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`delete from rate_limits`;
  await sql.end();
});

test('a fan without JavaScript changes reminders, gets a private calendar and ends both', async ({
  page,
  server,
}) => {
  const { request } = page;
  const asGuest = await request.get('/profile?lang=en&remind=7', { maxRedirects: 0 });
  expect(asGuest.headers().location).toBe('/login?lang=en&next=%2Fprofile%3Fremind%3D7');
  await newFan(request);
  const event = await comingEvent(request);
  const visit = new PlainVisit(request, server.url);
  await visit.goto('/profile?lang=en');
  expect(visit.text('main')).toContain('No events yet');
  await visit.goto(`/en/events/${event.id}`);
  await visit.follow('Remind me');
  await visit.press('Remind me');
  expect(visit.text('main')).toContain('Your reminders are saved.');
  const missing = visit.texts('.reminder-missing li');
  expect(missing).toHaveLength(2);
  expect(missing[0]).toMatch(/^Emails won’t arrive/);
  expect(missing[1]).toMatch(/^Push notifications won’t arrive/);
  expect(visit.texts('.my-event h3')).toEqual([event.title]);
  expect(visit.texts('.my-event .reminder')).toHaveLength(4);
  expect(visit.text('.my-event .reminder')).toMatch(/1 day before · Email\s*Planned for/);
  expect(visit.value('time-1h')).toBeDefined();
  await visit.press('Save reminders', { push: null, 'time-1h': null, 'time-3h': 'on' });
  expect(visit.text('main')).toContain('Your reminders are saved.');
  expect(visit.texts('.my-event .reminder')).toHaveLength(2);
  expect(visit.texts('.my-event .reminder').at(-1)).toContain('3 hours before · Email');

  const all = Object.fromEntries(['1w', '3d', '1d', '3h', '1h', '15m'].map((time) => [`time-${time}`, 'on']));
  expect(await visit.press('Save reminders', { ...all, email: null, type: 'going' })).toBe(400);
  expect(visit.texts('.my-events > .account-failure')).toEqual(['']);
  expect(visit.text('.my-event-more[open] .account-failure')).toBe('Choose at most 5 times.');
  expect([...Object.keys(all), 'email', 'type'].map((name) => visit.value(name))).toEqual([
    ...Object.values(all),
    undefined,
    'going',
  ]);
  await visit.press('Save reminders', { 'time-1w': null, 'time-3d': null, email: 'on', push: null });
  expect(visit.texts('.my-event .reminder')).toHaveLength(4);

  await visit.press('Create subscription link');
  const address = visit.attribute('#calendar-address', 'value') ?? '';
  expect(await (await request.get(address)).text()).toContain(`UID:event-${event.id}@localhost`);
  expect(visit.attribute('.calendar-new a', 'href')).toBe(address.replace('http:', 'webcal:'));
  await visit.goto('/profile?lang=en');
  expect(visit.texts('#calendar-address')).toEqual([]);
  await visit.press('Turn the link off');
  expect(visit.text('main')).toContain('The calendar link is off.');
  expect((await request.get(address)).status()).toBe(404);

  await visit.press(`Remove from my events: ${event.title}`);
  expect(visit.text('main')).toContain('Removed from your events.');
  expect(visit.texts('.my-event')).toEqual([]);
});

test('without a connection a form says so, and keeps what was typed', async ({ page, context }) => {
  await newFan(page.request);
  await page.goto('/profile?lang=ms');
  // The account's language, not the page's.
  await expect(page.locator('#language')).toHaveValue('en');
  await page.waitForLoadState('networkidle');
  const name = page.locator('#displayName');
  await name.fill('Dalam terowong');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Simpan', exact: true }).click();
  await expect(page.locator('#toast')).toContainText('Anda di luar talian');
  await expect(name).toHaveValue('Dalam terowong');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Simpan', exact: true }).click();
  await expect(page.locator('.profile-saved')).toBeVisible();
  await expect(page.locator('h1')).toHaveText('Dalam terowong');
});

test('an event that was taken off in another tab is off here, too', async ({ page }) => {
  const fan = await newFan(page.request);
  const event = await comingEvent(page.request);
  await page.goto(`/en/events/${event.id}`);
  await page.locator('.event-actions').getByRole('button', { name: 'Remind me' }).click();
  const section = page.locator('#reminders');
  await expect(section).toBeVisible();
  await page.request.delete(`/api/events/${event.id}/subscribe`, { headers: fan.headers });
  await section.getByRole('button', { name: 'Save reminders' }).click();
  await expect(page.locator('#toast')).toHaveText('No reminders for this event.');
  await expect(section).toBeHidden();
});

test('a page without JavaScript promises no sharing', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const page = await context.newPage();
  const event = await comingEvent(context.request);
  await page.goto(`/en/events/${event.id}`);
  await expect(page.getByText('Share')).toBeHidden();
  await context.close();
});

test('an event’s page has one button that reminds, and how and when for whoever is to be reminded', async ({
  page,
  context,
}) => {
  const { id } = await comingEvent(context.request);
  await page.goto(`/en/events/${id}`);
  const section = page.locator('#reminders');
  const remind = page.locator('.event-actions [data-subscribe]');
  await expect(page.getByText(/remind/i).filter({ visible: true })).toHaveText(['Remind me']);
  await remind.click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    /next=/,
  );
  const fan = await newFan(context.request);
  await page.addInitScript((token) => localStorage.setItem('auth_token', token), fan.token);
  await page.reload();
  await expect(remind).toHaveAttribute('aria-pressed', 'false');
  await expect(section).toBeHidden();
  await remind.click();
  await expect(section.getByLabel('1 day before')).toBeChecked();
  await expect(section.getByLabel('Interested')).toBeChecked();
  await expect(remind).toHaveText('In your events');
  const missing = section.locator('[data-missing]').filter({ visible: true });
  await expect(missing).toHaveCount(2);
  await section.getByLabel('Push').uncheck();
  await expect(missing).toHaveText(/^Emails won’t arrive: confirm your address/);
  await section.getByLabel('Push').check();
  await expect(section.getByRole('link', { name: 'Turn notifications on' })).toHaveAttribute(
    'href',
    '/profile?lang=en#notifications',
  );
  await section.getByRole('button', { name: 'Send the email again' }).click();
  await expect(page.locator('#toast')).toHaveText('The email is on its way.');
  await section.getByLabel('1 day before').uncheck();
  await section.getByLabel('3 days before').check();
  await section.getByRole('button', { name: 'Save reminders' }).click();
  await expect(page.locator('#toast')).toHaveText('Your reminders are saved.');
  await expect(remind).toHaveAttribute('aria-pressed', 'true');
  for (const box of await section.locator('[name^="time-"]').all()) await box.check();
  await section.getByRole('button', { name: 'Save reminders' }).click();
  await expect(page.locator('#toast')).toHaveText('Choose at most 5 times.');
  for (const box of await section.locator('[name^="time-"]').all()) await box.uncheck();
  await section.getByRole('button', { name: 'Save reminders' }).click();
  await expect(page.locator('#toast')).toHaveText('No reminders for this event.');
  await section.getByLabel('3 days before').check();
  await section.getByRole('button', { name: 'Save reminders' }).click();
  await expect(page.locator('#toast')).toHaveText('Your reminders are saved.');
  await page.reload();
  await expect(section.getByLabel('3 days before')).toBeChecked();
  await expect(section.getByLabel('1 day before')).not.toBeChecked();
  await expectAccessible(page);
  await remind.click();
  await expect(remind).toHaveAttribute('aria-pressed', 'false');
  await expect(section).toBeHidden();
});

test('a fan turns notifications of this browser on and off, and pages never come from the worker', async ({
  page,
  context,
  server,
}) => {
  const fan = await newFan(context.request);
  await context.grantPermissions(['notifications']);
  // A login waits for the browser's notifications for three seconds, in which a slow machine may not take them over.
  await delayTimers(page, 3_000);
  await page.addInitScript((token) => {
    if (!sessionStorage.getItem('left')) localStorage.setItem('auth_token', token);
    // A browser without windows asks nobody, and no push service can be reached here: the permission and the browser's own
    // subscription are what is not real.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    let subscription: PushSubscription | null = null;
    const bytes = (length: number) => new Uint8Array(length).fill(7);
    const text = (length: number) => btoa(String.fromCharCode(...bytes(length))).replace(/=+$/, '');
    // Another load of the page finds what the one before left.
    const stored = () => sessionStorage.getItem('subscribed to');
    const subscribe = async (applicationServerKey: string) => {
      sessionStorage.setItem('subscribed to', applicationServerKey);
      const endpoint = `https://93.184.215.14/push/e2e-${applicationServerKey.slice(0, 4)}`;
      const key = Uint8Array.from(
        atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')),
        (sign) => sign.charCodeAt(0),
      );
      const created: PushSubscription = Object.assign(Object.create(null), {
        endpoint,
        options: { applicationServerKey: key.buffer },
        toJSON: () => ({ endpoint, keys: { p256dh: text(65), auth: text(16) } }),
        unsubscribe: async () => {
          subscription = null;
          sessionStorage.removeItem('subscribed to');
          return true;
        },
      });
      subscription = created;
      return created;
    };
    PushManager.prototype.getSubscription = async () => {
      const key = stored();
      return key === null ? null : (subscription ?? subscribe(key));
    };
    PushManager.prototype.subscribe = async (options) => subscribe(String(options?.applicationServerKey));
  }, fan.token);
  const sql = postgres(server.databaseUrl, { max: 1 });
  const countSubscriptions = async () =>
    (await sql`select from push_subscriptions where endpoint like '%/push/e2e-%'`).length;
  await page.goto('/profile?lang=en');
  await expect(page.getByText('Notifications are off in this browser.')).toBeVisible();
  await page.getByRole('button', { name: 'Turn notifications on' }).click();
  await expect(page.getByText('Notifications are on in this browser.')).toBeVisible();
  expect(await countSubscriptions()).toBe(1);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)).toMatch(
    /\/sw\.js$/,
  );
  // Our keys have changed since: the browser takes the new one, and the old address goes.
  await page.evaluate(() => sessionStorage.setItem('subscribed to', `OLD_${'A'.repeat(83)}`));
  await page.reload();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('subscribed to'))).not.toMatch(/^OLD_/);
  await expect.poll(countSubscriptions).toBe(1);
  await expect(page.getByText('Notifications are on in this browser.')).toBeVisible();
  const worker = await (await page.request.get('/sw.js')).text();
  expect(worker).not.toMatch(/addEventListener\('fetch'/);
  await page.getByRole('button', { name: 'Turn notifications off' }).click();
  await expect(page.getByText('Notifications are off in this browser.')).toBeVisible();
  expect(await countSubscriptions()).toBe(0);
  // A browser whose subscription the server has lost, as with a session that ended, is known again after the next login.
  await page.evaluate(() => sessionStorage.setItem('subscribed to', `NEXT${'A'.repeat(83)}`));
  const logInAs = async ({ email, password }: { email: string; password: string }) => {
    // Scripts of the page before would bring their session's cookie back, and who logs in over it ends that session.
    await page.goto('/robots.txt');
    await page.evaluate(() => {
      sessionStorage.setItem('left', 'true');
      localStorage.removeItem('auth_token');
    });
    await context.clearCookies();
    await page.goto('/login?lang=en&next=/en/events');
    await page.fill('#email', email);
    await page.fill('#password', password);
    await page.locator('.account-submit').click();
    await page.waitForURL(({ pathname }) => pathname === '/en/events');
  };
  await logInAs(fan);
  const holders = () => sql`
    select email from push_subscriptions join users on users.id = user_id where endpoint like '%/push/e2e-%'`;
  expect([...(await holders())]).toEqual([{ email: fan.email }]);
  // Whoever logs in there next is not notified in a browser where they did not ask for it.
  await logInAs(demoAccounts.fan);
  expect([...(await holders())]).toEqual([{ email: fan.email }]);
  await page.goto('/profile?lang=en');
  await expect(page.getByText('Notifications are off in this browser.')).toBeVisible();
  await page.getByRole('button', { name: 'Turn notifications on' }).click();
  await expect(page.getByText('Notifications are on in this browser.')).toBeVisible();
  expect([...(await holders())]).toContainEqual({ email: demoAccounts.fan.email });
  await sql.end();
  expectNoThirdParty(page);
});

test('calendar files are public, cached, and changed by the write that changes the event', async ({
  request,
  server,
}) => {
  const { id } = await comingEvent(request);
  const address = `/en/events/${id}.ics`;
  const first = await request.get(address);
  expect(first.headers()['content-type']).toBe('text/calendar; charset=utf-8');
  const { etag = '' } = first.headers();
  expect((await request.get(address, { headers: { 'if-none-match': etag } })).status()).toBe(304);
  for (const path of ['/ms/events.ics', '/vi/star/1/events.ics'])
    expect((await (await request.get(path)).text()).startsWith('BEGIN:VCALENDAR\r\n')).toBe(true);
  for (const path of [
    '/en/events/2147483647.ics',
    '/en/events/x.ics',
    '/ja/events.ics',
    '/en/star/0/events.ics',
  ])
    expect([path, (await request.get(path)).status()]).toEqual([path, 404]);
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`update events set ticket_url = 'https://tickets.example/changed' where id = ${id}`;
  await sql`select pg_notify('byeol_invalidate', ${`event:${id}`})`;
  await sql.end();
  await expect
    .poll(async () => (await (await request.get(address)).text()).replaceAll('\r\n ', ''))
    .toContain('https://tickets.example/changed');
});

for (const lang of ['ko', 'ms']) {
  test(`my events are accessible in ${lang}, open and closed`, async ({ page, context }) => {
    const fan = await newFan(context.request);
    await page.addInitScript((token) => localStorage.setItem('auth_token', token), fan.token);
    const event = await comingEvent(context.request);
    await context.request.post(`/api/events/${event.id}/subscribe`, { headers: fan.headers, data: {} });
    await page.goto(`/profile?lang=${lang}`);
    await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
    await page.locator('.my-event summary').click();
    await expectAccessible(page, lang === 'ko' ? 'all' : 'all but colours');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
}

test('the button on an event promises a reminder only where one is still to come', async ({
  page,
  server,
}) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const open = sql`verification = 'approved' and state = 'scheduled' and precision = 'day'`;
  const [today] = await sql<
    { id: number }[]
  >`select id from events where ${open} and start_time <= now() and over_at > now() limit 1`;
  const [later] = await sql<
    { id: number }[]
  >`select id from events where ${open} and start_time > now() + interval '3 days' limit 1`;
  const fan = await newFan(page.request);
  await sql`update users set email_verified_at = now() where email_verified_at is null and username like 'rem_%'`;
  await sql.end();
  const button = page.locator('.event-actions [data-subscribe]');
  for (const [event, buttonText] of [
    [today, 'In your events'],
    [later, 'Reminder set'],
  ] as const) {
    await page.goto(`/en/events/${event?.id}`);
    await page.evaluate((token) => localStorage.setItem('auth_token', token), fan.token);
    await page.reload();
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/subscribe'));
    await button.and(page.getByRole('button', { name: 'Remind me' })).click();
    await expect(button).toHaveText(buttonText);
    await saved;
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await expect(button).toHaveText(buttonText);
  }
  const settings = page.locator('[data-reminders]');
  for (const time of ['1 day before', '1 hour before']) await settings.getByLabel(time).uncheck();
  await settings.getByRole('button', { name: 'Save reminders' }).click();
  await expect(button).toHaveText('In your events');
});

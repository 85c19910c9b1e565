import type { Page } from '@playwright/test';
import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { storageKey } from '#content/site.ts';
import { expect, expectAccessible, expectNoThirdParty, test } from '#tests/kit/browser.ts';
import { demoAccounts } from '#tests/kit/cluster.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';
import { askRaw } from '#tests/kit/raw.ts';
import { signIn } from '#tests/kit/sign-in.ts';
import { forbidStorage } from '#tests/kit/storage.ts';

const password = '밤하늘의 별 72';
const homes = languages.map((lang) => `/${lang}`);
let fanCount = 0;
const newFan = () => {
  const name = `fan_${Date.now().toString(36)}_${++fanCount}`;
  return { name: name.slice(-20), email: `${name}@byeol.example` };
};

/** All tests of a worker come from one address; what they count against it is not what they test. */
test.beforeEach(async ({ server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  await sql`delete from rate_limits`;
  await sql.end();
});

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('auth_token'));
const problem = (page: Page, field: string) => page.locator(`#${field}-problem`);

async function fillRegistration(page: Page, fan: { name: string; email: string }): Promise<void> {
  await page.fill('#email', fan.email);
  await page.fill('#username', fan.name);
  await page.fill('#password', password);
  await page.fill('#confirmPassword', password);
}

/** An account made and logged in by the API: for what is not about the form of registration. */
async function register(page: Page): Promise<{ name: string; email: string }> {
  const fan = newFan();
  const answer = await page.request.post('/api/auth/register', {
    data: { email: fan.email, username: fan.name, password, confirmPassword: password },
  });
  const { token } = await answer.json();
  await page.addInitScript((storedToken: string) => {
    if (sessionStorage.getItem('joined')) return;
    sessionStorage.setItem('joined', 'yes');
    localStorage.setItem('auth_token', storedToken);
  }, token);
  return fan;
}

async function logIn(
  page: Page,
  { email, password: secret }: { email: string; password: string },
  query = 'lang=ko',
): Promise<void> {
  await page.goto(`/login?${query}`);
  await page.fill('#email', email);
  await page.fill('#password', secret);
  await page.click('.account-submit');
}

test.describe('a newcomer', () => {
  test('registers, is greeted by name on every page, and logs out', async ({ page }) => {
    await page.goto('/ko');
    await page.locator('.header-login').evaluate((link: HTMLElement) => link.click());
    await expect(page).toHaveURL(/\/login\?lang=ko$/);
    await page.getByRole('link', { name: '회원가입' }).click();
    const fan = newFan();
    await fillRegistration(page, fan);
    await page.fill('#displayName', '달 걷는 팬');
    await page.click('.account-submit');
    await page.waitForURL('**/ko/community');
    expect(await tokenOf(page)).toMatch(/^[0-9a-f]{64}$/);
    await page.goto('/en');
    const menu = page.locator('.header .user-menu');
    await expect(menu.locator('summary')).toContainText('달 걷는 팬');
    await expect(page.locator('.header-login')).toBeHidden();
    await menu.locator('summary').click();
    await expect(menu.getByRole('link')).toHaveText(['Profile']);
    const token = await tokenOf(page);
    await menu.getByRole('button', { name: 'Log out' }).click();
    // By way of the redirect screen, which leads to the language of the account.
    await page.waitForURL((url) => url.pathname === '/ko');
    await expect(page.locator('.header-login')).toBeVisible();
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => /auth_token|user/.test(key))),
    ).toEqual([]);
    const me = await page.request.get('/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
    expect(me.status()).toBe(401);
    expect((await page.request.get('/api/auth/me')).status()).toBe(401);
    expectNoThirdParty(page);
  });

  test('is told at each field what is wrong, as one types', async ({ page }) => {
    await page.goto('/login?lang=ko&tab=register');
    await page.click('.account-submit');
    await expect(problem(page, 'email')).toHaveText('이메일을 입력해 주세요.');
    await expect(problem(page, 'username')).toHaveText('사용자 이름을 입력해 주세요.');
    await expect(problem(page, 'password')).toHaveText('비밀번호를 입력해 주세요.');
    await expect(page.locator('#email')).toBeFocused();
    await page.reload();
    // The sentence below a field that is being left must not push the button away from under the press.
    await page.fill('#username', 'a b');
    await page.click('.account-submit');
    await expect(problem(page, 'email')).toHaveText('이메일을 입력해 주세요.');
    for (const [field, text, sentence] of [
      ['username', 'ab', '사용자 이름은 3자 이상이어야 해요.'],
      ['username', 'a'.repeat(21), '사용자 이름은 20자까지예요.'],
      ['username', 'moon walker', '한글, 영문, 숫자, 밑줄만 쓸 수 있어요.'],
      ['username', '별빛비', ''],
      ['email', 'moon', 'moon@byeol.example처럼 이메일 주소를 입력해 주세요.'],
      ['email', 'moon@byeol.example', ''],
      ['password', '12345', '비밀번호는 6자 이상이어야 해요.'],
      ['password', '123456', ''],
      ['confirmPassword', '1234567', '비밀번호가 서로 달라요.'],
      ['confirmPassword', '123456', ''],
    ] as const) {
      await page.fill(`#${field}`, text);
      await expect(problem(page, field)).toHaveText(sentence);
    }
    await page.click('.account-submit');
    await expect(problem(page, 'password')).toHaveText('너무 흔한 비밀번호예요. 다른 것을 골라 주세요.');
    await expect(page.locator('#username')).toHaveValue('별빛비');
    expect(await tokenOf(page)).toBeNull();
  });

  test('cannot have a name or an address that is taken or reserved', async ({ page }) => {
    await page.goto('/login?lang=en&tab=register');
    await fillRegistration(page, { name: 'StarLight', email: newFan().email });
    await page.click('.account-submit');
    await expect(problem(page, 'username')).toHaveText('This name is taken. Choose another one.');
    await page.fill('#username', 'Adm1n');
    await page.click('.account-submit');
    await expect(problem(page, 'username')).toHaveText('This name is reserved. Choose another one.');
    await fillRegistration(page, { name: newFan().name, email: demoAccounts.fan.email.toUpperCase() });
    await page.click('.account-submit');
    await expect(problem(page, 'email')).toHaveText(
      'There is already an account with this email address. Log in, or use another one.',
    );
  });

  test('who presses twice while the next page is on its way has registered once', async ({ page }) => {
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/register')) calls += 1;
    });
    // An answer without a page leaves the browser where it is, as while the next one is on its way.
    await page.route('**/en/events', (route) => route.fulfill({ status: 204 }));
    await page.clock.install();
    await page.goto('/login?lang=en&next=/en/events&tab=register');
    // After twenty seconds it may be pressed again, which a slow machine may take to press twice.
    await page.clock.pauseAt(Date.now() + 60_000);
    await fillRegistration(page, newFan());
    const button = page.locator('.account-submit');
    await button.click();
    await expect.poll(() => tokenOf(page)).toMatch(/^[0-9a-f]{64}$/);
    await button.click();
    await expect(button).toHaveAttribute('aria-busy', 'true');
    await expect(problem(page, 'email')).toHaveText('');
    expect(calls).toBe(1);
  });

  test('sees and hides what is typed', async ({ page }) => {
    await page.goto('/login?lang=en');
    await page.fill('#password', 'secret words');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(page.locator('#password')).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    await expect(page.locator('#password')).toHaveAttribute('type', 'password');
  });

  test('may go on as a guest', async ({ page }) => {
    await page.goto('/login?lang=vi');
    await expect(page.getByRole('link', { name: 'Tiếp tục với tư cách khách' })).toHaveAttribute('href', '/');
    await page.getByRole('link', { name: 'Tiếp tục với tư cách khách' }).click();
    await page.waitForURL((url) => homes.includes(url.pathname));
    expect(await tokenOf(page)).toBeNull();
  });
});

test.describe('logging in', () => {
  test('says the same for a wrong password and an unknown address, then lets in', async ({ page }) => {
    for (const email of [demoAccounts.fan.email, 'nobody@byeol.example']) {
      await logIn(page, { email, password: 'not this one' }, 'lang=en');
      await expect(problem(page, 'password')).toHaveText('That email and password don’t match. Try again.');
      await expect(page.locator('#email')).toHaveValue(email);
    }
    // Whoever has forgotten the password has typed the address already.
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(page).toHaveURL(/\/login\/forgot\?lang=en$/);
    await expect(page.locator('#email')).toHaveValue('nobody@byeol.example');
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('nobody');
    await logIn(page, demoAccounts.fan, 'lang=ms');
    await page.waitForURL('**/ms/community');
  });

  test('leads back to the page that asked for it, and never to another site', async ({ page, request }) => {
    await logIn(page, demoAccounts.fan, `lang=ko&next=${encodeURIComponent('/ko/events?type=concert#now')}`);
    await page.waitForURL('**/ko/events?type=concert#now');
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/api/auth/me',
    ]) {
      const answer = await request.get(`/login?lang=ko&next=${encodeURIComponent(next)}`);
      const html = await answer.text();
      expect([next, html.match(/data-next="([^"]*)"/)?.[1]]).toEqual([next, '/ko/community']);
      expect(html).not.toContain('evil.example');
    }
    const twice = await request.get('/login?lang=ko&next=/ko&next=//evil.example');
    expect(await twice.text()).not.toContain('evil.example');
    // Whoever is in already is not asked again, with or without scripts.
    for (const [query, destination] of [
      ['lang=ko&next=/vi/star/3', '/vi/star/3'],
      ['lang=ms&next=/profile', '/profile?lang=ms'],
      ['lang=ms&tab=register', '/profile?lang=ms'],
      ['lang=ko&next=//evil.example', '/profile?lang=ko'],
      ['lang=ko&next=/login', '/profile?lang=ko'],
    ]) {
      const answer = await page.request.get(`/login?${query}`, { maxRedirects: 0 });
      expect([query, answer.status(), answer.headers().location]).toEqual([query, 303, destination]);
    }
  });

  test('waits when there were too many tries, and says how long', async ({ page, server }) => {
    const sql = postgres(server.databaseUrl, { max: 1 });
    await sql`insert into rate_limits (key, window_start)
      values (${`login-pause:${new Bun.CryptoHasher('sha256').update('slow@byeol.example').digest('hex')}`}, now() + interval '170 s')`;
    await sql.end();
    await logIn(page, { email: 'Slow@byeol.example', password: 'slow down' }, 'lang=en');
    await expect(page.getByRole('alert')).toHaveText('Too many attempts. Try again in 3 min.');
  });

  for (const scripts of [true, false])
    test(`lets the owner in where the account is known while a stranger guesses, ${scripts ? 'with' : 'without'} scripts`, async ({
      browser,
      page: stranger,
      server,
    }) => {
      const owner = await browser.newContext({
        javaScriptEnabled: scripts,
        baseURL: server.url,
        locale: 'ko-KR',
      });
      const joining = await owner.newPage();
      const fan = newFan();
      await joining.goto('/login?tab=register&lang=en');
      await fillRegistration(joining, fan);
      await joining.click('.account-submit');
      await expect.poll(async () => (await owner.cookies(`${server.url}/login`)).length).toBeGreaterThan(2);
      // What its scripts have still under way would bring the session back: they end with it, and what is opened next has none.
      await joining.close();
      const page = await owner.newPage();
      await page.goto('/robots.txt');
      await page.evaluate(() => localStorage.clear());
      const session = (await owner.cookies()).filter(({ path }) => path === '/');
      for (const { name } of session) await owner.clearCookies({ name });
      const sql = postgres(server.databaseUrl, { max: 1 });
      await sql`insert into rate_limits (key, window_start)
        values (${`login-pause:${new Bun.CryptoHasher('sha256').update(fan.email).digest('hex')}`}, now() + interval '600 s')`;
      await sql.end();
      await logIn(stranger, { email: fan.email, password }, 'lang=en');
      await expect(stranger.getByRole('alert')).toHaveText('Too many attempts. Try again in 10 min.');
      await logIn(page, { email: fan.email, password }, 'lang=en');
      await page.waitForURL((url) => url.pathname !== '/login' || url.searchParams.has('done'));
      await owner.close();
    });

  test('says so when the server cannot be reached', async ({ page }) => {
    await page.route('**/api/auth/login', (route) => route.abort());
    await logIn(page, demoAccounts.fan);
    await expect(page.getByRole('alert')).toHaveText('로그인 중에 오류가 났어요. 다시 시도해 주세요.');
  });

  test('works where the browser keeps nothing, and is told what is wrong there, too', async ({ page }) => {
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await forbidStorage(page);
    await page.goto('/login?lang=en&next=/profile');
    await page.click('.account-submit');
    await expect(problem(page, 'email')).not.toHaveText('');
    await page.fill('#email', demoAccounts.fan.email);
    await page.fill('#password', demoAccounts.fan.password);
    await page.click('.account-submit');
    await page.waitForURL((url) => url.pathname === '/profile');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(problem(page, 'currentPassword')).not.toHaveText('');
    expect(errors).toEqual([]);
  });

  test('works where nobody can read what was kept of the page before', async ({ page }) => {
    await page.addInitScript(() => sessionStorage.setItem('byeol:typed', '{"email":'));
    await page.goto('/login?lang=en');
    await page.fill('#email', demoAccounts.fan.email);
    await page.fill('#password', 'not the password');
    const call = page.waitForRequest('**/api/auth/login');
    await page.click('.account-submit');
    await call;
    await expect(problem(page, 'password')).not.toHaveText('');
  });

  test('shows admin entries to the username admin only', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await logIn(page, demoAccounts.admin, 'lang=en&next=/en');
    await page.waitForURL((url) => url.pathname === '/en');
    await page.locator('.user-menu summary').click();
    const links = page.locator('.user-menu').getByRole('link');
    await expect(links).toHaveText(['Profile', 'Event verification', 'Admin dashboard']);
    await expect(links.nth(1)).toHaveAttribute('href', '/admin/events/verification');
    await page.keyboard.press('Escape');
    await expect(page.locator('.user-menu[open]')).toHaveCount(0);
    await expect(page.locator('.user-menu summary')).toBeFocused();
  });
});

test.describe('a session', () => {
  test('that the server no longer knows clears the token', async ({ page }) => {
    await page.goto('/ko');
    await page.evaluate(() => {
      localStorage.setItem('auth_token', 'f'.repeat(64));
      localStorage.setItem('byeol:user', JSON.stringify({ username: 'ghost' }));
    });
    await page.reload();
    await expect.poll(() => tokenOf(page)).toBeNull();
    await expect(page.locator('.header-login')).toBeVisible();
    await expect(page.locator('.user-menu')).toHaveCount(0);
  });

  test('survives an error of the server', async ({ page }) => {
    await register(page);
    await page.goto('/ko');
    await expect(page.locator('.header .user-menu')).toBeVisible();
    const token = await tokenOf(page);
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await expect(page.locator('.header .user-menu')).toBeVisible();
    expect(await tokenOf(page)).toBe(token);
  });

  test('that ends in one tab ends in the other', async ({ page, context }) => {
    await register(page);
    await page.goto('/ko');
    const otherPage = await context.newPage();
    await otherPage.goto('/ko');
    await expect(otherPage.locator('.header .user-menu')).toBeVisible();
    await page.locator('.header .user-menu summary').click();
    await page.locator('.header .user-menu button').click();
    await expect(otherPage.locator('.header-login')).toBeVisible();
    await expect(otherPage.locator('.user-menu')).toHaveCount(0);
  });

  test('on a phone is in the tab bar', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { name } = await register(page);
    await page.goto('/ko');
    const tab = page.locator('.tab-bar a[href^="/profile"]');
    await expect(tab).toContainText(name);
    await expect(page.locator('.tab-bar > a:visible')).toHaveCount(5);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await tab.click();
    await expect(page.locator('h1')).toHaveText(name);
  });

  test('outlives a storage that was cleared: the frame asks the session', async ({ page, context }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await logIn(page, demoAccounts.fan, 'lang=en&next=/en');
    await page.waitForURL((url) => url.pathname === '/en');
    const token = await tokenOf(page);
    const otherPage = await context.newPage();
    await otherPage.goto('/en/community');
    await expect(otherPage.locator('.header .user-menu')).toBeVisible();
    const clear = () =>
      page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
    await clear();
    await page.goto('/en/star/1');
    await expect(page.locator('.header .user-menu summary')).toContainText('Starlight');
    await expect(page.locator('.header-login')).toBeHidden();
    expect(await tokenOf(page)).toBe(token);
    // Another tab heard the storage go, not the session.
    await expect(otherPage.locator('.header .user-menu')).toBeVisible();
    // What a fan may press on this very page is there, too.
    await clear();
    await page.goto('/en/events?tab=upcoming');
    await expect(
      page.locator('button[data-subscribe],[data-subscribe][role="button"]').first(),
    ).toBeVisible();
    await page.locator('.header .user-menu summary').click();
    await page.locator('.header .user-menu button').click();
    await page.waitForURL((url) => homes.includes(url.pathname));
    await expect(page.locator('.header-login')).toBeVisible();
    await expect(otherPage.locator('.header-login')).toBeVisible();
    // What is left says where an account was logged in to, and goes to the ways to log in alone (decision S13).
    const remainingCookies = (await context.cookies()).filter(
      ({ name }) => !name.startsWith('byeol_device_'),
    );
    expect(remainingCookies).toEqual([]);
    expect(await context.cookies(page.url())).toEqual([]);
  });

  test('that only its cookie knows is shown on the profile, and from then on everywhere', async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const answer = await context.request.post('/api/auth/login', { data: demoAccounts.fan });
    const { token } = await answer.json();
    await context.clearCookies();
    await context.addCookies([{ name: 'byeol_session', value: token, url: server.url, httpOnly: true }]);
    await page.goto('/profile?lang=en');
    await expect(page.locator('.header .user-menu summary')).toContainText('Starlight');
    await page.goto('/en');
    await expect(page.locator('.header .user-menu summary')).toContainText('Starlight');
  });

  test('that ended elsewhere leaves no half of itself', async ({ page, context }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await logIn(page, demoAccounts.fan, 'lang=en&next=/en');
    await page.waitForURL((url) => url.pathname === '/en');
    await page.request.delete('/api/auth/sessions', {
      headers: { authorization: `Bearer ${await tokenOf(page)}` },
    });
    await context.addCookies([{ name: 'byeol_user', value: '1', url: page.url() }]);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(page.locator('.header-login')).toBeVisible();
    await expect
      .poll(async () => (await context.cookies()).some(({ name }) => name === 'byeol_user'))
      .toBe(false);
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.reload({ waitUntil: 'networkidle' });
    expect(requestedUrls.filter((url) => url.includes('/api/auth/'))).toEqual([]);
  });

  test('costs nobody else a byte: no file of it is loaded without a token', async ({ page }) => {
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.goto('/ko');
    await page.waitForLoadState('networkidle');
    expect(requestedUrls.filter((url) => /session|auth/.test(url))).toEqual([]);
  });
});

test.describe('the profile', () => {
  test('asks for a login first and comes back', async ({ page }) => {
    await page.goto('/profile?lang=en');
    await expect(page).toHaveURL(/\/login\?lang=en&next=%2Fprofile$/);
    await page.fill('#email', demoAccounts.fan.email);
    await page.fill('#password', demoAccounts.fan.password);
    await page.click('.account-submit');
    await page.waitForURL('**/profile?lang=en');
    await expect(page.locator('h1')).toHaveText('Starlight');
  });

  test('has its facts beside their labels, and below them where the text is large for the screen', async ({
    page,
  }) => {
    await register(page);
    const topsOf = async (width: number, size: string) => {
      await page.setViewportSize({ width, height: 640 });
      await page.goto('/profile?lang=vi');
      await page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), size);
      const facts = page.locator('.profile-facts div').last();
      return facts.evaluate((row) =>
        [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().top)),
      );
    };
    const [labelAbove = 0, factBelow = 0] = await topsOf(320, '200%');
    expect(factBelow).toBeGreaterThan(labelAbove + 20);
    const [label, fact] = await topsOf(360, '100%');
    expect(fact).toBe(label);
  });

  test('changes the name in the header and the language everywhere', async ({ page }) => {
    await register(page);
    await page.goto('/profile?lang=ko');
    await page.fill('#displayName', '새벽 별');
    await expect(page.locator('#language')).toHaveCSS('appearance', 'none');
    await page.selectOption('#language', 'vi');
    await page.getByRole('button', { name: '저장' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Đã lưu.' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
    // With the script that says what is wrong.
    await page.waitForLoadState();
    await page.fill('#newPassword', 'short');
    await page.press('#newPassword', 'Enter');
    await expect(problem(page, 'newPassword')).not.toBeEmpty();
    await expect(page.getByRole('status').filter({ hasText: 'Đã lưu.' })).toHaveCount(0);
    await expect(page.locator('.header .user-menu summary')).toContainText('새벽 별');
    await page.goto('/profile');
    await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
    await page.fill('#displayName', '관리자');
    await page.locator('.account-submit').first().click();
    await expect(problem(page, 'displayName')).toHaveText('Tên này không dùng được. Hãy chọn tên khác.');
    await expect(page.locator('#displayName')).toHaveValue('관리자');
  });

  test('leaves the site in its language while that of the account is not touched', async ({ page }) => {
    await register(page);
    await page.goto('/profile?lang=ko');
    await page.locator('.header [data-language-menu] summary').first().click();
    await page.locator('.header a[data-language="vi"]').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
    await expect(page.locator('#language')).toHaveValue('ko');
    await page.fill('#displayName', '새벽 별');
    await page.locator('.account-submit').first().click();
    await expect(page.getByRole('status').filter({ hasText: 'Đã lưu.' })).toBeVisible();
    await page.goto('/profile');
    await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
    await page.selectOption('#language', 'ms');
    await page.locator('.account-submit').first().click();
    await expect(page.getByRole('status').filter({ hasText: 'Sudah disimpan.' })).toBeVisible();
    await page.goto('/profile');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ms');
  });

  test('changes the password, which logs other devices out', async ({ page, browser, baseURL }) => {
    const fan = await register(page);
    const elsewhere = await browser.newContext(baseURL ? { baseURL } : {});
    const otherPage = await elsewhere.newPage();
    await logIn(otherPage, { email: fan.email, password }, 'lang=en');
    await otherPage.waitForURL('**/community');
    await page.goto('/profile?lang=en');
    const change = page.getByRole('button', { name: 'Change password' });
    const fill = async (current: string, newPassword: string, confirmation = newPassword) => {
      // The script of the page moves the focus, and typing with it.
      await page.waitForLoadState();
      await page.fill('#currentPassword', current);
      await page.fill('#newPassword', newPassword);
      await page.fill('#confirmPassword', confirmation);
      await change.click();
    };
    await fill('not this one', 'a fresh password');
    await expect(problem(page, 'currentPassword')).toHaveText('That isn’t your current password.');
    await expect(page.locator('#currentPassword')).toBeFocused();
    await fill(password, 'a fresh password', 'another one');
    await expect(problem(page, 'confirmPassword')).toHaveText('The passwords don’t match.');
    await fill(password, 'a fresh password');
    await expect(
      page.getByRole('status').filter({ hasText: 'Your password has been changed.' }),
    ).toBeVisible();
    await otherPage.goto('/profile');
    await expect(otherPage).toHaveURL(/\/login/);
    await logIn(otherPage, { email: fan.email, password: 'a fresh password' }, 'lang=en');
    await otherPage.waitForURL('**/community');
    await elsewhere.close();
  });

  test('changes the password once, however often the button is pressed', async ({ page }) => {
    await register(page);
    await page.clock.install();
    await page.goto('/profile?lang=en');
    // After twenty seconds it may be pressed again, which a slow machine may take to hash two passwords.
    await page.clock.pauseAt(Date.now() + 60_000);
    // An answer without a page leaves the browser where it is, as while the next one is on its way.
    let answered = 0;
    await page.route('**/profile*', async (route) => {
      answered = (await route.fetch({ maxRedirects: 0 })).status();
      await route.fulfill({ status: 204 });
    });
    await page.evaluate(() =>
      document.addEventListener('submit', ({ defaultPrevented }) => {
        document.body.dataset.stopped = String(defaultPrevented);
      }),
    );
    await page.fill('#currentPassword', password);
    await page.fill('#newPassword', 'a fresh password');
    await page.fill('#confirmPassword', 'a fresh password');
    const change = page.getByRole('button', { name: 'Change password' });
    await change.click();
    await expect(page.locator('body')).toHaveAttribute('data-stopped', 'false');
    await expect.poll(() => answered).toBe(303);
    await change.click();
    await expect(page.locator('body')).toHaveAttribute('data-stopped', 'true');
  });

  test('shows the devices, logs one out, gives the data away and deletes the account for the password', async ({
    page,
    browser,
    baseURL,
  }) => {
    const fan = await register(page);
    const elsewhere = await browser.newContext({
      ...(baseURL ? { baseURL } : {}),
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    });
    const phone = await elsewhere.newPage();
    await logIn(phone, { email: fan.email, password }, 'lang=en&next=/profile');
    await phone.waitForURL((url) => url.pathname === '/profile');
    await page.goto('/profile?lang=en');
    await page.getByRole('button', { name: 'Log out Safari, iPhone' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'The device is logged out.' })).toBeVisible();
    await expect(page.locator('.devices li')).toHaveCount(1);
    await phone.reload();
    await expect(phone).toHaveURL(/\/login/);
    await elsewhere.close();
    const data = await (await page.request.get('/api/auth/export')).json();
    expect(data).toMatchObject({ account: { username: fan.name, email: fan.email } });
    await page.getByText('Delete account', { exact: true }).click();
    await page.fill('#deletePassword', 'not this one');
    await page.getByRole('button', { name: 'Delete account for good' }).click();
    await expect(problem(page, 'deletePassword')).toHaveText('That isn’t your current password.');
    await page.fill('#deletePassword', password);
    await page.getByRole('button', { name: 'Delete account for good' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: 'Your account has been deleted.' }),
    ).toBeVisible();
    await expect.poll(() => tokenOf(page)).toBeNull();
    await logIn(page, { email: fan.email, password }, 'lang=en');
    await expect(problem(page, 'password')).toHaveText('That email and password don’t match. Try again.');
  });

  test('logs every device out at once', async ({ page, browser, baseURL }) => {
    const fan = await register(page);
    const elsewhere = await browser.newContext(baseURL ? { baseURL } : {});
    const otherPage = await elsewhere.newPage();
    await logIn(otherPage, { email: fan.email, password }, 'lang=en&next=/profile');
    await otherPage.waitForURL((url) => url.pathname === '/profile');
    await otherPage.getByRole('button', { name: 'Log out everywhere' }).click();
    await expect(otherPage).toHaveURL(/\/login/);
    await page.goto('/en');
    await expect(page.locator('.header-login')).toBeVisible();
    expect(await tokenOf(page)).toBeNull();
    await elsewhere.close();
  });

  test('is nobody else’s, however many ask at once', async ({ browser, baseURL }) => {
    const people = await Promise.all(
      [demoAccounts.fan, demoAccounts.admin].map(async (account) => {
        const context = await browser.newContext(baseURL ? { baseURL } : {});
        const page = await context.newPage();
        await logIn(page, account, 'lang=en&next=/profile');
        await page.waitForURL('**/profile?lang=en');
        return { context, email: account.email };
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => people[index % 2]).map(async (person) => {
        const answer = await person?.context.request.get('/profile');
        return { email: person?.email ?? '', text: (await answer?.text()) ?? '', headers: answer?.headers() };
      }),
    );
    for (const { email, text, headers } of answers) {
      expect(text.match(/[a-z]+@byeol\.example/g)?.filter((shown) => shown !== email)).toEqual([]);
      expect(headers?.['cache-control']).toBe('private, no-store');
    }
    for (const { context } of people) await context.close();
  });
});

test.describe('without JavaScript', () => {
  test('a newcomer is told what is wrong at the fields, keeps what was typed, registers, changes and leaves', async ({
    context,
    server,
  }) => {
    const visit = new PlainVisit(context.request, server.url);
    const fan = newFan();
    const problemAt = (field: string) => visit.text(`#${field}-problem`);
    const send = (typed: Record<string, string> = {}) => visit.pressAt('.account-submit', typed);
    await visit.goto('/login?lang=ko&tab=register&next=/profile');
    await send();
    expect(problemAt('password')).toBe('비밀번호를 입력해 주세요.');
    expect(problemAt('confirmPassword')).toBe('비밀번호를 한 번 더 입력해 주세요.');
    await send({
      email: fan.email,
      username: 'x!',
      displayName: '"><script>alert(1)</script>',
      password: '123',
      confirmPassword: '1234',
    });
    expect(problemAt('username')).toBe('사용자 이름은 3자 이상이어야 해요.');
    expect(problemAt('password')).toBe('비밀번호는 6자 이상이어야 해요.');
    expect(problemAt('confirmPassword')).toBe('비밀번호가 서로 달라요.');
    expect(problemAt('email') ?? '').toBe('');
    expect(['email', 'displayName', 'password', 'confirmPassword'].map((name) => visit.value(name))).toEqual([
      fan.email,
      '"><script>alert(1)</script>',
      '',
      '',
    ]);
    await send({ username: 'starlight', password, confirmPassword: password });
    expect(problemAt('username')).toBe('이미 쓰고 있는 이름이에요. 다른 이름을 골라 주세요.');
    await send({ username: fan.name, displayName: '', password, confirmPassword: password });
    // The page that says it is done leads on by itself.
    expect(visit.attribute('meta[http-equiv="refresh"]', 'content')).toMatch(/url=\/profile\?lang=ko$/);
    await visit.goto('/profile?lang=ko');
    expect(visit.text('h1')).toBe(fan.name);
    const cookie = (await context.cookies()).find(({ name }) => name === 'byeol_session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    await visit.press('저장', { displayName: '달무리' });
    expect(visit.text('h1')).toBe('달무리');
    await visit.goto('/profile?lang=vi');
    await visit.press('Lưu', { displayName: '달무리' });
    expect(new URL(visit.url).searchParams.get('lang')).toBe('vi');
    // What is refused is said at the top, where the answer opens, and leads to its field.
    const refused = '.profile-refused[role="alert"]';
    await visit.press('Lưu', { displayName: 'x'.repeat(41) });
    expect(visit.text(refused)).toBe('Chưa thực hiện được. Hãy xem chỗ cần sửa.');
    expect(visit.attribute(`${refused} a`, 'href')).toBe('#displayName');
    await visit.press('Xóa hẳn tài khoản', { currentPassword: 'not this one' });
    expect(visit.attribute(`${refused} a`, 'href')).toBe('#deletePassword');
    await visit.pressAt('.profile-logout button');
    expect(new URL(visit.url).pathname).not.toBe('/profile');
    expect((await context.cookies()).some(({ name }) => name === 'byeol_session')).toBe(false);
    await visit.goto('/profile');
    expect(visit.url).toContain('/login');
  });

  test('a fan logs in, and wrong words are answered with 401 in place', async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      ...(baseURL ? { baseURL } : {}),
      locale: 'ko-KR',
    });
    const page = await context.newPage();
    await page.goto('/login?lang=ms');
    await page.fill('#email', demoAccounts.fan.email);
    await page.fill('#password', 'not this one');
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.click('.account-submit'),
    ]);
    expect(answer.status()).toBe(401);
    await expect(problem(page, 'password')).toHaveText('E-mel dan kata laluan itu tidak sepadan. Cuba lagi.');
    await expect(page.locator('#email')).toHaveValue(demoAccounts.fan.email);
    await page.fill('#password', demoAccounts.fan.password);
    await page.click('.account-submit');
    await expect(page).toHaveURL(/\/ms\/community$/);
    await context.close();
  });
});

test('a form that is sent before its script has come logs in all the same', async ({ page }) => {
  let isFirstRequest = true;
  await page.route('**/_astro/login*', (route) => {
    const answer = isFirstRequest ? route.abort() : route.continue();
    isFirstRequest = false;
    return answer;
  });
  await page.goto('/login?lang=en&next=/en/events');
  await page.fill('#email', demoAccounts.fan.email);
  await page.fill('#password', demoAccounts.fan.password);
  await page.click('.account-submit');
  await page.waitForURL('**/en/events');
  expect(await tokenOf(page)).toMatch(/^[0-9a-f]{64}$/);
});

test.describe('an attacker', () => {
  const form = (fields: Record<string, string>) => ({
    data: new URLSearchParams(fields).toString(),
    maxRedirects: 0,
  });
  const headers = (more: Record<string, string> = {}) => ({
    'content-type': 'application/x-www-form-urlencoded',
    ...more,
  });

  test('cannot log anybody in or out from another site', async ({ page, context, server }) => {
    const fields = { email: demoAccounts.fan.email, password: demoAccounts.fan.password };
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await context.request.post('/login', { ...form(fields), headers: headers({ origin }) });
      expect([answer.status(), answer.headers()['set-cookie']]).toEqual([403, undefined]);
    }
    await logIn(page, demoAccounts.fan);
    await page.waitForURL('**/community');
    const foreign = headers({ origin: 'https://evil.example' });
    await context.request.post('/logout', { ...form({}), headers: foreign });
    await context.request.get('/logout', { maxRedirects: 0 });
    const renamed = await context.request.post('/profile', {
      ...form({ form: 'profile', displayName: 'Mallory' }),
      headers: foreign,
    });
    expect(renamed.status()).toBe(303);
    const { user } = await (await context.request.get('/api/auth/me')).json();
    expect(user).toMatchObject({ displayName: 'Starlight' });
    // Nor does what is no form of the page take the name away.
    for (const [type, data, status] of [
      ['text/plain', 'displayName=', 415],
      ['application/json', '{"displayName":""}', 415],
      ['application/x-www-form-urlencoded', 'foo=1', 400],
      ['application/x-www-form-urlencoded', 'form=profile', 400],
    ] as const) {
      const answer = await context.request.post('/profile', {
        data,
        headers: { ...headers({ origin: server.url }), 'content-type': type },
        maxRedirects: 0,
      });
      expect([data, answer.status()]).toEqual([data, status]);
    }
    const after = await (await context.request.get('/api/auth/me')).json();
    expect(after.user).toMatchObject({ displayName: 'Starlight' });
    const ownLogout = await context.request.post('/logout', {
      ...form({}),
      headers: headers({ origin: server.url }),
    });
    expect(ownLogout.status()).toBe(303);
    expect((await context.request.get('/api/auth/me')).status()).toBe(401);
  });

  test('who sends far too much is told so, by the API in its own form and by a page in words', async ({
    request,
  }) => {
    const call = await request.post('/api/auth/login', {
      headers: { 'content-type': 'application/json' },
      data: `"${'x'.repeat(20_000_000)}"`,
    });
    expect([call.status(), await call.json()]).toEqual([
      413,
      { error: 'The body has more than 64 kB.', code: 'too_large' },
    ]);
    const page = await request.post('/login?lang=ms', {
      ...form({ email: 'x'.repeat(2_000_000), password: 'y' }),
      headers: headers(),
    });
    expect([page.status(), await page.text()]).toEqual([
      413,
      'Kandungan borang ini terlalu panjang. Kembali dan pendekkannya.',
    ]);
  });

  test('who sends bytes that are no text, or coded ones, is told so by a page in words', async ({
    request,
  }) => {
    const email = demoAccounts.fan.email;
    const post = (data: string | Buffer, more: Record<string, string> = {}) =>
      request.post('/login?lang=en', { data, maxRedirects: 0, headers: headers(more) });
    const valid = form({ email, password: demoAccounts.fan.password }).data;
    const coded = { 'content-encoding': 'gzip' };
    for (const [answer, status] of [
      [await post(`email=${email}&password=quartz%FF%FE%FD`), 400],
      [await post(Buffer.from(`email=${email}&password=quartz\xff`, 'latin1')), 400],
      [await post(`${valid}&x=%00`), 400],
      [await post(valid, coded), 415],
    ] as const)
      expect([answer.status(), await answer.text()]).toEqual([
        status,
        'We couldn’t read this form. Go back and try again.',
      ]);
    expect((await post(`${valid}&x=${'y'.repeat(70_000)}`)).status()).toBe(413);
    expect((await post(valid)).status()).toBe(303);
  });

  test('is shown nobody’s page by writing its address in another way, at the very moment its owner asks', async ({
    context,
    server,
  }) => {
    const { token } = await signIn(context, server, 'admin');
    const cookie = `${storageKey}_session=${token}`;
    for (const path of [
      '/%70rofile?lang=en',
      '//x/profile?lang=en',
      '/%2570rofile?lang=en',
      '/profile/?lang=en',
      '/profile%2f?lang=en',
      '/%61dmin/events/verification?lang=en',
      '//x/admin?lang=en',
    ]) {
      const people: Record<string, string>[] = [{ cookie }, {}, { authorization: `Bearer ${token}` }, {}];
      const answers = await Promise.all(people.map((headers) => askRaw(server.url, path, { headers })));
      for (const { status, body, headers } of answers) {
        expect([path, status], body.slice(0, 300)).toEqual([path, path === '/profile/?lang=en' ? 301 : 404]);
        expect(headers['set-cookie']).toBeUndefined();
        expect(body).not.toContain('admin_');
      }
    }
  });

  test('gets no page to keep, no form that is none, and no role', async ({ request }) => {
    const login = await request.get('/login');
    expect(login.headers()).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(await login.text()).toContain('<meta name="robots" content="noindex">');
    const json = await request.post('/login', { data: { email: 'a', password: 'b' }, maxRedirects: 0 });
    expect(json.status()).toBe(415);
    expect((await request.put('/login', { data: 'x' })).status()).toBe(405);
    const fan = newFan();
    const answer = await request.post('/login?tab=register&next=//evil.example', {
      ...form({
        email: fan.email,
        username: fan.name,
        password,
        confirmPassword: password,
        role: 'admin',
        isAdmin: 'true',
      }),
      headers: headers(),
    });
    expect([answer.status(), answer.headers().location]).toEqual([303, '/login?lang=ko&tab=register&done=1']);
    const { user } = await (await request.get('/api/auth/me')).json();
    expect(user).toMatchObject({ role: 'user', username: fan.name });
  });
});

test.describe('the language', () => {
  test('is the browser’s, else the one of the page one comes from, and a stored choice wins without a flash', async ({
    browser,
    baseURL,
    page,
  }) => {
    const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: 'ms-MY' });
    const malay = await context.newPage();
    await malay.goto('/login');
    await expect(malay.locator('html')).toHaveAttribute('lang', 'ms');
    await malay.goto('/login?next=/vi/events');
    await expect(malay.locator('html')).toHaveAttribute('lang', 'vi');
    await context.close();
    await page.goto('/ko');
    await page.evaluate(() => localStorage.setItem('byeol:language', 'vi'));
    const paintedLanguages: string[] = [];
    await page.exposeFunction('note', (text: string) => paintedLanguages.push(text));
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          Reflect.get(window, 'note')(`${document.documentElement.lang} ${entry.name}`);
      }).observe({ type: 'paint', buffered: true });
    });
    await page.goto('/login?lang=ko&next=/ko/events');
    await expect(page).toHaveURL(/lang=vi/);
    await expect(page.getByRole('heading', { name: 'Đăng nhập' })).toBeAttached();
    await expect(page.locator('.account-form')).toHaveAttribute('data-next', '/ko/events');
    expect(paintedLanguages.filter((text) => text.includes('contentful') && !text.startsWith('vi'))).toEqual(
      [],
    );
  });

  test('is chosen in the menu, and the way back is kept', async ({ page }) => {
    await page.goto('/login?lang=en&next=/en/events&tab=register');
    const typed = {
      email: 'moon@byeol.example',
      username: 'moonwalker',
      displayName: 'Moon',
      password: 'secret 12',
    };
    for (const [field, text] of Object.entries(typed)) await page.fill(`#${field}`, text);
    await page.locator('.language-menu summary').click();
    await page.locator('.language-menu').getByRole('link', { name: '한국어' }).click();
    await expect(page.getByRole('button', { name: '계정 만들기' })).toBeVisible();
    await expect(page.locator('.account-form')).toHaveAttribute('data-next', '/ko/events');
    for (const [field, text] of Object.entries({ ...typed, password: '' }))
      await expect(page.locator(`#${field}`)).toHaveValue(text);
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toMatch(/moon|secret/);
    expect(await page.evaluate(() => localStorage.getItem('byeol:language'))).toBe('ko');
    await page.goto('/login');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko');
  });
});

test('whoever stops the load of another language has the page back', async ({ page }) => {
  await page.goto('/en/search');
  await page.route('**/ko/search*', (route) => route.fulfill({ status: 204 }));
  const overlay = page.locator('.switching');
  for (const end of [() => page.keyboard.press('Escape'), () => overlay.click()]) {
    await page.locator('.header [data-language-menu] summary').click();
    await page.locator('.header').getByRole('link', { name: '한국어' }).click();
    await expect(overlay).toBeVisible();
    await end();
    await expect(overlay).toHaveCount(0);
  }
});

test('a fan follows a star, and it stays so', async ({ page }) => {
  await register(page);
  await page.goto('/ko/star/1');
  const button = page.locator('[data-follow]');
  await expect(button).not.toHaveAttribute('data-following', 'true');
  // Pressed before this browser knows the account's list, it is told with the list.
  const answered = page.waitForResponse(
    (response) =>
      /\/api\/(?:stars\/1\/follow|auth\/follows)$/.test(response.url()) &&
      response.request().method() !== 'GET',
  );
  await button.click();
  expect((await answered).status()).toBe(200);
  const { followerCount } = await (await page.request.get('/api/stars/1/profile')).json();
  await page.reload();
  await expect(button).toHaveAttribute('data-following', 'true');
  await expect(page.locator('[data-followers] dd')).toHaveText(String(followerCount));
});

for (const [lang, colorScheme] of [
  ['ko', 'light'],
  ['en', 'dark'],
  ['ms', 'light'],
  ['vi', 'dark'],
] as const) {
  test(`axe finds nothing in ${lang} on login, a registration with mistakes and the profile, and nothing is wider than the screen`, async ({
    page,
  }) => {
    // The first two languages show both schemes.
    const reading = lang === 'ko' || lang === 'en' ? 'all' : 'all but colours';
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/login?lang=${lang}`);
    await expectAccessible(page, reading);
    await page.goto(`/login?lang=${lang}&tab=register`);
    await page.click('.account-submit');
    await expectAccessible(page, reading);
    expect(await width()).toBe(360);
    await page.request.post('/api/auth/login', { data: demoAccounts.admin });
    await page.goto(`/profile?lang=${lang}`);
    for (const viewportWidth of [768, 1280, 360]) {
      await page.setViewportSize({ width: viewportWidth, height: 800 });
      expect(await width()).toBe(viewportWidth);
    }
    await expectAccessible(page, reading);
  });
}

test('who registers is told under which terms, beside the button and in their language', async ({
  request,
  server,
}) => {
  const visit = new PlainVisit(request, server.url);
  for (const lang of languages) {
    await visit.goto(`/login?lang=${lang}&tab=register`);
    const addresses = [...visit.document.querySelectorAll('form .account-agree a')].map(
      (link) => link.getAttribute('href') ?? '',
    );
    expect([...addresses].sort()).toEqual(
      ['guidelines', 'privacy', 'terms'].map((slug) => `/${lang}/${slug}`),
    );
    for (const address of addresses) expect((await request.get(address)).status()).toBe(200);
    expect(visit.text('.account-agree')).not.toContain('<');
    await visit.goto(`/${lang}/terms`);
    expect(visit.texts('h1')).toHaveLength(1);
    expect(visit.texts(`footer nav a[href="/${lang}/terms"]`)).toHaveLength(1);
    expect(await (await request.get(`/sitemap-${lang}-1.xml`)).text()).toContain(`/${lang}/terms<`);
  }
  await visit.goto('/login?lang=en');
  expect(visit.texts('.account-agree')).toEqual([]);
});

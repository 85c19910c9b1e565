import type { Page } from '@playwright/test';
import { expect, holdScripts, test, withMotion } from '#tests/kit/browser.ts';
import { demoAccounts } from '#tests/kit/cluster.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';
import { signIn } from '#tests/kit/sign-in.ts';

test.use(withMotion);

/** What goes wrong around a page: scripts that do not come, no connection, a browser that keeps nothing, short pages. */

test('the keyboard never leads behind the bottom bar of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ['/ko/star/1', '/en/search?q=a']) {
    await page.goto(path);
    const hidden: string[] = [];
    for (let steps = 0; steps < 45; steps += 1) {
      await page.keyboard.press('Tab');
      hidden.push(
        ...(await page.evaluate(() => {
          const bar = document.querySelector('.tab-bar');
          const focused = document.activeElement;
          if (!bar || !focused || focused === document.body || bar.contains(focused)) return [];
          const { top, bottom } = focused.getBoundingClientRect();
          const edge = bar.getBoundingClientRect().top;
          return bottom > edge + 1 && top < innerHeight
            ? [`${focused.outerHTML.slice(0, 80)} ${bottom} > ${edge}`]
            : [];
        })),
      );
    }
    expect([path, hidden]).toEqual([path, []]);
  }
});

test('nothing moves when the scripts of a short page come', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addInitScript(() => {
    let shiftSum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shiftSum += 'value' in entry ? Number(entry.value) : 0;
      document.documentElement.dataset.moved = String(shiftSum);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const path of ['/vi/article/99999', '/ms/search?q=zzzxqj']) {
    await page.goto(path);
    await expect(page.locator('[data-theme-choice] :checked')).toHaveCount(1);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const shift = Number((await page.locator('html').getAttribute('data-moved')) ?? 0);
    expect([path, shift < 0.02, shift]).toEqual([path, true, shift]);
  }
});

test('without a connection a choice of language says so, and the page stays', async ({ page, context }) => {
  await page.goto('/en/article/1');
  await context.setOffline(true);
  await page.locator('footer a[data-language="ko"]').click();
  await expect(page.locator('#toast')).toContainText('You’re offline');
  await expect(page).toHaveURL('/en/article/1');
  await context.setOffline(false);
  await page.locator('footer a[data-language="ko"]').click();
  await expect(page).toHaveURL('/ko/article/1');
});

test('without a connection a link says so, and the page stays', async ({ page, context }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/vi/article/1');
  await context.setOffline(true);
  await page.locator('.tab-bar a[href="/vi/community"]').click();
  await expect(page.locator('#toast')).not.toBeEmpty();
  await expect(page).toHaveURL('/vi/article/1');
  await context.setOffline(false);
  await page.locator('.tab-bar a[href="/vi/community"]').click();
  await expect(page).toHaveURL('/vi/community');
});

test('without a connection a range of the events says so, and opens with the connection', async ({
  page,
  context,
}) => {
  const range = page.locator('.segmented a[href*="range=month"]');
  await page.goto('/en/events?tab=upcoming');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await range.click();
  await expect(page.locator('#toast')).toContainText('You’re offline');
  await context.setOffline(false);
  await range.click();
  await expect(range).toHaveAttribute('aria-current', /./);
});

test('without a connection a day of the calendar says so, and opens with the connection', async ({
  page,
  context,
}) => {
  await page.goto('/en/events');
  await page.waitForLoadState('networkidle');
  const day = page.locator('.month a:not([aria-current])').nth(9);
  const address = (await day.getAttribute('href')) ?? '';
  await context.setOffline(true);
  await day.click();
  await expect(page.locator('#toast')).toContainText('You’re offline');
  await expect(page).toHaveURL('/en/events');
  await expect(page.locator('[data-calendar]')).not.toHaveAttribute('aria-busy', /./);
  await context.setOffline(false);
  await day.click();
  await expect(page).toHaveURL(address);
});

test('whoever logs in from a page comes back to it', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/ko/search?q=%ED%8C%8C%EB%8F%84%EB%B0%98');
  await page.locator('.tab-bar [data-user-slot]').click();
  await page.getByLabel('이메일').fill(demoAccounts.fan.email);
  await page.getByLabel('비밀번호', { exact: true }).fill(demoAccounts.fan.password);
  await page.locator('main button[type="submit"]').click();
  await expect(page).toHaveURL('/ko/search?q=%ED%8C%8C%EB%8F%84%EB%B0%98');
});

/** Pictures of the screen that failed and are seen: a browser draws its sign for a broken picture there. */
const brokenSeen = (page: Page) =>
  page.locator('img').evaluateAll((images) =>
    images.flatMap((image) => {
      if (!(image instanceof HTMLImageElement)) return [];
      const { top, bottom } = image.getBoundingClientRect();
      const isBroken = image.complete && image.naturalWidth === 0 && top < innerHeight && bottom > 0;
      return isBroken && image.checkVisibility({ opacityProperty: true }) ? [image.src] : [];
    }),
  );

test('without a connection no picture shows as broken, and it comes with the connection', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/en', { waitUntil: 'networkidle' });
  const card = page.locator('.feed-group > .card').last();
  const picture = card.locator('picture img');
  const loaded = () =>
    picture.evaluate((image: HTMLImageElement) => (image.naturalWidth > 0 ? image.currentSrc : ''));
  await context.setOffline(true);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/media/'));
  await card.scrollIntoViewIfNeeded();
  await failed;
  await expect(picture).toHaveCSS('opacity', '0');
  expect(await brokenSeen(page)).toEqual([]);
  await context.setOffline(false);
  await expect.poll(loaded).toContain('.avif');
  await expect(picture).toHaveCSS('opacity', '1');
});

test('a picture whose mark cannot be fetched either shows its ground alone', async ({ page }) => {
  await page.route(/\/media\/|favicon\.svg/, (route) => route.abort());
  for (const path of ['/en', '/en/article/48', '/en/star/1?tab=photos']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(page.locator('img[data-failed]').first(), path).toHaveCSS('opacity', '0');
    await expect.poll(() => brokenSeen(page), path).toEqual([]);
  }
  // The lightbox shows one picture after another in one place.
  await page.locator('[data-photo]').first().click();
  const lightboxImage = page.locator('#lightbox img');
  await expect(lightboxImage).toHaveCSS('opacity', '0');
  await page.unroute(/\/media\/|favicon\.svg/);
  await page.keyboard.press('ArrowRight');
  await expect(lightboxImage).toHaveCSS('opacity', '1');
  await expect
    .poll(() => lightboxImage.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

test('My Stars say so when they cannot be loaded, and open with the next press', async ({ page }) => {
  await page.goto('/en');
  await page.route(/_astro\/open[^/]*\.js/, (route) => route.abort());
  const button = page.locator('.header [data-my-stars]');
  await button.click();
  await expect(page.locator('#toast')).toContainText('This couldn’t be opened.');
  await expect(button).not.toHaveAttribute('aria-busy');
  await page.unroute(/_astro\/open[^/]*\.js/);
  await button.click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a press on My Stars shows at once while the dialog is on its way, and opens it once', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [width, selector] of [
    [360, '.tab-link[data-my-stars]'],
    [360, '.star-rail-item[data-my-stars]'],
    [1280, '.header [data-my-stars]'],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/en', { waitUntil: 'networkidle' });
    const release = await holdScripts(page);
    const ariaBusy = await page.locator(selector).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
      return button.ariaBusy;
    });
    expect([selector, ariaBusy]).toEqual([selector, 'true']);
    await expect(page.locator(selector)).toHaveCSS('opacity', '0.5');
    await release();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.locator(selector)).not.toHaveAttribute('aria-busy');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('a pointer over My Stars has the dialog fetched before the press', async ({ page }) => {
  await page.goto('/en', { waitUntil: 'networkidle' });
  const isReact = (url: string) => /_astro\/islands[^/]*\.js/.test(url);
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  await page.mouse.move(400, 400);
  await page.waitForLoadState('networkidle');
  expect(requestedUrls.filter(isReact)).toEqual([]);
  await page.locator('.header [data-my-stars]').hover();
  await expect.poll(() => requestedUrls.filter(isReact).length).toBe(1);
  await expect(page.getByRole('dialog')).toBeHidden();
});

for (const storage of ['full', 'forbidden', 'missing'] as const)
  test(`a browser whose storage is ${storage} follows a star and changes theme and language all the same`, async ({
    page,
  }) => {
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.addInitScript((kind) => {
      if (kind === 'missing') Object.defineProperty(window, 'localStorage', { value: null });
      if (kind === 'forbidden')
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('denied', 'SecurityError');
          },
        });
      for (let size = 2 ** 22; kind === 'full' && size >= 1; size /= 2) {
        try {
          localStorage.setItem(`${size}`, 'x'.repeat(size));
        } catch {
          // A smaller one may still find room.
        }
      }
    }, storage);
    await page.goto('/en/star/1');
    const star = page.getByRole('main');
    await star.locator('[data-follow]').click();
    await expect(star.getByRole('button', { name: /^Following\b/ })).toBeVisible();
    await expect(page.locator('[data-my-stars-count]').first()).toHaveText('1');
    // What another tab writes says nothing of it.
    await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'another' })));
    await expect(page.locator('[data-my-stars-count]').first()).toHaveText('1');
    await page.locator('[data-theme-choice] input[value="dark"]').check({ force: true });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.locator('.header [data-language-menu] summary').click();
    await page.locator('.header a[data-language="vi"]').click();
    await expect(page).toHaveURL('/vi/star/1');
    expect(errors).toEqual([]);
  });

test('a page that there is not is asked for in the other languages under the same address', async ({
  request,
  server,
}) => {
  const visit = new PlainVisit(request, server.url);
  for (const path of ['/ko/nope', '/ko/article/99999', '/ko/star/99999', '/ko/community/99999']) {
    expect(await visit.goto(path)).toBe(404);
    expect(visit.attribute('footer a[data-language="vi"]', 'href')).toBe(path.replace('/ko', '/vi'));
  }
});

test('the sky of an unknown page ends where the screen does, not at the edge of its drawing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/en/nowhere');
  const visibleStars = await page.locator('.night-drawing').evaluate((drawing) => {
    const box = drawing.getBoundingClientRect();
    return [...drawing.querySelectorAll('circle[opacity]')].filter((star) => {
      const { left, right, top, bottom } = star.getBoundingClientRect();
      const isBeside = right < box.left - 20 || left > box.right + 20;
      return isBeside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === star;
    }).length;
  });
  expect(visibleStars).toBeGreaterThan(20);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('between phone and desk a page takes the whole width', async ({ page }) => {
  for (const path of ['/en', '/en/events', '/en/article/1', '/en/community/1']) {
    await page.goto(path);
    for (const width of [800, 1024, 1279]) {
      await page.setViewportSize({ width, height: 800 });
      const box = await page.locator('.container').first().boundingBox();
      expect(box?.width, `${path} at ${width}`).toBe(width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  }
});

test('in high contrast, which takes fills and shadows away, what is chosen is told by its edge', async ({
  page,
  browser,
  server,
}) => {
  // The links of the server's calendar stay while no island takes their place.
  const context = await browser.newContext({
    baseURL: server.url,
    javaScriptEnabled: false,
    forcedColors: 'active',
  });
  const plain = await context.newPage();
  const views = [
    ['/en/events', '.events-tabs a'],
    ['/en/events?tab=upcoming', '.segmented a'],
    ['/en/events?tab=trending', '.event-chips a'],
    ['/en/star/1', '.tabs a'],
    ['/en/star/1?tab=photos', '.chips a'],
    ['/en/search?q=pado', '.tabs a'],
    ['/en/events', '.month td > a'],
  ] as const;
  for (const [path, selector] of views) {
    await plain.goto(path);
    const chosen = plain.locator(selector).and(plain.locator('[aria-current]'));
    const edge = await chosen.evaluate((link) => getComputedStyle(link).borderTopWidth);
    const others = await plain
      .locator(selector)
      .and(plain.locator(':not([aria-current])'))
      .evaluateAll((links) => [...new Set(links.map((link) => getComputedStyle(link).borderTopWidth))]);
    expect([path, selector, edge, others.includes('3px')]).toEqual([path, selector, '3px', false]);
  }
  await context.close();
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/en/events');
  const today = page.locator('.day-today .day-number');
  await expect(today).toHaveCSS('border-top-style', 'solid');
  await page.locator('[data-calendar] .month td > a').first().hover();
  await expect(page.locator('[data-day]').first()).toBeVisible();
  await expect(page.locator('td[aria-selected="true"]')).toHaveCSS('border-top-width', '3px');
  await expect(today).toHaveCSS('border-top-style', 'solid');
});

test('in high contrast signs over a picture stand on a ground of their own', async ({ browser, server }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 780 },
    forcedColors: 'active',
  });
  await signIn(context, server, 'user');
  const page = await context.newPage();
  for (const [path, signs] of [
    ['/ms/star/1', '.header-brand, .header-tools > .icon-button, .language-menu summary'],
    [
      '/ms/community/1',
      '.header-tools > .icon-button, .language-menu summary, .channel-back, .channel-tools .icon-button',
    ],
  ] as const) {
    await page.goto(path);
    const seen = page.locator(signs).filter({ visible: true });
    await expect(seen).toHaveCount(path === '/ms/star/1' ? 3 : 4);
    for (const sign of await seen.all())
      await expect(sign).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  }
  await context.close();
});

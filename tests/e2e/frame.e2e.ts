import { expect, test } from '#tests/kit/browser.ts';

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
    let moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved += 'value' in entry ? Number(entry.value) : 0;
      document.documentElement.dataset.moved = String(moved);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const path of ['/vi/article/99999', '/ms/search?q=zzzxqj']) {
    await page.goto(path);
    await expect(page.locator('[data-theme-choice] :checked')).toHaveCount(1);
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const moved = Number((await page.locator('html').getAttribute('data-moved')) ?? 0);
    expect([path, moved < 0.02, moved]).toEqual([path, true, moved]);
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

test('My Stars say so when they cannot be loaded, and open with the next press', async ({ page }) => {
  await page.goto('/en');
  await page.route(/_astro\/open[^/]*\.js/, (route) => route.abort());
  const button = page.locator('.header [data-my-stars]');
  await button.click();
  await expect(page.locator('#toast')).toContainText('This couldn’t be opened.');
  await page.unroute(/_astro\/open[^/]*\.js/);
  await button.click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a browser that keeps nothing shows the chosen theme all the same', async ({ page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('denied', 'QuotaExceededError');
    };
  });
  await page.goto('/en');
  await page.locator('[data-theme-choice] input[value="dark"]').check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(errors).toEqual([]);
});

test('a page that there is not is asked for in the other languages under the same address', async ({
  page,
}) => {
  for (const path of ['/ko/nope', '/ko/article/99999', '/ko/star/99999', '/ko/community/99999']) {
    await page.goto(path);
    await expect(page.locator('footer a[data-language="vi"]')).toHaveAttribute(
      'href',
      path.replace('/ko', '/vi'),
    );
  }
});

test('the sky of an unknown page ends where the screen does, not at the edge of its drawing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/en/nowhere');
  const seen = await page.locator('.night-drawing').evaluate((drawing) => {
    const box = drawing.getBoundingClientRect();
    return [...drawing.querySelectorAll('circle[opacity]')].filter((star) => {
      const { left, right, top, bottom } = star.getBoundingClientRect();
      const beside = right < box.left - 20 || left > box.right + 20;
      return beside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === star;
    }).length;
  });
  expect(seen).toBeGreaterThan(20);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

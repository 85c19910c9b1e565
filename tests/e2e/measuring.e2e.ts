import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/kit/browser.ts';
import { scrape } from '#tests/kit/metrics.ts';
import { setVisibility } from '#tests/kit/visibility.ts';

/** Waits until the file has run, and what it watches was told it. Whoever leaves the page before is not measured. */
const measures = (page: Page, file = '') =>
  page.evaluate(async (address) => {
    await import(address);
    await new Promise((resolve) =>
      new PerformanceObserver(resolve).observe({ type: 'largest-contentful-paint', buffered: true }),
    );
    // The sum of shifts is first told by a timer.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  }, file);

/** Bytes (brotli) that a visit which is measured loads besides. */
const mostBytes = 2_500;

test('few visits are measured: the file comes when all is there, and tells once, as the page is left, without identity', async ({
  page,
  context,
  server,
}) => {
  const files: string[] = [];
  let beacons = 0;
  page.on('request', (request) => {
    if (request.url().includes('/visit.')) files.push(request.url());
    if (request.url().endsWith('/api/vitals')) beacons += 1;
  });
  // Those of machines never are, so that every other test sees what nineteen of twenty visitors do.
  const isPicked = () => page.evaluate(() => 'measure' in window || 'failures' in window);
  await page.goto('/en/article/1');
  expect(await isPicked()).toBe(false);

  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });
    Math.random = () => 0;
  });
  await page.goto('/ko/article/2');
  expect(await isPicked()).toBe(true);
  await expect.poll(() => files.length).toBe(1);
  await measures(page, files[0]);
  const file = await (await fetch(files[0] ?? '')).bytes();
  expect(brotliCompressSync(file).byteLength).toBeLessThanOrEqual(mostBytes);
  // Leaving the page tells; a browser that Playwright drives keeps that from him, but not from the site.
  const counted = async (name: string, labels = {}) =>
    (await scrape(server.url)).value(`byeol_client_${name}`, { page: 'article', ...labels });
  await page.goto('/login');
  await expect.poll(() => counted('visits_total')).toBe(1);
  expect(await counted('lcp_seconds_count')).toBe(1);

  await context.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      throw new TypeError('fan@mail.example');
    });
    const send = Navigator.prototype.sendBeacon;
    Navigator.prototype.sendBeacon = function (address, body) {
      if (body instanceof Blob) void body.text().then((text) => (document.body.dataset.told = text));
      return send.call(this, address, body);
    };
  });
  await page.goto('/ko/article/2');
  await expect.poll(() => files.length).toBe(2);
  await measures(page, files[1]);
  await page.evaluate(() => void Promise.reject(new RangeError('fan@mail.example')));
  await page.mouse.click(5, 300);
  await setVisibility(page, 'hidden');
  await setVisibility(page, 'visible');
  await setVisibility(page, 'hidden');
  await expect(page.locator('body')).toHaveAttribute('data-told', /^\{/);
  expect(beacons).toBe(1);
  const told = (await page.locator('body').getAttribute('data-told')) ?? '';
  const { inp: _, ...visit } = JSON.parse(told);
  // What no file of ours threw is left out, as are the words of what one did.
  expect(visit).toEqual({
    page: 'article',
    lcp: expect.any(Number),
    cls: expect.any(Number),
    errors: [{ kind: 'promise', name: 'RangeError' }],
  });
  await expect.poll(() => counted('errors_total', { kind: 'promise' })).toBe(1);
});

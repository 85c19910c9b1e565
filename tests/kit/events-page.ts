import type { Browser, Page } from '@playwright/test';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { expect, watchRequests } from './browser.ts';

/** Works in the server's database as its operator would. */
export async function inDatabase<Made>(url: string, make: () => Promise<Made>): Promise<Made> {
  openDatabase(url);
  try {
    return await make();
  } finally {
    await closeDatabase();
  }
}

export const phone = { width: 360, height: 780 };
export const desk = { width: 1280, height: 1000 };

/** A page of a context with other options than the test's own, in Seoul unless they say otherwise. */
export async function pageIn(
  browser: Browser,
  baseURL: string | undefined,
  options: Parameters<Browser['newContext']>[0],
): Promise<Page> {
  const context = await browser.newContext({
    timezoneId: 'Asia/Seoul',
    ...options,
    ...(baseURL ? { baseURL } : {}),
  });
  watchRequests(context);
  return context.newPage();
}

/** The calendar becomes an island for a person, who moves once it is in sight: until then only a while brings it. */
export async function calendarReady(page: Page): Promise<void> {
  const calendar = page.locator('[data-calendar]');
  await expect
    .poll(
      async () => {
        await calendar.evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
        await page.mouse.move(200, 200);
        await page.mouse.move(210, 210);
        return calendar.locator('button[data-day]').count();
      },
      { intervals: [50, 100, 200] },
    )
    .toBeGreaterThan(0);
}

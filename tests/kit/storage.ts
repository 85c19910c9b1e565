import type { Page } from '@playwright/test';

/** Storage as browsers have it that are told to keep nothing: its name alone throws. */
export const forbidStorage = (page: Page) =>
  page.addInitScript(() => {
    const get = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get });
  });

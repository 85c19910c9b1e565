import type { Page } from '@playwright/test';

/**
 * What a browser does when its tab goes to the back or comes to the front: it answers another state and says that it changed. A
 * browser that Playwright drives shows all of its tabs.
 */
export const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    Object.defineProperty(document, 'hidden', { configurable: true, value: value === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

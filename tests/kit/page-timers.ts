import type { Page } from '@playwright/test';

/**
 * Timers of exactly these milliseconds end after ten minutes on pages that are opened from now on: what is offered, shown or waited for
 * for seconds may be over on a slow machine before a test comes to it.
 */
export const delayTimers = (page: Page, ...lengths: readonly number[]) =>
  page.addInitScript((delayed) => {
    const wait = window.setTimeout;
    Object.assign(window, {
      setTimeout: (run: () => void, milliseconds: number, ...rest: unknown[]) =>
        wait(run, delayed.includes(milliseconds) ? 600_000 : milliseconds, ...rest),
    });
  }, lengths);

/** Toasts, which go after five seconds, or twelve, stay until the next one comes. */
export const keepToasts = (page: Page) => delayTimers(page, 5_000, 12_000);

/** Pages that are opened from now on wait twenty times as long for an answer: a slow machine may need more than the product gives. */
export const stretchTimeouts = (page: Page) =>
  page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(milliseconds * 20);
  });

import type { Page } from '@playwright/test';

/** An answer that a browser waits for until the test lets it go. */
export interface HeldAnswer {
  /** The browser has asked. */
  requested: Promise<void>;
  release(): void;
}

/** Holds back what is answered to a page at these addresses. */
export async function holdAnswer(page: Page, addresses: string): Promise<HeldAnswer> {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    requested.resolve();
    await released.promise;
    await route.continue();
  });
  return { requested: requested.promise, release: released.resolve };
}

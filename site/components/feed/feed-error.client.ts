import { stopWaitingForFeed } from '../../stores/feed.ts';

/**
 * §8: says what failed, where it was asked for: above the feed for what replaces it, below it for what follows. A feed that was
 * still waited for is shown as it came from the server.
 */
export function showFeedError(
  place: 'prepend' | 'append',
  retry: () => Promise<void> | void,
  hint?: string,
): void {
  const feed = document.querySelector('#feed');
  const template = document.querySelector<HTMLTemplateElement>('template[data-feed-error]');
  stopWaitingForFeed();
  if (!feed || !template) return;
  removeFeedError();
  feed[place](template.content.cloneNode(true));
  const words = feed.querySelector('[data-state-hint]');
  if (words && hint) words.textContent = hint;
  feed.querySelector('[data-retry]')?.addEventListener('click', async () => {
    removeFeedError();
    await retry();
    if (document.activeElement !== document.body) return;
    // The button has gone with its card: the focus goes to that of the next one, or to the stories in its place.
    const next = place === 'prepend' ? '[data-retry],.card-link' : '[data-retry]';
    feed.querySelector<HTMLElement>(next)?.focus({ preventScroll: true });
  });
}

export function removeFeedError(): void {
  document.querySelector('#feed > .state[role="alert"]')?.remove();
}

/**
 * Share buttons: the system's sheet, else the link is copied, else a sentence says how to. `data-share` with an address copies
 * that one; in the details of an event, which may lie over any page, it is the event that is shared.
 */
import { showToast } from '../../client/toast.ts';

export async function share(button: HTMLElement): Promise<void> {
  const givenAddress = button.dataset.share;
  const event = button.closest('[data-event-details]');
  const eventAddress = event?.querySelector<HTMLAnchorElement>('[data-open-page]')?.href;
  const url = givenAddress || eventAddress || location.origin + location.pathname;
  const heading = event?.querySelector('h1,h2') ?? document.querySelector('h1');
  const title = heading?.textContent?.trim() ?? document.title;
  if (!givenAddress && 'share' in navigator) {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast(button.dataset.copied ?? '');
  } catch {
    showToast(button.dataset.copyFailed ?? '');
  }
}

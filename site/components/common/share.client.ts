/**
 * Share buttons: the system's sheet, else the link is copied, else a sentence says how to. `data-share` with an address copies
 * that one.
 */
import { showToast } from '../../client/toast.ts';

export async function share(button: HTMLElement): Promise<void> {
  const givenAddress = button.dataset.share;
  const url = givenAddress || location.origin + location.pathname;
  const title = document.querySelector('h1')?.textContent?.trim() ?? document.title;
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

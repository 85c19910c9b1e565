/**
 * Share buttons: the system's sheet, else the link is copied, else a sentence says how to. `data-share` with an address copies
 * that one.
 */
import { showToast } from '../../client/toast.ts';

export async function share(button: HTMLElement): Promise<void> {
  const own = button.dataset.share;
  const url = own || location.origin + location.pathname;
  const title = document.querySelector('h1')?.textContent?.trim() ?? document.title;
  if (!own && 'share' in navigator) {
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

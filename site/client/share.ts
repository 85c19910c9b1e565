/** Share buttons (`data-share`): the system's sheet, else the link is copied, else a sentence says how to. */
import { showToast } from './toast.ts';

export async function share(button: HTMLElement): Promise<void> {
  const url = location.origin + location.pathname;
  const title = document.querySelector('h1')?.textContent?.trim() ?? document.title;
  if ('share' in navigator) {
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

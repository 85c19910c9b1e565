import { inAppBrowser, renderDelay, renderGate } from '../../lib/pages/in-app.ts';

/**
 * Waits until an app's browser has settled enough to render an island (§4: 200 ms in KakaoTalk, 100 ms in the others, 500 ms
 * at most); a spinner shows until it is mounted. What the server rendered is there meanwhile.
 * @returns takes the spinner away
 */
export async function waitForRenderGate(): Promise<() => void> {
  const spinner = document.createElement('div');
  spinner.className = 'mounting';
  spinner.setAttribute('role', 'progressbar');
  spinner.ariaLabel = document.body.dataset.loading ?? '';
  document.body.append(spinner);
  const delay = Math.min(renderDelay(inAppBrowser(navigator.userAgent)), renderGate);
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  return () => spinner.remove();
}

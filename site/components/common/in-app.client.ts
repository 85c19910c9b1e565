/**
 * In an app's own browser (§4 In-app browsers, decision L8): the page is there as for everybody; after 2 s a fallback offers
 * the real browser, once per browser session, and goes when one wants to go on. Loaded only where an app's name is.
 */
import { storageKey } from '#content/site.ts';
import { showToast } from '../../client/toast.ts';
import { type InAppBrowser, inAppBrowser, outsideAddress } from '../../lib/pages/in-app.ts';
import { noticeWords } from './notice-words.client.ts';

/** 별 as a constellation: the night of the screens that lead elsewhere (look §5). */
const sky = `<svg viewBox="40 0 180 196" aria-hidden="true" fill="none" stroke="#c7cef0" stroke-width="1.6"><path d="M60 24V104H150V24M60 64H150M196 14V116M170 44H196M170 76H196M60 130H196V156H62V184H200"/><g fill="#fff" stroke="none">${[
  [60, 24],
  [60, 104],
  [150, 104],
  [150, 24],
  [60, 64],
  [196, 14],
  [196, 116],
  [170, 44],
  [170, 76],
  [60, 130],
  [196, 156],
  [62, 184],
  [200, 184],
]
  .map(([x, y], index) => `<circle cx="${x}" cy="${y}" r="${index % 3 === 0 ? 6 : 4}"/>`)
  .join(
    '',
  )}</g><circle cx="150" cy="64" r="9" fill="#090c13" stroke="#ff4b1f" stroke-width="2" stroke-dasharray="4 4"/></svg>`;

const shownKey = `${storageKey}:in-app-shown`;
const fallbackDelay = 2000;

function button(className: string, label: string, run: () => void): HTMLButtonElement {
  const element = Object.assign(document.createElement('button'), {
    type: 'button',
    className,
    textContent: label,
  });
  element.addEventListener('click', run);
  return element;
}

async function copy(address: HTMLInputElement, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address.value);
    address.hidden = true;
    showToast(copied);
  } catch {
    // Many of these browsers forbid it: the address is there to be copied by hand.
    address.hidden = false;
    address.select();
  }
}

async function offer(app: InAppBrowser): Promise<void> {
  if (sessionStorage.getItem(shownKey)) return;
  const words = await noticeWords();
  sessionStorage.setItem(shownKey, app);
  const dialog = document.createElement('dialog');
  dialog.className = 'sheet fallback';
  const title = Object.assign(document.createElement('h2'), {
    id: 'fallback-title',
    textContent: words.inAppTitle.replace('{{app}}', app),
  });
  dialog.setAttribute('aria-labelledby', title.id);
  const text = Object.assign(document.createElement('p'), { textContent: words.inAppText });
  const address = Object.assign(document.createElement('input'), {
    className: 'field',
    readOnly: true,
    value: location.href,
    hidden: true,
    ariaLabel: words.inAppAddress,
  });
  dialog.innerHTML = sky;
  dialog.append(
    title,
    text,
    button('button button-night-primary', words.inAppOpen, () =>
      location.assign(outsideAddress(app, navigator.userAgent, location.href)),
    ),
    button('button button-night', words.inAppCopy, () => void copy(address, words.inAppCopied)),
    address,
    button('button button-night', words.inAppContinue, () => dialog.close()),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const app = inAppBrowser(navigator.userAgent);
if (app) {
  document.documentElement.dataset.inApp = app;
  const delay = Math.max(0, fallbackDelay - performance.now());
  setTimeout(() => void offer(app).catch((error: unknown) => console.error(error)), delay);
}

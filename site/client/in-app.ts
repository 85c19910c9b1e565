/**
 * In an app's own browser (§4 In-app browsers, decision L8): the page is there as for everybody; after 2 s a fallback offers
 * the real browser, once per browser session, and goes when one wants to go on. Loaded only where an app's name is.
 */
import { site } from '#content/site.ts';
import { type InAppBrowser, inAppBrowser, outsideAddress } from '../lib/in-app.ts';
import { noticeWords } from './notice-words.ts';
import { showToast } from './toast.ts';

const shownKey = `${site.storageKey}:in-app-shown`;
const patience = 2000;

function button(className: string, label: string, run: () => void): HTMLButtonElement {
  const made = Object.assign(document.createElement('button'), {
    type: 'button',
    className,
    textContent: label,
  });
  made.addEventListener('click', run);
  return made;
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
  dialog.append(
    title,
    text,
    button('button button-primary', words.inAppOpen, () =>
      location.assign(outsideAddress(app, navigator.userAgent, location.href)),
    ),
    button('button button-line', words.inAppCopy, () => void copy(address, words.inAppCopied)),
    address,
    button('button button-quiet', words.inAppContinue, () => dialog.close()),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const app = inAppBrowser(navigator.userAgent);
if (app) {
  document.documentElement.dataset.inApp = app;
  const left = Math.max(0, patience - performance.now());
  setTimeout(() => void offer(app).catch((error: unknown) => console.error(error)), left);
}

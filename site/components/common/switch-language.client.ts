import { isLang } from '#content/locales.ts';
import { chooseLanguage } from '../../stores/preferences.ts';

/**
 * §2: another language begins the home feed anew; every other list keeps its page. Where a login leads is in the link, in the new
 * language.
 */
const leftBehind = isLang(location.pathname.slice(1))
  ? ['lang', 'page', 'pages', 'offset']
  : ['lang', 'next'];

/** An explicit choice is stored, the page is loaded anew in that language with a timestamp (§4); an overlay says so. */
export function switchLanguage(link: HTMLAnchorElement): void {
  const { language } = link.dataset;
  if (!isLang(language)) return;
  chooseLanguage(language);
  const address = new URL(link.href);
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (!leftBehind.includes(name)) address.searchParams.set(name, value);
  }
  address.searchParams.set('t', String(Date.now()));
  const overlay = Object.assign(document.createElement('p'), {
    className: 'switching',
    textContent: document.body.dataset.switching ?? '',
  });
  overlay.setAttribute('role', 'status');
  document.body.append(overlay);
  const remove = () => overlay.remove();
  // A page from the back-forward cache must not come back under the overlay, nor one stay there whose load was stopped.
  addEventListener('pageshow', remove, { once: true });
  overlay.onclick = remove;
  window.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') remove();
  });
  location.assign(address);
}

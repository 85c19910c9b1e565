/**
 * What every page does in the browser without React: own preferences in the shell, language menu, theme, ages, offline
 * line, fallback pictures. Everything works without it; keep it small, every fan pays for it on every page.
 */

import { onPress } from '../../client/press.ts';
import { showLoadFailure, showToast } from '../../client/toast.ts';
import { favourites } from '../../stores/favourites.ts';
import { token } from '../../stores/session.ts';
import './ages.client.ts';

const root = document.documentElement;
const all = <E extends Element>(selector: string) => document.querySelectorAll<E>(selector);

favourites.subscribe(({ length }) => {
  if (length > 0) root.dataset.stars = `${length}`;
  else delete root.dataset.stars;
  for (const pill of all<HTMLElement>('[data-my-stars-count]')) {
    pill.textContent = `${length}`;
    pill.hidden = length === 0;
  }
});

/** Without a network a link or a form would lead to the browser's own page: what is read and typed stays, unless the page has an answer of its own. */
onPress('[data-no-network] :is(a[href^="/"],[method=post] [type=submit])', showLoadFailure);

/** A press on a language: the link leads there by itself, the file that this loads also keeps the choice. */
onPress<HTMLAnchorElement>('a[data-language]', (link) => {
  import('./switch-language.client.ts').then(
    (it) => it.switchLanguage(link),
    () => location.assign(link.href),
  );
});

/** An open menu closes on Escape, which gives the focus back, and when a click or the focus goes elsewhere. */
const openMenus = () => all<HTMLDetailsElement>('[data-language-menu][open]');
for (const type of ['click', 'focusin']) {
  document.addEventListener(type, ({ target }) => {
    for (const menu of openMenus()) if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
}
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
});

/** Who is logged in is filled in by a file of its own, which guests never load: a token is kept, or a cookie's mark was seen. */
token.subscribe((proof) => {
  if (proof || root.dataset.user === '') void import('../accounts/session.client.ts');
});

/** The choice of a theme is at the end of the page: its script comes with it. */
const whenSeen = new IntersectionObserver(([entry]) => {
  if (entry?.isIntersecting) void import('./theme.client.ts');
});
for (const choice of all('[data-theme-choice]')) whenSeen.observe(choice);

const offlineLine = document.querySelector<HTMLElement>('#offline');
function showConnection() {
  const { onLine } = navigator;
  root.toggleAttribute('data-no-network', !onLine);
  if (!offlineLine) return;
  const { online, offline = '' } = document.body.dataset;
  if (onLine && !offlineLine.hidden) showToast(online);
  offlineLine.textContent = onLine ? '' : offline;
  offlineLine.hidden = onLine;
}
addEventListener('online', showConnection);
addEventListener('offline', showConnection);
showConnection();

/**
 * §4: a picture that fails gives way to a smaller file where there is one, then to its star's mark, once; also one that failed
 * before this script ran. Where that fails too, or without a network, nothing shows but its ground, until there is a network
 * again: the browser would draw its sign for a broken picture. What is told of a file that has been replaced already counts no
 * more.
 */
function replaceFailed(image: HTMLImageElement): void {
  if (!image.complete || image.naturalWidth > 0) return;
  const { failed, lower, fallback = '/favicon.svg' } = image.dataset;
  if (failed || !navigator.onLine) {
    image.style.opacity = '0';
    const showAgain = () => {
      image.style.opacity = '';
      image.setAttribute('src', image.src);
    };
    addEventListener('online', showAgain, { once: true });
  } else if (lower) {
    delete image.dataset.lower;
    image.src = lower;
  } else {
    image.dataset.failed = 'true';
    for (const source of image.closest('picture')?.querySelectorAll('source') ?? []) source.remove();
    image.removeAttribute('srcset');
    image.src = fallback;
  }
}

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement) replaceFailed(target);
  },
  true,
);
for (const image of all<HTMLImageElement>('img')) replaceFailed(image);

/** What was near once stays: a browser would take it away again with the screen that it was on. */
document.addEventListener('contentvisibilityautostatechange', (event) => {
  const { target } = event;
  if (target instanceof HTMLElement && !Reflect.get(event, 'skipped')) target.dataset.near = '';
});

/** The press shows at once, however long the file with the dialog is on its way. */
onPress('[data-my-stars]', (button) => {
  if (button.ariaBusy) return;
  button.ariaBusy = 'true';
  import('../../islands/star-filter/open.ts')
    .then((it) => it.openStarFilter())
    .catch(showLoadFailure)
    .finally(() => (button.ariaBusy = null));
});

/** In an app's browser (which one exactly, the file itself knows), after a minute, and for a mouse: what others never load. */
const later = () => void import('./deferred.client.ts');
if (
  /FB[AI]|Instag|Twitt|Line\/|Kakao|Telegr|Whats|MicroM|TikTok|musical|Byte|trill|YouTu|LinkedI/i.test(
    navigator.userAgent,
  )
)
  later();
setTimeout(later, 60_000);
/** A browser without a mouse tells at times of one in the page's corner. */
document.onpointermove = ({ clientX, clientY }) => {
  if (!clientX && !clientY) return;
  document.onpointermove = null;
  later();
};

/** In few visits, which `layouts/pick-visit.inline.ts` picks: others never load it. */
window.measure?.(() => import('./visit.client.ts'));

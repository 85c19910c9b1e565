/**
 * A star's page in the browser: the header over the hero, tabs and filters put in place without leaving the page, the
 * lightbox and Follow. All of it is also a plain link or simply absent without JavaScript.
 */
import './follow.ts';
import './tickets.ts';
import { onPress } from './press.ts';
import { revealCurrent } from './reveal-current.ts';
import { sayNotLoaded } from './toast.ts';

const root = document.documentElement;
const hero = document.querySelector<HTMLElement>('[data-hero]');
const tagline = document.querySelector('.header-tagline');

/** On phones the header is transparent over the hero; past it, it takes the page's ground and the star's name (look §7). */
if (hero && tagline) {
  const words = tagline.textContent;
  new IntersectionObserver(
    ([entry]) => {
      const past = entry ? !entry.isIntersecting : false;
      root.toggleAttribute('data-past-hero', past);
      tagline.textContent = past && innerWidth < 768 ? (hero.dataset.hero ?? words) : words;
    },
    { rootMargin: '-64px 0px 0px' },
  ).observe(hero);
}

revealCurrent();

/** The tabs come with the first press: a visitor who only reads pays nothing for them. */
const tabs = () => import('./star-tabs.ts');

onPress('[data-in-place],[data-photo]', (link) => {
  if (!(link instanceof HTMLAnchorElement)) return;
  if (link.matches('[data-photo]')) import('./lightbox.ts').then((it) => it.openLightbox(link), sayNotLoaded);
  else tabs().then((it) => it.openPart(link), sayNotLoaded);
});
addEventListener('popstate', () => {
  document.querySelector<HTMLDialogElement>('#lightbox')?.close();
  tabs().then((it) => it.showAddress(), sayNotLoaded);
});

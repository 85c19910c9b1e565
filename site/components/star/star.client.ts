/**
 * A star's page in the browser: the header over the hero, tabs and filters put in place without leaving the page, the
 * lightbox and Follow. All of it is also a plain link or simply absent without JavaScript.
 */
import './follow-on-demand.client.ts';
import '../events/Ticket.client.ts';
import { onPress } from '../../client/press.ts';
import { showLoadFailure } from '../../client/toast.ts';
import { revealCurrent } from '../events/reveal-current.client.ts';

/** Whoever never scrolls sees the header over the hero only. Without its file it has the page's ground, on which it can be read. */
const header = () =>
  void import('./star-header.client.ts').catch(() =>
    document.documentElement.toggleAttribute('data-past-hero', true),
  );
if (scrollY) header();
else addEventListener('scroll', header, { once: true });

revealCurrent();

/** The tabs come with the first press: a visitor who only reads pays nothing for them. */
const tabs = () => import('./StarTabs.client.ts');

onPress('[data-in-place],[data-photo]', (link) => {
  if (!(link instanceof HTMLAnchorElement)) return;
  if (link.matches('[data-photo]'))
    import('./Lightbox.client.ts').then((it) => it.openLightbox(link), showLoadFailure);
  else tabs().then((it) => it.openPart(link), showLoadFailure);
});
addEventListener('popstate', () => {
  tabs().then((it) => it.showAddress(), showLoadFailure);
});

/**
 * What the article page does beyond the frame: back, the like that is kept nowhere (§2), the AI label that opens its panel;
 * embeds, and what `tickets.ts` brings, come along in the same file.
 */
import './tickets.ts';
import './embeds.ts';

document.querySelector('[data-back]')?.addEventListener('click', (event) => {
  if (history.length < 2 || !document.referrer.startsWith(`${location.origin}/`)) return;
  event.preventDefault();
  history.back();
});

const like = document.querySelector('[data-like]');
like?.addEventListener('click', () => {
  like.setAttribute('aria-pressed', String(like.getAttribute('aria-pressed') !== 'true'));
});

const panel = document.querySelector<HTMLDetailsElement>('#how-made');
for (const link of document.querySelectorAll('a[href="#how-made"]')) {
  link.addEventListener('click', () => {
    if (!panel) return;
    panel.open = true;
    panel.querySelector('summary')?.focus();
  });
}

/**
 * What the article page does beyond the shell: back, the like that is kept nowhere (§2), the AI label that opens its panel;
 * embeds, and what `Ticket.client.ts` brings, come along in the same file.
 */
import '../events/Ticket.client.ts';
import '../embeds/embeds.client.ts';

/** What an address shows, in whatever language and at whatever place of it. */
const shownAt = (url: string) => new URL(url).pathname.replace(/^\/[a-z]{2}(?=\/|$)/, '');
const story = shownAt(location.href);
/** A place that one comes from: of this site, neither the story itself nor the way in. */
const isBefore = (url: string | null): url is string =>
  !!url?.startsWith(`${location.origin}/`) && ![story, '/login'].includes(shownAt(url));

const back = document.querySelector<HTMLAnchorElement>('[data-back]');
back?.addEventListener('click', (event) => {
  // Safari has it since 26.2, Firefox since 147. Those before know the last page only, which is no step away from a place within.
  const steps = 'navigation' in window ? navigation : undefined;
  const entry = steps
    ?.entries()
    .slice(0, steps.currentEntry?.index)
    .findLast(({ url }) => isBefore(url));
  const from = steps ? (entry?.url ?? null) : document.referrer;
  // Who has changed the language since then goes to the feed in the new one, where the link leads by itself.
  if (!isBefore(from) || (shownAt(from) === '' && new URL(from).pathname !== back.pathname)) return;
  // The tab may be the story's own, without a step to go back.
  if (!entry && (location.hash || history.length === 1)) back.href = from;
  else {
    event.preventDefault();
    if (entry) steps?.traverseTo(entry.key);
    else history.back();
  }
});

const like = document.querySelector('[data-like]');
like?.addEventListener('click', (event) => {
  event.preventDefault();
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

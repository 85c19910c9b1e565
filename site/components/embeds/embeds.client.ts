/**
 * Embeds wait for a reader (§2, decision M3): the code that does things is fetched with the first touch, so that it costs
 * nobody who only reads. Posters that fail are asked for once more, smaller.
 */
import { showLoadFailure } from '../../client/toast.ts';

const root = document.querySelector<HTMLElement>('[data-multimedia]');
const actions = () => import('./embed-actions.client.ts');

root?.addEventListener('click', (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || !(event.target instanceof Element)) return;
  const control = event.target.closest('[data-play], [data-toggle-all], [data-find-more], [data-find-again]');
  if (!control) return;
  event.preventDefault();
  actions().then(({ activate }) => activate(control), showLoadFailure);
});

root?.addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || target.open || !target.querySelector('iframe')) return;
    void actions().then(({ stopInside }) => stopInside(target));
  },
  true,
);

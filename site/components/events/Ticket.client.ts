/**
 * Events in lists: countdown, the visitor's time, hearts, and where choosing one leads; share buttons, too. All of it begins with
 * the first event on the screen or the first press; countdowns for everybody, the rest is loaded for those who need it.
 */

import { onPress } from '../../client/press.ts';
import { showLoadFailure } from '../../client/toast.ts';
import { ticketRevision } from '../../stores/events.ts';
import { token } from '../../stores/session.ts';
import { startCountdowns } from './Countdown.client.ts';

const actions = () => import('./ticket-actions.client.ts');
const sharing = () => import('../common/share.client.ts');
const localTimes = () => import('./local-times.client.ts');

onPress('a[data-event],[data-subscribe],[data-share]', (pressed) => {
  if ('share' in pressed.dataset) sharing().then((it) => it.share(pressed), showLoadFailure);
  else actions().then((it) => it.activate(pressed), showLoadFailure);
});

/** Whether the visitor's clock is another than Korea's; asked before the first paint (`before-paint.inline.ts`). */
export const isAbroad = 'abroad' in document.documentElement.dataset;
/** Times and days that are not in the part of the events page, which comes in the visitor's own (`local-days.client.ts`). */
const foreign = '[data-start]:not([data-part] *),[data-own],[data-days]';

const seen = new IntersectionObserver((entries) => {
  if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
  seen.disconnect();
  stopWatching();
  startCountdowns();
  // Also what a sheet brings later.
  if (isAbroad)
    ticketRevision.subscribe(() => {
      if (document.querySelector(foreign)) void localTimes().then((it) => it.showLocalTimes());
    });
  // The token may come later, by the cookie.
  token.subscribe((proof) => {
    if (proof) void actions().then((it) => it.updateHearts());
  });
});
// Those of now may be replaced before they were seen: by the days of a visitor abroad, by another tab.
const stopWatching = ticketRevision.subscribe(() => {
  for (const ticket of document.querySelectorAll('[data-ticket],[data-countdown]')) seen.observe(ticket);
});

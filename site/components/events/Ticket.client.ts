/**
 * Events in lists: countdown, the visitor's time, hearts, and where choosing one leads; share buttons, too. All of it begins with
 * the first event on the screen or the first press; countdowns for everybody, the rest is loaded for those who need it.
 */

import { onPress } from '../../client/press.ts';
import { sayNotLoaded } from '../../client/toast.ts';
import { token } from '../../stores/session.ts';
import { startCountdowns } from './Countdown.client.ts';

const live = () => import('./live-tickets.client.ts');
const sharing = () => import('../common/share.client.ts');
const ownTimes = () => import('./own-times.client.ts');

onPress('a[data-event],[data-subscribe],[data-share]', (pressed) => {
  if ('share' in pressed.dataset) sharing().then((it) => it.share(pressed), sayNotLoaded);
  else live().then((it) => it.press(pressed), sayNotLoaded);
});

/** Whether the visitor's clock is another than Korea's; asked before the first paint (`before-paint.inline.ts`). */
export const isAbroad = 'abroad' in document.documentElement.dataset;
/** Times that are not in the part of the events page, which comes in the visitor's own (`own-days.ts`). */
const foreign = '[data-start]:not([data-part] *),[data-own]';

const seen = new IntersectionObserver((entries) => {
  if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
  seen.disconnect();
  startCountdowns();
  if (isAbroad && document.querySelector(foreign)) void ownTimes().then((it) => it.startOwnTimes());
  // The token may come later, by the cookie.
  token.subscribe((proof) => {
    if (proof) void live().then((it) => it.dress());
  });
});
for (const ticket of document.querySelectorAll('[data-ticket],[data-countdown]')) seen.observe(ticket);

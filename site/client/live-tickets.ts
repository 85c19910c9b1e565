/** Events for a fan who is logged in, abroad, or presses one. */
import { token } from '../stores/session.ts';
import { chooseEvent } from './choose-event.ts';
import { pressHeart, showHearts } from './hearts.ts';
import { showOwnTimes } from './ticket-times.ts';

/** The visitor's own time and hearts, also on events that are put into the page later. */
export function dress(): void {
  showOwnTimes();
  void showHearts();
}

document.addEventListener('tickets', dress);
token.listen(dress);

/** A press on a heart, or on an event. */
export function press(pressed: HTMLElement): void {
  if (pressed.matches('[data-subscribe]')) void pressHeart(pressed);
  else if (pressed instanceof HTMLAnchorElement) void chooseEvent(pressed);
}

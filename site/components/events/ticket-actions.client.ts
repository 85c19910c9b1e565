/** Events for a fan who is logged in or presses one. */
import { ticketRevision } from '../../stores/events.ts';
import { chooseEvent } from './choose-event.client.ts';
import { pressHeart, showHearts } from './hearts.client.ts';

/** Hearts, also on events that are put into the page later. */
export function updateHearts(): void {
  void showHearts();
}

ticketRevision.listen(updateHearts);

/** A press on a heart, or on an event. */
export function activate(pressed: HTMLElement): void {
  if (pressed.matches('[data-subscribe]')) void pressHeart(pressed);
  else if (pressed instanceof HTMLAnchorElement) void chooseEvent(pressed);
}

/**
 * The events page in the browser: what puts tabs, ranges and further rows in place comes with the first press, React with the
 * calendar. All of it is also a plain link.
 */
import './local-days.client.ts';
import { onPress } from '../../client/press.ts';
import { showLoadFailure } from '../../client/toast.ts';
import { today } from '../../stores/clock.ts';
import { ticketRevision } from '../../stores/events.ts';
import { revealCurrent } from './reveal-current.client.ts';
import './Ticket.client.ts';

const parts = () => import('./event-parts.client.ts');
const calendar = () => import('./start-calendar.client.ts');

onPress('.events-page [data-in-place],.events-page [data-more]', (link) => {
  if (link instanceof HTMLAnchorElement)
    parts().then((it) => ('more' in link.dataset ? it.loadMore(link) : it.followLink(link)), showLoadFailure);
});
if (location.search.includes('pages=')) void parts().then((it) => it.restorePages());
addEventListener('popstate', () => parts().then((it) => it.showAddress(), showLoadFailure));

/** Whoever leaves the page open over midnight, or comes back to it after, is shown the new day. */
today.listen(() => void parts().then((it) => it.refreshDays()));

/** React comes with the calendar only. */
function watchCalendar(): void {
  if (document.querySelector('[data-calendar]')) void calendar().then((it) => it.startCalendar());
}
watchCalendar();
ticketRevision.listen(watchCalendar);
// In the frame that lays the page out anyway: asking before would lay it out twice.
requestAnimationFrame(revealCurrent);

/**
 * The events page in the browser: what puts tabs, ranges and further rows in place comes with the first press, React with the
 * calendar. All of it is also a plain link.
 */
import { revealCurrent } from './reveal-current.ts';
import './tickets.ts';

const parts = () => import('./event-parts.ts');

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest<HTMLAnchorElement>('.events-page [data-in-place],.events-page [data-more]');
  if (!link) return;
  event.preventDefault();
  void parts().then(({ follow, loadMore }) => ('more' in link.dataset ? loadMore(link) : follow(link)));
});

addEventListener('popstate', () => void parts().then(({ showAddress }) => showAddress()));

/** React comes with the calendar only. */
function start(): void {
  if (document.querySelector('[data-calendar]'))
    void import('./start-calendar.ts').then(({ startCalendar }) => startCalendar());
}
start();
document.addEventListener('tickets', start);
revealCurrent();

/**
 * The calendar of the events page becomes an island when there is a person: React is worth its bytes once somebody touches,
 * scrolls, types or points, or has looked for a while. Until then it is the server's, whose days are links; what is pressed
 * meanwhile is what the island opens with.
 */
import type { Press } from '../../islands/calendar/open.ts';
import { calendarState } from '../../stores/events.ts';

const activities = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;
const maxWait = 10_000;

function pressOf(event: MouseEvent): Press {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const pressed = event.target instanceof Element ? event.target.closest('a,summary') : null;
  if (pressed?.matches('.filter-menu > summary')) return 'filter';
  if (!(pressed instanceof HTMLAnchorElement) || pressed.hash) return undefined;
  const address = new URL(pressed.href);
  return address.pathname === location.pathname ? address : undefined;
}

let watched: HTMLElement | undefined;

/** Waits for a person, once per calendar. */
export function startCalendar(): void {
  const calendar = document.querySelector<HTMLElement>('[data-calendar]');
  if (!calendar || calendar === watched) return;
  watched = calendar;
  calendarState.set('static');
  let lastPress: Press;
  const followLastPress = () => {
    calendar.removeAttribute('aria-busy');
    if (lastPress instanceof URL) location.assign(lastPress);
    else if (lastPress)
      calendar.querySelector<HTMLDetailsElement>('.filter-menu')?.toggleAttribute('open', true);
  };
  const start = () => {
    if (calendarState.get() !== 'static' || !calendar.isConnected) return;
    calendarState.set('loading');
    seen.disconnect();
    import('../../islands/calendar/open.ts')
      .then(({ openCalendar }) => openCalendar(calendar, () => lastPress))
      .catch((error: unknown) => {
        console.error('calendar:', error);
        if (calendar.isConnected) calendarState.set('failed');
        followLastPress();
      });
  };
  const whenIdle = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 1000 });
    else start();
  };
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    seen.disconnect();
    for (const activity of activities) addEventListener(activity, whenIdle, { once: true, passive: true });
    setTimeout(whenIdle, navigator.userActivation?.hasBeenActive ? 0 : maxWait);
  });
  seen.observe(calendar);
  for (const touch of ['pointerdown', 'focusin']) calendar.addEventListener(touch, start, { once: true });
  if (calendar.contains(document.activeElement)) start();
  calendar.addEventListener('click', (event) => {
    if (!['static', 'loading'].includes(calendarState.get())) return;
    const next = pressOf(event);
    if (!next) return;
    event.preventDefault();
    lastPress = next;
    calendar.setAttribute('aria-busy', 'true');
    start();
  });
}

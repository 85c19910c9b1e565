/**
 * The calendar of the events page becomes an island when there is a person: React is worth its bytes once somebody touches,
 * scrolls, types or points, or has looked for a while. Until then it is the server's, whose days are links; what is pressed
 * meanwhile is what the island opens with.
 */
import type { PressTarget } from '../../islands/calendar/open.ts';

const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;
const longest = 10_000;

function wantedBy(event: MouseEvent): PressTarget {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const pressed = event.target instanceof Element ? event.target.closest('a,summary') : null;
  if (pressed?.matches('.filter-menu > summary')) return 'filter';
  if (!(pressed instanceof HTMLAnchorElement) || pressed.hash) return undefined;
  const address = new URL(pressed.href);
  return address.pathname === location.pathname ? address : undefined;
}

/** Waits for a person, once per calendar. */
export function startCalendar(): void {
  const calendar = document.querySelector<HTMLElement>('[data-calendar]:not([data-waiting])');
  if (!calendar) return;
  calendar.dataset.waiting = '';
  let wanted: PressTarget;
  const instead = () => {
    calendar.removeAttribute('aria-busy');
    if (wanted instanceof URL) location.assign(wanted);
    else if (wanted)
      calendar.querySelector<HTMLDetailsElement>('.filter-menu')?.toggleAttribute('open', true);
  };
  const start = () => {
    if ('started' in calendar.dataset || !calendar.isConnected) return;
    calendar.dataset.started = '';
    seen.disconnect();
    import('../../islands/calendar/open.ts')
      .then(({ openCalendar }) => openCalendar(calendar, () => wanted))
      .catch((error: unknown) => {
        console.error('calendar:', error);
        instead();
      });
  };
  const whenIdle = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 1000 });
    else start();
  };
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    seen.disconnect();
    for (const sign of signs) addEventListener(sign, whenIdle, { once: true, passive: true });
    setTimeout(whenIdle, navigator.userActivation?.hasBeenActive ? 0 : longest);
  });
  seen.observe(calendar);
  for (const touch of ['pointerdown', 'focusin']) calendar.addEventListener(touch, start, { once: true });
  if (calendar.contains(document.activeElement)) start();
  calendar.addEventListener('click', (event) => {
    const next = 'ready' in calendar.dataset ? undefined : wantedBy(event);
    if (!next) return;
    event.preventDefault();
    wanted = next;
    calendar.setAttribute('aria-busy', 'true');
    start();
  });
}

/**
 * The calendar of the events page becomes an island when there is a person: React is worth its bytes once somebody touches,
 * scrolls, types or points, or has looked for a while. Until then it is the server's, whose days are links; what is pressed
 * meanwhile is what the island opens with.
 */
import { followByItself } from '../../client/follow-by-itself.ts';
import type { PressTarget } from '../../islands/calendar/open.ts';
import { calendarState } from '../../stores/events.ts';

const activities = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;
const maxWait = 10_000;

function pressOf(event: MouseEvent): PressTarget {
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
  let lastPress: PressTarget;
  const followLastPress = () => {
    calendar.removeAttribute('aria-busy');
    if (lastPress instanceof URL) followByItself(lastPress);
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

/** Makes the calendar in a part of the page what the same part says in another zone. */
export function updateCalendar(part: HTMLElement, html: string): void {
  morph(part, Object.assign(part.cloneNode(), { innerHTML: html }));
}

/**
 * Makes one node what another is, by what differs: a month has the same days in every zone, and a new one in its place would
 * be styled and laid out a second time, for a tenth of a second on a slow phone.
 */
function morph(node: ChildNode, target: Node): void {
  if (node.isEqualNode(target)) return;
  const { length } = node.childNodes;
  const areElements = node instanceof Element && target instanceof Element;
  if (!areElements || node.tagName !== target.tagName || length !== target.childNodes.length) {
    node.replaceWith(target);
    return;
  }
  for (const name of node.getAttributeNames()) if (!target.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of target.attributes) node.setAttribute(name, value);
  // From the end, because what is put into the page leaves the target.
  for (let index = length - 1; index >= 0; index -= 1)
    morph(node.childNodes.item(index), target.childNodes.item(index));
}

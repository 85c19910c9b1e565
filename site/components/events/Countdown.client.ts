/**
 * All countdowns of a page, also those that come later. At the start a countdown becomes the word for live, at the end that for
 * completed (decision E2).
 */
import { second } from '../../stores/clock.ts';
import { ticketRevision } from '../../stores/events.ts';

interface Words {
  startsIn: string;
  /** Days, hours, minutes, seconds. */
  units: readonly string[];
  live: string;
  completed: string;
}

const two = (value: number) => `0${Math.floor(value)}`.slice(-2);

function part(tag: 'span' | 'b', ...inside: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...inside);
  return element;
}

/** Days, hours, minutes and seconds; under a day one clock. */
function partsOf(seconds: number): string[] {
  const clock = [(seconds % 86_400) / 3600, (seconds % 3600) / 60, seconds % 60].map(two);
  const days = Math.floor(seconds / 86_400);
  return days ? [`${days}`, ...clock] : [clock.join(':')];
}

/** Mostly one number changes; each stays together with its unit when the line is too short. */
function write(element: HTMLElement, values: readonly string[], { startsIn, units }: Words): void {
  const numbers = element.querySelectorAll('b');
  if (numbers.length === values.length)
    numbers.forEach((number, index) => {
      const value = values[index] ?? '';
      if (number.textContent !== value) number.textContent = value;
    });
  else if (values.length === 1) element.replaceChildren(part('span', `${startsIn} `), part('b', ...values));
  else
    element.replaceChildren(
      ...values.map((value, index) => part('span', part('b', value), units[index] ?? '')),
    );
}

function show(element: HTMLElement, now: number): void {
  const { countdown = '', ends = '', words = '{}' } = element.dataset;
  const state = now >= Date.parse(ends) ? 'completed' : now >= Date.parse(countdown) ? 'live' : 'upcoming';
  const sentences: Words = JSON.parse(words);
  element.hidden = state !== 'upcoming';
  if (state === 'upcoming') {
    write(element, partsOf(Math.ceil((Date.parse(countdown) - now) / 1000)), sentences);
    return;
  }
  const ticket = element.closest('[data-ticket]');
  const status = ticket?.querySelector<HTMLElement>('[data-status]');
  const look = `status status-${state}`;
  if (!ticket || !status || (!status.hidden && status.className === look)) return;
  status.textContent = sentences[state];
  status.className = look;
  status.hidden = false;
  ticket.className = ticket.className.replace(/ticket-(?:upcoming|live)/, `ticket-${state}`);
}

function showAll(): void {
  const now = Date.now();
  for (const element of document.querySelectorAll<HTMLElement>('[data-countdown]')) show(element, now);
}

/** Begins to count, once. */
export function startCountdowns(): void {
  second.subscribe(showAll);
  ticketRevision.listen(showAll);
}

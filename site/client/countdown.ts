/**
 * One clock for all countdowns of a page, also for those that come later; it stops while the page is hidden. At the start a
 * countdown becomes "LIVE NOW", at the end "Completed" (decision E2).
 */
interface Words {
  startsIn: string;
  /** Days, hours, minutes, seconds. */
  units: readonly string[];
  live: string;
  completed: string;
}

let timer: ReturnType<typeof setInterval> | undefined;

const two = (value: number) => String(value).padStart(2, '0');

function part(tag: 'span' | 'b', text: string, ...inside: Node[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(text, ...inside);
  return element;
}

/** Under a day as a clock, else by units, each of which stays together when the line is too short. */
function left(seconds: number, { startsIn, units }: Words): Node[] {
  const [days, ...clock] = [86_400, 3600, 60, 1].map((unit, index) => {
    const whole = Math.floor(seconds / unit);
    return index === 0 ? whole : whole % (index === 1 ? 24 : 60);
  });
  if (!days) return [part('span', `${startsIn} `), part('b', clock.map(two).join(':'))];
  return [days, ...clock].map((value, index) =>
    part(
      'span',
      '',
      part('b', index === 0 ? String(value) : two(value)),
      document.createTextNode(units[index] ?? ''),
    ),
  );
}

function show(element: HTMLElement, now: number): void {
  const { countdown = '', ends = '', words = '{}' } = element.dataset;
  const said: Words = JSON.parse(words);
  const state = now >= Date.parse(ends) ? 'completed' : now >= Date.parse(countdown) ? 'live' : 'upcoming';
  element.hidden = state !== 'upcoming';
  if (state === 'upcoming') {
    element.replaceChildren(...left(Math.ceil((Date.parse(countdown) - now) / 1000), said));
    return;
  }
  const whole = element.closest('[data-ticket]');
  const status = whole?.querySelector<HTMLElement>('[data-status]');
  if (!whole || !status || (!status.hidden && status.classList.contains(`status-${state}`))) return;
  status.textContent = said[state];
  status.className = `status status-${state}`;
  status.hidden = false;
  for (const before of ['upcoming', 'live']) whole.classList.replace(`ticket-${before}`, `ticket-${state}`);
}

function tick(): void {
  const now = Date.now();
  for (const element of document.querySelectorAll<HTMLElement>('[data-countdown]')) show(element, now);
}

function run(): void {
  clearInterval(timer);
  if (document.hidden) return;
  tick();
  timer = setInterval(tick, 1000);
}

/** Starts the clock, once. */
export function startCountdowns(): void {
  document.addEventListener('visibilitychange', run);
  document.addEventListener('tickets', run);
  run();
}

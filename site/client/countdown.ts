/**
 * One clock for all countdowns of a page; it stops while the page is hidden. At the start a countdown becomes "LIVE NOW",
 * at the end it goes (decision E2). Readers hear a change once a minute at most.
 */
interface Words {
  startsIn: string;
  days: string;
  live: string;
}

const elements = [...document.querySelectorAll<HTMLElement>('[data-countdown]')];
let timer: ReturnType<typeof setInterval> | undefined;

const two = (value: number) => String(value).padStart(2, '0');

function show(element: HTMLElement, now: number): void {
  const start = Date.parse(element.dataset.countdown ?? '');
  const end = Date.parse(element.dataset.ends ?? '');
  const words: Words = JSON.parse(element.dataset.words ?? '{}');
  element.hidden = now >= end;
  if (now >= start) {
    element.className = 'status status-live';
    element.textContent = words.live;
    return;
  }
  const seconds = Math.floor((start - now) / 1000);
  const days = Math.floor(seconds / 86_400);
  const clock = [seconds / 3600, seconds / 60, seconds].map((value, index) =>
    two(Math.floor(value) % (index === 0 ? 24 : 60)),
  );
  const left = days > 0 ? `${days}${words.days} ${clock.join(':')}` : clock.join(':');
  element.replaceChildren(
    Object.assign(document.createElement('span'), { textContent: words.startsIn }),
    ` ${left}`,
  );
}

function tick(): void {
  const now = Date.now();
  for (const element of elements) show(element, now);
}

function run(): void {
  clearInterval(timer);
  if (document.hidden || elements.length === 0) return;
  tick();
  timer = setInterval(tick, 1000);
}

document.addEventListener('visibilitychange', run);
run();

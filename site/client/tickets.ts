/**
 * Events in lists: countdown, the visitor's time, hearts, and where choosing one leads. All of it comes with the first
 * event on the screen or the first press; the countdown for everybody, the rest for those who need it.
 */
const live = () => import('./live-tickets.ts');

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const pressed = target?.closest<HTMLElement>('a[data-event],[data-subscribe]');
  if (!pressed) return;
  event.preventDefault();
  void live().then(({ press }) => press(pressed));
});

const seen = new IntersectionObserver((entries) => {
  if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
  seen.disconnect();
  void import('./countdown.ts').then(({ startCountdowns }) => startCountdowns());
  if (Intl.DateTimeFormat().resolvedOptions().timeZone !== 'Asia/Seoul')
    void import('./abroad.ts').then(({ startAbroad }) => startAbroad());
  if (localStorage.getItem('auth_token')) void live().then(({ dress }) => dress());
});
for (const ticket of document.querySelectorAll('[data-ticket],[data-countdown]')) seen.observe(ticket);

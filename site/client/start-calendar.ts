/** The calendar of the events page becomes an island once it is seen or touched. */

/** React comes with the calendar only, once it is on the screen and the page is at rest, or at the first touch. */
export function startCalendar(): void {
  const calendar = document.querySelector<HTMLElement>('[data-calendar]:not([data-started])');
  if (!calendar) return;
  const start = () => {
    if (calendar.dataset.started !== undefined) return;
    calendar.dataset.started = '';
    seen.disconnect();
    import('../islands/calendar/open.ts').then(
      ({ openCalendar }) => openCalendar(calendar),
      (error: unknown) => console.error('calendar:', error),
    );
  };
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return;
    if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 2000 });
    else start();
  });
  seen.observe(calendar);
  for (const touch of ['pointerdown', 'focusin']) calendar.addEventListener(touch, start, { once: true });
}

import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { IslandBoundary } from '../boundary/IslandBoundary.tsx';
import { Calendar, type CalendarProps } from './Calendar.tsx';

/** Puts the calendar in the place of the server's, with the focus on the same day. */
export function mountCalendar(element: HTMLElement, props: CalendarProps): void {
  const focused = element.contains(document.activeElement);
  const place = document.createElement('div');
  const root = createRoot(place);
  flushSync(() =>
    root.render(
      <IslandBoundary words={props.words} heading="h2">
        <Calendar {...props} />
      </IslandBoundary>,
    ),
  );
  const { height } = element.getBoundingClientRect();
  element.style.minHeight = `${height}px`;
  element.replaceChildren(place);
  element.style.minHeight = '';
  element.dataset.ready = '';
  if (focused) place.querySelector<HTMLElement>('[data-day][tabindex="0"]')?.focus({ preventScroll: true });
  const leave = () => {
    if (element.isConnected) return;
    document.removeEventListener('tickets', leave);
    root.unmount();
  };
  document.addEventListener('tickets', leave);
}

import { startTransition, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { calendarState, ticketRevision } from '../../stores/events.ts';
import { IslandBoundary } from '../boundary/IslandBoundary.tsx';
import { Calendar, type CalendarProps } from './Calendar.tsx';

/** Where the keyboard was in the server's calendar, found again in the island's. */
function placeOfFocus(element: HTMLElement): (within: HTMLElement) => HTMLElement | null {
  const { activeElement: held } = document;
  if (!held || !element.contains(held)) return () => null;
  const date = held instanceof HTMLAnchorElement ? new URL(held.href).searchParams.get('date') : null;
  const name = held.ariaLabel ?? held.textContent?.trim();
  return (within) =>
    (date && held.closest('.month') ? within.querySelector<HTMLElement>(`[data-day="${date}"]`) : null) ??
    [...within.querySelectorAll<HTMLElement>('a,button')].find(
      (each) => name === (each.ariaLabel ?? each.textContent?.trim()),
    ) ??
    within.querySelector<HTMLElement>('[data-day][tabindex="0"]');
}

/**
 * Puts the calendar in the place of the server's, with the focus on the same thing. React renders it beside the page in small
 * tasks, as a transition, and it is shown when it is whole.
 */
export function mountCalendar(element: HTMLElement, props: CalendarProps): Promise<void> {
  const place = document.createElement('div');
  const root = createRoot(place);
  const show = () => {
    const focused = placeOfFocus(element);
    const { height } = element.getBoundingClientRect();
    element.style.minHeight = `${height}px`;
    element.replaceChildren(place);
    element.style.minHeight = '';
    element.removeAttribute('aria-busy');
    calendarState.set('interactive');
    focused(place)?.focus({ preventScroll: true });
  };
  const stopListening = ticketRevision.listen(() => {
    if (element.isConnected) return;
    stopListening();
    root.unmount();
  });
  return new Promise((done) => {
    const whole = () => {
      if (place.isConnected) return;
      show();
      done();
    };
    startTransition(() =>
      root.render(
        <Whole onWhole={whole}>
          <IslandBoundary words={props.words} heading="h2">
            <Calendar {...props} />
          </IslandBoundary>
        </Whole>,
      ),
    );
  });
}

function Whole({ onWhole, children }: { onWhole: () => void; children: React.ReactNode }) {
  useLayoutEffect(onWhole, [onWhole]);
  return children;
}

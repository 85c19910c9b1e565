import { startTransition, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { calendarState, ticketRevision } from '../../stores/events.ts';
import { IslandBoundary } from '../boundary/IslandBoundary.tsx';
import { Calendar, type CalendarProps } from './Calendar.tsx';

/** Remembers what had the focus in the server's calendar; the result finds the same thing in the island's. */
function findFocusTarget(element: HTMLElement): (within: HTMLElement) => HTMLElement | null {
  const { activeElement: focusedElement } = document;
  if (!focusedElement || !element.contains(focusedElement)) return () => null;
  const date =
    focusedElement instanceof HTMLAnchorElement
      ? new URL(focusedElement.href).searchParams.get('date')
      : null;
  const name = focusedElement.ariaLabel ?? focusedElement.textContent?.trim();
  return (container) =>
    (date && focusedElement.closest('.month')
      ? container.querySelector<HTMLElement>(`[data-day="${date}"]`)
      : null) ??
    [...container.querySelectorAll<HTMLElement>('a,button')].find(
      (candidate) => name === (candidate.ariaLabel ?? candidate.textContent?.trim()),
    ) ??
    container.querySelector<HTMLElement>('[data-day][tabindex="0"]');
}

/**
 * Puts the calendar in the place of the server's, with the focus on the same thing. React renders it beside the page in small
 * tasks, as a transition, and it is shown when it is whole.
 */
export function mountCalendar(element: HTMLElement, props: CalendarProps): Promise<void> {
  const container = document.createElement('div');
  const root = createRoot(container);
  const show = () => {
    const focusTargetIn = findFocusTarget(element);
    const { height } = element.getBoundingClientRect();
    element.style.minHeight = `${height}px`;
    element.replaceChildren(container);
    element.style.minHeight = '';
    element.removeAttribute('aria-busy');
    calendarState.set('interactive');
    focusTargetIn(container)?.focus({ preventScroll: true });
  };
  const stopListening = ticketRevision.listen(() => {
    if (element.isConnected) return;
    stopListening();
    root.unmount();
  });
  return new Promise((resolve) => {
    const showOnce = () => {
      if (container.isConnected) return;
      show();
      resolve();
    };
    startTransition(() =>
      root.render(
        <AfterCommit onCommit={showOnce}>
          <IslandBoundary words={props.words} heading="h2">
            <Calendar {...props} />
          </IslandBoundary>
        </AfterCommit>,
      ),
    );
  });
}

function AfterCommit({ onCommit, children }: { onCommit: () => void; children: React.ReactNode }) {
  useLayoutEffect(onCommit, [onCommit]);
  return children;
}

/**
 * The time as pages show it, and where the visitor is in it: countdowns by the second, ages by the minute, the calendar by the day. A clock ticks while somebody
 * listens and the page is seen; when it is seen again, it is right at once.
 */
import { atom, onMount, type ReadableAtom } from 'nanostores';

function ticking<Value>(milliseconds: number, read: () => Value): ReadableAtom<Value> {
  const store = atom(read());
  const tick = () => {
    if (!document.hidden) store.set(read());
  };
  onMount(store, () => {
    tick();
    document.addEventListener('visibilitychange', tick);
    const timer = setInterval(tick, milliseconds);
    return () => clearInterval(timer);
  });
  return store;
}

/** Now in milliseconds, each second. */
export const second = ticking(1000, Date.now);

/** Now in milliseconds, each minute. */
export const minute = ticking(60_000, Date.now);

/** The day by the visitor's own clock, such as `2026-11-23`; changes at most ten seconds after midnight. */
export const today = ticking(10_000, () =>
  new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10),
);

let zone: string | undefined;

/**
 * The visitor's zone by its name, such as `Asia/Seoul`: days begin there (decision E3). Of what browsers have, `Temporal` knows it
 * at once; for the first that asks `Intl`, they load its formats, which costs a slow phone a tenth of a second.
 */
export function visitorZone(): string {
  // A browser that cannot tell has the clock of UTC.
  zone ??= (
    globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  ).replace('Etc/Unknown', 'UTC');
  return zone;
}

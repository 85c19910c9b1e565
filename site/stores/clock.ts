/**
 * The time as pages show it: countdowns by the second, ages by the minute, the calendar by the day. A clock runs while somebody
 * listens and the page is seen; when it is seen again, it is right at once.
 */
import { atom, onMount, type ReadableAtom } from 'nanostores';

function ticking<Value>(milliseconds: number, read: () => Value): ReadableAtom<Value> {
  const store = atom(read());
  const tick = () => store.set(read());
  onMount(store, () => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const run = () => {
      clearInterval(timer);
      if (document.hidden) return;
      tick();
      timer = setInterval(tick, milliseconds);
    };
    document.addEventListener('visibilitychange', run);
    run();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', run);
    };
  });
  return store;
}

function localDay(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Now in milliseconds, each second. */
export const second = ticking(1000, Date.now);

/** Now in milliseconds, each minute. */
export const minute = ticking(60_000, Date.now);

/** The day in the visitor's own zone as `YYYY-MM-DD`; changes at most ten seconds after midnight. */
export const today = ticking(10_000, localDay);

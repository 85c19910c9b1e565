import { useEffect, useState } from 'react';
import { serverNow } from '../../client/api.ts';

/** Seconds left until an instant, counted down; 0 when it is past or there is none. */
export function useSecondsUntil(instant: string | null | undefined): number {
  const secondsLeft = () =>
    instant ? Math.max(0, Math.ceil((Date.parse(instant) - serverNow()) / 1000)) : 0;
  const [seconds, setSeconds] = useState(secondsLeft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `secondsLeft` is of this very instant
  useEffect(() => {
    setSeconds(secondsLeft());
    if (secondsLeft() === 0) return;
    const timer = setInterval(() => {
      setSeconds(secondsLeft());
      if (secondsLeft() === 0) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [instant]);
  return seconds;
}

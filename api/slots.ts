/** Too many wait already. */
export class TooBusy extends Error {}

/** Lets at most so many of something be under way at a time; others wait in their order. */
export interface Slots {
  /** Does the work once so many slots are free. @param size how many it takes, one if not said */
  run<Result>(work: () => Promise<Result>, size?: number): Promise<Result>;
}

/**
 * @param crowd of work whose readers do not wait for ever the newest goes first, and beyond so many the oldest is given up with
 * `TooBusy`: whoever asks for everything cannot keep out who asks for one
 */
export function makeSlots(total: number, crowd = Number.POSITIVE_INFINITY): Slots {
  let free = total;
  const waiting: { size: number; start: () => void; giveUp: (reason: TooBusy) => void }[] = [];
  function startNext(): void {
    for (let next = waiting[0]; next && next.size <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.size;
      next.start();
    }
  }
  return {
    async run(work, size = 1) {
      await new Promise<void>((start, giveUp) => {
        const next = { size: Math.min(size, total), start, giveUp };
        if (crowd === Number.POSITIVE_INFINITY) waiting.push(next);
        else waiting.unshift(next);
        startNext();
        if (waiting.length > crowd) waiting.pop()?.giveUp(new TooBusy('too many wait'));
      });
      try {
        return await work();
      } finally {
        free += Math.min(size, total);
        startNext();
      }
    },
  };
}

/** Lets at most so many of something be under way at a time; others wait in their order. */
export interface Slots {
  /** Does the work once so many slots are free. @param size how many it takes, one if not said */
  run<Result>(work: () => Promise<Result>, size?: number): Promise<Result>;
}

export function makeSlots(total: number): Slots {
  let free = total;
  const waiting: { size: number; start: () => void }[] = [];
  function startNext(): void {
    for (let next = waiting[0]; next && next.size <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.size;
      next.start();
    }
  }
  return {
    async run(work, size = 1) {
      await new Promise<void>((start) => {
        waiting.push({ size: Math.min(size, total), start });
        startNext();
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

/** Work took longer than whoever waited for it would wait. It goes on. */
export class TooLate extends Error {}

/** What comes of some work, where it comes soon enough. @throws TooLate, or what the work throws */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate(`no answer for ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

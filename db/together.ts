interface Waiting<Question, Answer> {
  question: Question;
  done(answer: Answer): void;
  fail(error: unknown): void;
}

/** Who is busy waits so long for others to come: a statement for one call costs nearly as much as one for ten. */
export const busyPause = 4;

/**
 * Asks the database one statement at a time: calls that come while one is running are asked together by the next. None joins a
 * statement that runs already, so each is answered by what is true after it came. A statement each would cost a busy site more
 * than what it asks for.
 * @param ask answers in the order of what it is asked
 */
export function together<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  mostAtOnce = 500,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAsking = false;

  async function askWaiting(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostAtOnce);
      try {
        const answers = await ask(batch.map(({ question }) => question));
        for (const [place, answer] of answers.entries()) batch[place]?.done(answer);
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
      if (batch.length > 1) await Bun.sleep(busyPause);
    }
    isAsking = false;
  }

  return (question) =>
    new Promise((done, fail) => {
      waiting.push({ question, done, fail });
      if (!isAsking) void askWaiting();
    });
}

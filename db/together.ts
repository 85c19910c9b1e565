interface Waiting<Question, Answer> {
  question: Question;
  done(answer: Answer): void;
  fail(error: unknown): void;
}

/** Who is busy waits so long for others to come: a statement for one call costs nearly as much as one for ten. */
export const busyPause = 4;

interface Manner {
  /** Questions that one statement asks. */
  most?: number;
  /** Statements that may run beside each other. */
  beside?: number;
  /** Milliseconds to wait for others after a statement for several. */
  pause?: number;
}

/**
 * Asks the database one statement at a time (or a few): calls that come while one is running are asked together by the next.
 * None joins a statement that runs already, so each is answered by what is true after it came. A statement each would cost a
 * busy site more than what it asks for.
 * @param ask answers in the order of what it is asked
 */
export function together<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { most = 500, beside = 1, pause = busyPause }: Manner = {},
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let running = 0;

  async function askWaiting(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const answers = await ask(batch.map(({ question }) => question));
        void handOut(batch, answers);
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
      if (batch.length > 1 && pause > 0) await Bun.sleep(pause);
    }
    running -= 1;
  }

  async function handOut(
    batch: readonly Waiting<Question, Answer>[],
    answers: readonly Answer[],
  ): Promise<void> {
    if (pause === 0 && waiting.length > 0) await twoTurns();
    for (const [place, answer] of answers.entries()) batch[place]?.done(answer);
  }

  return (question) =>
    new Promise((done, fail) => {
      waiting.push({ question, done, fail });
      if (running < beside) void askWaiting();
    });
}

/** Long enough for a statement that was asked meanwhile to be on its way. */
async function twoTurns(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise<void>((next) => setImmediate(next));
}

import { isUnreachable } from '#db/database-errors.ts';
import { AiProblem } from './ai.ts';
import { problemOf } from './problem.ts';

/** What hinders the machine's work on a story, as the story notes it. */
export type Setback = { code: string; message: string } & Partial<Pick<AiProblem, 'until' | 'isGeneral'>>;

/**
 * Any failure of a step. A fault of ours counts as one of the model does: its answer is paid for, and the same one would meet it again.
 * @throws the error itself where there is no database to note it in
 */
export function setbackOf(error: unknown): Setback {
  if (error instanceof AiProblem) return error;
  if (isUnreachable(error)) throw error;
  return problemOf(error);
}

import { isUnreachable } from '#db/database-errors.ts';
import { AiProblem } from './ai.ts';
import { problemOf } from './problem.ts';

/** What hinders the machine's work on a story, as the story notes it. */
export type Setback = { code: string; message: string } & Partial<Pick<AiProblem, 'until' | 'isGeneral'>>;

/**
 * Any failure of a step. A fault of ours counts as a try, as the model's do: each try pays for an answer.
 * @throws the error itself when the database cannot be reached
 */
export function setbackOf(error: unknown): Setback {
  if (error instanceof AiProblem) return error;
  if (isUnreachable(error)) throw error;
  return problemOf(error);
}

import type { Problems } from '#api/accounts/rules.ts';
import type { T } from '../../i18n/words.ts';
import { callFor, goOn, readForm } from '../../lib/accounts/forms.ts';
import { formProblem, problemAt } from './problems.ts';

/** What a posted form at the door came to. */
export interface Recovery {
  /** Where to go on; undefined: show the form again, with what was wrong. */
  response?: Response;
  status: number;
  retryAfter: number;
  typed: ReadonlyMap<string, string>;
  wrong: Problems;
  failure: string;
}

/** Hands the named fields of a form to its call of the API; where that is done, goes on to `after`. */
export async function postRecovery(
  request: Request,
  t: T,
  { path, fields, after }: { path: string; fields: readonly string[]; after: string },
): Promise<Recovery> {
  const typed = (await readForm(request)) ?? new Map<string, string>();
  const body = Object.fromEntries(fields.map((name) => [name, typed.get(name) ?? '']));
  const answer = await callFor(request, 'POST', path, body);
  const outcome = { status: answer.status, retryAfter: answer.retryAfter, typed, wrong: {}, failure: '' };
  if (answer.status === 200) return { ...outcome, response: goOn(after, answer.setCookies) };
  if (answer.code === 'token_invalid') return { ...outcome, failure: t('accounts:token_invalid') };
  const wrong = problemAt(answer);
  return wrong
    ? { ...outcome, wrong }
    : { ...outcome, failure: formProblem(t, answer, t('accounts:recoveryError')) };
}

/** What nobody has sent yet. */
export const nothingPosted: Recovery = {
  status: 200,
  retryAfter: 0,
  typed: new Map(),
  wrong: {},
  failure: '',
};

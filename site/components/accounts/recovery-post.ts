import type { Problems } from '#api/accounts/rules.ts';
import type { T } from '../../i18n/words.ts';
import { readForm, seeOther } from '../../lib/accounts/forms.ts';
import type { ApiResponse } from '../../lib/http/api-call.ts';
import { formProblem, problemAt } from './problems.ts';

/** What a posted form at the door came to. */
interface RecoveryOutcome {
  /** Where to go on; undefined: show the form again, with what was wrong. */
  response?: Response;
  status: number;
  retryAfter: number;
  typed: ReadonlyMap<string, string>;
  wrong: Problems;
  failure: string;
}

/**
 * Hands a form to its call of the API; where that is done, goes on to `after`.
 * @param send calls the API with what was typed in a field
 */
export async function postRecovery(
  request: Request,
  t: T,
  send: (text: (field: string) => string) => Promise<ApiResponse>,
  next: string,
): Promise<RecoveryOutcome> {
  const typed = (await readForm(request)) ?? new Map<string, string>();
  const response = await send((field) => typed.get(field) ?? '');
  const { status, retryAfter, headers, error } = response;
  const outcome = { status, retryAfter, typed, wrong: {}, failure: '' };
  if (!error) return { ...outcome, response: seeOther(next, headers.getSetCookie()) };
  if (error.code === 'token_invalid') return { ...outcome, failure: t('accounts:token_invalid') };
  const wrong = problemAt(error);
  return wrong
    ? { ...outcome, wrong }
    : { ...outcome, failure: formProblem(t, response, t('accounts:recoveryError')) };
}

/** What nobody has sent yet. */
export const nothingPosted: RecoveryOutcome = {
  status: 200,
  retryAfter: 0,
  typed: new Map(),
  wrong: {},
  failure: '',
};

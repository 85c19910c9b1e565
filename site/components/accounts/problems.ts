import { type AccountField, type Problem, type Problems, problems } from '#api/accounts/rules.ts';
import type { T } from '../../i18n/words.ts';
import type { ApiAnswer } from '../../lib/account-forms.ts';

const codes = Object.keys(problems).filter(
  (code): code is Exclude<Problem, 'required'> => code !== 'required',
);
const isProblem = (code: string | undefined): code is Problem => code !== undefined && code in problems;

/** The words for what only the server finds out, by its code; the browser shows them at the field. */
export function problemWords(t: T): string {
  return JSON.stringify({
    ...Object.fromEntries(codes.map((code) => [code, t(`accounts:${code}`)])),
    login_failed: t('accounts:login_failed'),
    rate_limited: t('accounts:rate_limited', { minutes: '#' }),
  });
}

/** What the API found wrong with one field, as the forms show it; undefined when it is about no field. */
export function problemAt({ code, field }: ApiAnswer): Problems | undefined {
  return field !== undefined && isProblem(code) ? { [field as AccountField]: code } : undefined;
}

/** The sentence above a form for what is about no field. */
export function formProblem(t: T, { code, retryAfter }: ApiAnswer, otherwise: string): string {
  if (code !== 'rate_limited') return otherwise;
  return t('accounts:rate_limited', { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
}

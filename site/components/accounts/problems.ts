import { type AccountField, type Problem, type Problems, problems } from '#api/accounts/rules.ts';
import type { T } from '../../i18n/words.ts';
import type { ApiRefusal } from '../../lib/http/api-call.ts';

const isProblem = (code: string | undefined): code is Problem => code !== undefined && code in problems;

/** What the browser cannot find out by itself. */
const serverOnly = [
  'email_form',
  'email_taken',
  'username_reserved',
  'username_taken',
  'display_name_characters',
  'display_name_reserved',
  'password_common',
] as const satisfies readonly Problem[];

/** The words for what only the server finds out, by its code; the browser shows them at the field. */
export function problemWords(t: T, registering: boolean): string {
  const codes = registering ? serverOnly : (['login_failed'] as const);
  return JSON.stringify({
    ...Object.fromEntries(codes.map((code) => [code, t(`accounts:${code}`)])),
    rate_limited: t('accounts:rate_limited', { minutes: '#' }),
  });
}

/** What the API found wrong with one field, as the forms show it; undefined when it is about no field. */
export function problemAt({ code, field }: ApiRefusal['error']): Problems | undefined {
  return field !== undefined && isProblem(code) ? { [field as AccountField]: code } : undefined;
}

/** The sentence above a form for what is about no field. */
export function formProblem(t: T, { error, retryAfter }: ApiRefusal, fallback: string): string {
  if (error.code === 'last_admin') return t('accounts:last_admin');
  if (error.code !== 'rate_limited') return fallback;
  return t('accounts:rate_limited', { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
}

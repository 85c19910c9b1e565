import type { Problems } from '#api/accounts/rules.ts';
import { isLang, type Lang } from '#content/locales.ts';
import type { T } from '../../i18n/words.ts';
import { type ApiAnswer, callFor, goOn, readForm } from '../../lib/accounts/forms.ts';
import { paths } from '../../lib/routes/paths.ts';
import { formProblem, problemAt } from './problems.ts';

const profileForms = ['profile', 'password', 'device', 'everywhere', 'verify', 'delete'] as const;
export type ProfileForm = (typeof profileForms)[number];

/** What a posted form of the profile came to. */
export interface Outcome {
  /** Where to go on; undefined: show the page again, with what was wrong. */
  response?: Response;
  status: number;
  retryAfter: number;
  form: ProfileForm;
  typed: ReadonlyMap<string, string>;
  wrong: Problems;
  failure: string;
}

/** Hands a form of the profile to its call of the API. */
export async function postProfile(request: Request, lang: Lang, t: T): Promise<Outcome> {
  const typed = (await readForm(request)) ?? new Map<string, string>();
  const form = profileForms.find((each) => each === typed.get('form')) ?? 'profile';
  const answer = await send(request, form, typed);
  const outcome = { status: answer.status, retryAfter: answer.retryAfter, form, typed };
  if (answer.status === 200)
    return { ...outcome, response: leave(form, typed, lang, answer), wrong: {}, failure: '' };
  const wrong = problemAt(answer);
  return {
    ...outcome,
    wrong: wrong ?? {},
    failure: wrong ? '' : formProblem(t, answer, t('accounts:profileError')),
  };
}

function send(request: Request, form: ProfileForm, typed: ReadonlyMap<string, string>): Promise<ApiAnswer> {
  const text = (name: string) => typed.get(name) ?? '';
  const currentPassword = text('currentPassword');
  switch (form) {
    case 'profile':
      return callFor(request, 'PUT', '/api/auth/profile', {
        displayName: text('displayName'),
        language: typed.get('language'),
      });
    case 'password':
      return callFor(request, 'PUT', '/api/auth/profile', {
        currentPassword,
        newPassword: text('newPassword'),
        confirmPassword: text('confirmPassword'),
      });
    case 'device':
      return callFor(request, 'DELETE', `/api/auth/sessions/${encodeURIComponent(text('device'))}`);
    case 'everywhere':
      return callFor(request, 'DELETE', '/api/auth/sessions');
    case 'verify':
      return callFor(request, 'POST', '/api/auth/verify/send');
    case 'delete':
      return callFor(request, 'DELETE', '/api/auth/account', { currentPassword });
  }
}

function leave(
  form: ProfileForm,
  typed: ReadonlyMap<string, string>,
  lang: Lang,
  { setCookies }: ApiAnswer,
): Response {
  if (form === 'everywhere') return goOn(paths.login({ lang }), setCookies);
  if (form === 'delete') return goOn('/', setCookies);
  const language = typed.get('language');
  return goOn(paths.profile({ lang: isLang(language) ? language : lang, saved: form }), setCookies);
}

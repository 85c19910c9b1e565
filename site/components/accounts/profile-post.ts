import type { Problems } from '#api/accounts/rules.ts';
import { isLang, type Lang } from '#content/locales.ts';
import type { T } from '../../i18n/words.ts';
import { callApiFor, readForm, seeOther } from '../../lib/accounts/forms.ts';
import type { ApiResponse } from '../../lib/http/api-call.ts';
import { paths } from '../../lib/routes/paths.ts';
import { formProblem, problemAt } from './problems.ts';

const profileForms = ['profile', 'password', 'device', 'everywhere', 'verify', 'delete'] as const;
export type ProfileForm = (typeof profileForms)[number];

/** What a posted form of the profile came to. */
export interface ProfileOutcome {
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
export async function postProfile(request: Request, lang: Lang, t: T): Promise<ProfileOutcome> {
  const typed = await readForm(request);
  const form = profileForms.find((name) => name === typed?.get('form'));
  // A field that is not there is no empty one: nothing is changed by what is no form of this page.
  if (!typed || !form || (form === 'profile' && !typed.has('displayName')))
    return {
      status: typed ? 400 : 415,
      retryAfter: 0,
      form: 'profile',
      typed: new Map(),
      wrong: {},
      failure: t('accounts:profileError'),
    };
  const response = await send(request, form, typed);
  const outcome = { status: response.status, retryAfter: response.retryAfter, form, typed };
  if (!response.error)
    return { ...outcome, response: redirectAfter(form, typed, lang, response), wrong: {}, failure: '' };
  const wrong = problemAt(response.error);
  return {
    ...outcome,
    wrong: wrong ?? {},
    failure: wrong ? '' : formProblem(t, response, t('accounts:profileError')),
  };
}

function send(request: Request, form: ProfileForm, typed: ReadonlyMap<string, string>): Promise<ApiResponse> {
  const text = (name: string) => typed.get(name) ?? '';
  const currentPassword = text('currentPassword');
  switch (form) {
    case 'profile':
      return callApiFor(request, 'put', '/api/auth/profile', {
        body: { displayName: text('displayName'), language: typed.get('language') },
      });
    case 'password':
      return callApiFor(request, 'put', '/api/auth/profile', {
        body: {
          currentPassword,
          newPassword: text('newPassword'),
          confirmPassword: text('confirmPassword'),
        },
      });
    case 'device':
      return callApiFor(request, 'delete', '/api/auth/sessions/:id', { params: { id: text('device') } });
    case 'everywhere':
      return callApiFor(request, 'delete', '/api/auth/sessions');
    case 'verify':
      return callApiFor(request, 'post', '/api/auth/verify/send');
    case 'delete':
      return callApiFor(request, 'delete', '/api/auth/account', { body: { currentPassword } });
  }
}

function redirectAfter(
  form: ProfileForm,
  typed: ReadonlyMap<string, string>,
  lang: Lang,
  { headers }: ApiResponse,
): Response {
  const setCookies = headers.getSetCookie();
  if (form === 'everywhere') return seeOther(paths.login({ lang }), setCookies);
  if (form === 'delete') return seeOther(paths.login({ lang, deleted: '1' }), setCookies);
  return seeOther(paths.profile({ lang: chosenLanguage(typed) ?? lang, saved: form }), setCookies);
}

/** The language that was chosen in the form; one that was left as it is says nothing about the site's. */
function chosenLanguage(typed: ReadonlyMap<string, string>): Lang | undefined {
  const language = typed.get('language');
  return isLang(language) && language !== typed.get('languageBefore') ? language : undefined;
}

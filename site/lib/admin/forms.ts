import type { AstroGlobal } from 'astro';
import type { Lang } from '#content/locales.ts';
import { type Failure, failureOf } from '../../components/admin/failure.ts';
import { words } from '../../i18n/words.ts';
import { readForm, seeOther } from '../accounts/forms.ts';
import type { ApiResponse } from '../http/api-call.ts';

declare global {
  namespace App {
    interface Locals {
      /** Why the form that was sent is shown again; its fields look here whether it is about them. */
      failure?: Failure;
    }
  }
}

/** By which a call says that the thing is no more what its form was opened with: in another version, or decided by somebody else. */
const outdatedCodes: ReadonlySet<string> = new Set(['changed', 'decided', 'already_decided', 'not_decided']);

/** What a form of the administration came to: nothing yet, or what was typed and why it was refused. */
export interface FormResult<Answer = unknown> {
  response?: Response;
  failure: Failure | undefined;
  typed: ReadonlyMap<string, string>;
  /** What the API answered, when the call succeeded. */
  answer?: Answer;
  /** Somebody else changed meanwhile what the form is about. */
  isOutdated?: boolean;
  unconfirmed?: FormRefusal['unconfirmed'];
}

/** Why a form is refused before its call is made, or before a second one follows. */
export interface FormRefusal {
  refused: Failure;
  /** What was saved nevertheless, and what is done when the same is sent once more. */
  unconfirmed?: { version: string; concerns: string };
  /** Somebody else changed meanwhile what would be saved. */
  isOutdated?: boolean;
}

/**
 * Hands a posted form to its call; goes on to a page when that worked, else says what was wrong.
 * @param send calls the API; undefined: this form is none of ours
 * @param next where to go on, which may be the page of what the answer names; undefined: the page is shown with the answer
 */
export async function handleForm<Result extends ApiResponse>(
  { request, response, locals }: Pick<AstroGlobal, 'request' | 'response' | 'locals'>,
  lang: Lang,
  send: (form: ReadonlyMap<string, string>) => Promise<Result | FormRefusal | undefined>,
  next: string | ((answer: Result['answer']) => string) | undefined,
): Promise<FormResult<Result['answer']>> {
  if (request.method !== 'POST') return { failure: undefined, typed: new Map() };
  const typed = await readForm(request);
  const result = typed && (await send(typed));
  if (!typed || !result) {
    response.status = 400;
    return { failure: { text: words(lang)('admin:failed'), fields: [] }, typed: typed ?? new Map() };
  }
  if ('refused' in result) {
    const { refused, unconfirmed, isOutdated = false } = result;
    response.status = isOutdated ? 409 : 400;
    locals.failure = refused;
    return { failure: refused, typed, unconfirmed, isOutdated };
  }
  const { status, retryAfter, answer, error } = result;
  if (!error) {
    const target = typeof next === 'function' ? next(answer) : next;
    return { failure: undefined, typed, answer, ...(target !== undefined && { response: seeOther(target) }) };
  }
  response.status = status;
  if (retryAfter > 0) response.headers.set('retry-after', String(retryAfter));
  locals.failure = failureOf(words(lang), lang, result, typed);
  return { failure: locals.failure, typed, isOutdated: outdatedCodes.has(error.code) };
}

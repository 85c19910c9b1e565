import type { AstroGlobal } from 'astro';
import type { Lang } from '#content/locales.ts';
import { type Failure, failureOf } from '../../components/admin/failure.ts';
import { words } from '../../i18n/words.ts';
import { type ApiAnswer, goOn, readForm } from '../accounts/forms.ts';

declare global {
  namespace App {
    interface Locals {
      /** Why the form that was sent is shown again; its fields look here whether it is about them. */
      failure?: Failure;
    }
  }
}

/** What a form of the administration came to: nothing yet, or what was typed and why it was refused. */
export interface Sent {
  response?: Response;
  failure: Failure | undefined;
  typed: ReadonlyMap<string, string>;
  answer?: ApiAnswer;
}

const nothing: Sent = { failure: undefined, typed: new Map() };

/**
 * Hands a posted form to its call; goes on to a page when that worked, else says what was wrong.
 * @param send calls the API; undefined: this form is none of ours
 * @param next where to go on, which may be the page of what the answer names; undefined: the page is shown with the answer
 */
export async function takeForm(
  { request, response, locals }: Pick<AstroGlobal, 'request' | 'response' | 'locals'>,
  lang: Lang,
  send: (form: ReadonlyMap<string, string>) => Promise<ApiAnswer | undefined>,
  next: string | ((answer: ApiAnswer) => string) | undefined,
): Promise<Sent> {
  if (request.method !== 'POST') return nothing;
  const typed = await readForm(request);
  const answer = typed && (await send(typed));
  if (!typed || !answer) {
    response.status = 400;
    return { failure: { text: words(lang)('admin:failed'), fields: [] }, typed: typed ?? new Map() };
  }
  if (answer.status === 200) {
    if (next === undefined) return { failure: undefined, typed, answer };
    return {
      response: goOn(typeof next === 'string' ? next : next(answer)),
      failure: undefined,
      typed,
      answer,
    };
  }
  response.status = answer.status;
  if (answer.retryAfter > 0) response.headers.set('retry-after', String(answer.retryAfter));
  locals.failure = failureOf(words(lang), lang, answer, typed);
  return { failure: locals.failure, typed, answer };
}

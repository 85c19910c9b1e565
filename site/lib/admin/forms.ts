import type { AstroGlobal } from 'astro';
import { failureOf } from '../../components/admin/failure.ts';
import type { T } from '../../i18n/words.ts';
import { type ApiAnswer, goOn, readForm } from '../accounts/forms.ts';

/** What a form of the administration came to: nothing yet, or what was typed and why it was refused. */
export interface Sent {
  response?: Response;
  failure: string;
  typed: ReadonlyMap<string, string>;
  answer?: ApiAnswer;
  unconfirmed?: Refusal['unconfirmed'];
}

/** What a form says no to by itself, in words. */
export interface Refusal {
  refused: string;
  /** What was saved nevertheless, and what is done when the same is sent once more. */
  unconfirmed?: { version: string; concerns: string };
}

const nothing: Sent = { failure: '', typed: new Map() };

/**
 * Hands a posted form to its call; goes on to a page when that worked, else says what was wrong.
 * @param send calls the API; undefined: this form is none of ours
 * @param next where to go on; undefined: the page is shown with the answer
 */
export async function takeForm(
  { request, response }: Pick<AstroGlobal, 'request' | 'response'>,
  t: T,
  send: (form: ReadonlyMap<string, string>) => Promise<ApiAnswer | Refusal | undefined>,
  next: string | undefined,
): Promise<Sent> {
  if (request.method !== 'POST') return nothing;
  const typed = await readForm(request);
  const answer = typed && (await send(typed));
  if (!typed || !answer) {
    response.status = 400;
    return { failure: t('admin:failed'), typed: typed ?? new Map() };
  }
  if ('refused' in answer) {
    response.status = 400;
    return { failure: answer.refused, typed, unconfirmed: answer.unconfirmed };
  }
  if (answer.status === 200) {
    if (next === undefined) return { failure: '', typed, answer };
    return { response: goOn(next), failure: '', typed, answer };
  }
  response.status = answer.status;
  if (answer.retryAfter > 0) response.headers.set('retry-after', String(answer.retryAfter));
  return { failure: failureOf(t, answer), typed, answer };
}

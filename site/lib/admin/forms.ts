import type { AstroGlobal } from 'astro';
import { failureOf } from '../../components/admin/failure.ts';
import type { T } from '../../i18n/words.ts';
import { goOn, readForm } from '../accounts/forms.ts';
import type { ApiResponse } from '../http/api-call.ts';

/** What a form of the administration came to: nothing yet, or what was typed and why it was refused. */
export interface Sent<Answer = unknown> {
  response?: Response;
  failure: string;
  typed: ReadonlyMap<string, string>;
  /** What the API answered, when it did as it was told. */
  answer?: Answer;
  /** Somebody else changed meanwhile what the form is about. */
  isOutdated?: boolean;
  unconfirmed?: Refusal['unconfirmed'];
}

/** What a form says no to by itself, in words. */
export interface Refusal {
  refused: string;
  /** What was saved nevertheless, and what is done when the same is sent once more. */
  unconfirmed?: { version: string; concerns: string };
}

/**
 * Hands a posted form to its call; goes on to a page when that worked, else says what was wrong.
 * @param send calls the API; undefined: this form is none of ours
 * @param next where to go on; undefined: the page is shown with the answer
 */
export async function takeForm<Called extends ApiResponse>(
  { request, response }: Pick<AstroGlobal, 'request' | 'response'>,
  t: T,
  send: (form: ReadonlyMap<string, string>) => Promise<Called | Refusal | undefined>,
  next: string | undefined,
): Promise<Sent<Called['answer']>> {
  if (request.method !== 'POST') return { failure: '', typed: new Map() };
  const typed = await readForm(request);
  const called = typed && (await send(typed));
  if (!typed || !called) {
    response.status = 400;
    return { failure: t('admin:failed'), typed: typed ?? new Map() };
  }
  if ('refused' in called) {
    response.status = 400;
    return { failure: called.refused, typed, unconfirmed: called.unconfirmed };
  }
  const { status, retryAfter, answer, error } = called;
  if (!error) return { failure: '', typed, answer, ...(next !== undefined && { response: goOn(next) }) };
  response.status = status;
  if (retryAfter > 0) response.headers.set('retry-after', String(retryAfter));
  return { failure: failureOf(t, called), typed, isOutdated: error.code === 'changed' };
}

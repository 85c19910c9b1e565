import type { BulkAnswer, DecisionAnswer } from '#api/admin/model.ts';
import { readId } from '#api/input.ts';
import type { T } from '../../i18n/words.ts';
import { callApiFor, seeOther } from '../../lib/accounts/forms.ts';
import type { ApiResponse } from '../../lib/http/api-call.ts';
import type { QueryOf } from '../../routes.ts';

/** What a form of the verification page came to, when it was sent without the script. */
export interface PostedDecision {
  response?: Response;
  status: number;
  failure: string;
}

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** By the button that was pressed, what is done then. */
const doneBy = { approve: 'approved', reject: 'rejected', undo: 'undone' } as const;

/** Hands what was pressed to its call of the API. @param address where to go on */
export async function postDecision(request: Request, address: string, t: T): Promise<PostedDecision> {
  const isForm = formType.test(request.headers.get('content-type') ?? '');
  const form = new URLSearchParams(isForm ? await request.text() : '');
  const button = (['approve', 'reject', 'undo'] as const).find((name) => form.has(name));
  const value = button && form.get(button);
  if (!button || !value) return { status: 400, failure: t('verification:failed') };
  if (value === 'selected' && !form.has('eventIds'))
    return { status: 400, failure: t('verification:noneSelected') };
  const { status, error, answer } = await send(request, form, button, value);
  if (error) {
    if (status !== 409 && status !== 404) return { status, failure: t('verification:failed') };
    const failure = button === 'undo' ? t('verification:undoFailed') : t('verification:left', { count: 1 });
    return { status, failure };
  }
  const { succeeded, failed } = 'succeeded' in answer ? answer : { succeeded: 1, failed: 0 };
  if (succeeded === 0) return { status: 409, failure: t('verification:left', { count: failed }) };
  const left = failed > 0 ? `&left=${failed}` : '';
  return {
    response: seeOther(`${address}&done=${doneBy[button]}&count=${succeeded}${left}`),
    status: 200,
    failure: '',
  };
}

/** What the page to which a form led says of it; undefined when none did. */
export function doneSentence(t: T, { done, count, left }: QueryOf<'adminVerification'>): string | undefined {
  if (!done || !count) return undefined;
  const sentence = done === 'undone' ? t('verification:undone') : t(`verification:done_${done}`, { count });
  return left ? `${sentence} ${t('verification:left', { count: left })}` : sentence;
}

function send(
  request: Request,
  form: URLSearchParams,
  button: keyof typeof doneBy,
  value: string,
): Promise<ApiResponse<BulkAnswer | DecisionAnswer>> {
  const typed = form.get('notes') ?? '';
  const notes = typed.trim() ? typed : undefined;
  const eventIds = form.getAll('eventIds').map(Number);
  const params = { id: value };
  switch (button) {
    case 'approve':
      return value === 'selected'
        ? callApiFor(request, 'post', '/api/admin/events/verify/bulk-approve', { body: { eventIds, notes } })
        : callApiFor(request, 'post', '/api/admin/events/:id/verify/approve', { params, body: { notes } });
    case 'reject':
      return value === 'selected'
        ? callApiFor(request, 'post', '/api/admin/events/verify/bulk-reject', {
            body: { eventIds, reason: notes },
          })
        : callApiFor(request, 'post', '/api/admin/events/:id/verify/reject', {
            params,
            body: { reason: notes },
          });
    case 'undo': {
      const [id = '', shown] = value.split(' ');
      return callApiFor(request, 'post', '/api/admin/events/:id/verify/undo', {
        params: { id },
        // What is no id is refused, as 0 is none; a row without a decision shows none.
        body: { decision: shown === undefined ? null : (readId(shown) ?? 0) },
      });
    }
  }
}

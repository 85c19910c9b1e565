import type { T } from '../../i18n/words.ts';
import { callApiFor, seeOther } from '../../lib/accounts/forms.ts';
import type { ApiResponse } from '../../lib/http/api-call.ts';

/** What a form of the verification page came to, when it was sent without the script. */
export interface PostedDecision {
  response?: Response;
  status: number;
  failure: string;
}

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Hands what was pressed to its call of the API. @param address where to go on */
export async function postDecision(request: Request, address: string, t: T): Promise<PostedDecision> {
  const isForm = formType.test(request.headers.get('content-type') ?? '');
  const form = new URLSearchParams(isForm ? await request.text() : '');
  if ((form.get('approve') ?? form.get('reject')) === 'selected' && !form.has('eventIds'))
    return { status: 400, failure: t('verification:noneSelected') };
  const response = send(request, form);
  if (!response) return { status: 400, failure: t('verification:failed') };
  const { status, error } = await response;
  if (!error) return { response: seeOther(`${address}&done=1`), status: 200, failure: '' };
  const isDecided = status === 409 || status === 404;
  return { status, failure: isDecided ? t('verification:left', { count: 1 }) : t('verification:failed') };
}

/** @returns undefined when nothing was pressed */
function send(request: Request, form: URLSearchParams): Promise<ApiResponse> | undefined {
  const [approve, reject, undo] = [form.get('approve'), form.get('reject'), form.get('undo')];
  const typed = form.get('notes') ?? '';
  const notes = typed.trim() ? typed : undefined;
  const eventIds = form.getAll('eventIds').map(Number);
  if (approve === 'selected')
    return callApiFor(request, 'post', '/api/admin/events/verify/bulk-approve', {
      body: { eventIds, notes },
    });
  if (approve !== null)
    return callApiFor(request, 'post', '/api/admin/events/:id/verify/approve', {
      params: { id: approve },
      body: { notes },
    });
  if (reject === 'selected')
    return callApiFor(request, 'post', '/api/admin/events/verify/bulk-reject', {
      body: { eventIds, reason: notes },
    });
  if (reject !== null)
    return callApiFor(request, 'post', '/api/admin/events/:id/verify/reject', {
      params: { id: reject },
      body: { reason: notes },
    });
  if (undo === null) return undefined;
  return callApiFor(request, 'post', '/api/admin/events/:id/verify/undo', { params: { id: undo }, body: {} });
}

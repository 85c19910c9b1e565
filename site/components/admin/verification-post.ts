import type { T } from '../../i18n/words.ts';
import { callFor, goOn } from '../../lib/accounts/forms.ts';

/** What a form of the verification page came to, when it was sent without the script. */
export interface Posted {
  response?: Response;
  status: number;
  failure: string;
}

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Hands what was pressed to its call of the API. @param here where to go on */
export async function postDecision(request: Request, here: string, t: T): Promise<Posted> {
  const isForm = formType.test(request.headers.get('content-type') ?? '');
  const form = new URLSearchParams(isForm ? await request.text() : '');
  const notes = form.get('notes') ?? '';
  const [path, body] = callOf(form, notes);
  if (!path) return { status: 400, failure: t('verification:failed') };
  const answer = await callFor(request, 'POST', `/api/admin/events/${path}`, body);
  if (answer.status === 200) return { response: goOn(`${here}&done=1`), status: 200, failure: '' };
  const known = answer.status === 409 || answer.status === 404;
  return {
    status: answer.status,
    failure: known ? t('verification:left', { count: 1 }) : t('verification:failed'),
  };
}

function callOf(form: URLSearchParams, notes: string): [string | undefined, object] {
  for (const [name, bulk, field] of [
    ['approve', 'verify/bulk-approve', 'notes'],
    ['reject', 'verify/bulk-reject', 'reason'],
  ] as const) {
    const wanted = form.get(name);
    const text = notes.trim() ? { [field]: notes } : {};
    if (wanted === 'selected') return [bulk, { eventIds: form.getAll('eventIds').map(Number), ...text }];
    if (wanted !== null) return [`${encodeURIComponent(wanted)}/verify/${name}`, text];
  }
  const undo = form.get('undo');
  return undo === null ? [undefined, {}] : [`${encodeURIComponent(undo)}/verify/undo`, {}];
}

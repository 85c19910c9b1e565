import { languages } from '#content/locales.ts';
import { type ApiAnswer, callFor } from '../../lib/accounts/forms.ts';

const text = (form: ReadonlyMap<string, string>, name: string) => form.get(name)?.trim() ?? '';
const orNull = (value: string) => value || null;
/** `12 파도반` names star 12. */
const idOrNull = (value: string) => Number(value.match(/^\s*(\d{1,10})\b/)?.[1] ?? 0) || null;

/** An editor's form of an event as the call of the API wants it; times are those of the event's zone. */
function editOf(form: ReadonlyMap<string, string>, expected: string): object {
  const words = Object.fromEntries(
    languages.flatMap((language) => {
      const title = text(form, `title.${language}`);
      const rest = {
        description: orNull(text(form, `description.${language}`)),
        venue: orNull(text(form, `venue.${language}`)),
        location: orNull(text(form, `location.${language}`)),
      };
      const isEmpty = !title && Object.values(rest).every((value) => value === null);
      return isEmpty ? [] : [[language, { title, ...rest }]];
    }),
  );
  const precision = form.has('allDay') ? 'day' : 'minute';
  const day = text(form, 'startDay');
  const [startTime, endTime] = [text(form, 'startTime'), text(form, 'endTime')];
  const endDay = text(form, 'endDay') || day;
  return {
    expected,
    eventType: text(form, 'eventType'),
    state: form.has('cancelled') ? 'cancelled' : 'scheduled',
    precision,
    zone: text(form, 'zone'),
    startTime: `${day}T${precision === 'day' ? '00:00' : startTime || '00:00'}`,
    endTime: endTime || text(form, 'endDay') ? `${endDay}T${endTime || '23:59'}` : null,
    primaryStarId: idOrNull(text(form, 'primaryStarId')),
    starIds: text(form, 'starIds')
      .split(/[\s,]+/)
      .flatMap((id) => idOrNull(id) ?? []),
    ticketUrl: orNull(text(form, 'ticketUrl')),
    streamingUrl: orNull(text(form, 'streamingUrl')),
    officialUrl: orNull(text(form, 'officialUrl')),
    words,
  };
}

/** The form asks for day and time apart, the call for both in one. */
const atDay = (answer: ApiAnswer, form: ReadonlyMap<string, string>): ApiAnswer =>
  answer.field === 'startTime' && !text(form, 'startDay')
    ? { ...answer, code: 'required', field: 'startDay' }
    : answer;

/** Hands the form of an event to its calls: saved first, then approved or rejected when that button was pressed. */
export async function postEvent(
  request: Request,
  id: number,
  form: ReadonlyMap<string, string>,
): Promise<ApiAnswer> {
  const notes = text(form, 'notes');
  const path = `/api/admin/events/${id}`;
  switch (form.get('do')) {
    case 'merge':
      return callFor(request, 'POST', `${path}/verify/merge`, {
        into: Number(text(form, 'into')),
        time: form.has('takeTime'),
        place: form.has('takePlace'),
        ...(notes ? { notes } : {}),
      });
    case 'reject':
      return callFor(request, 'POST', `${path}/verify/reject`, notes ? { reason: notes } : {});
    case 'approve': {
      const saved = await callFor(request, 'PUT', path, editOf(form, 'pending'));
      if (saved.status !== 200) return atDay(saved, form);
      return callFor(request, 'POST', `${path}/verify/approve`, notes ? { notes } : {});
    }
    default:
      return atDay(await callFor(request, 'PUT', path, editOf(form, text(form, 'expected'))), form);
  }
}

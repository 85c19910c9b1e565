import { type Lang, languages } from '#content/locales.ts';
import { callApiFor, type FormBody } from '../../lib/accounts/forms.ts';
import type { ApiResponse } from '../../lib/http/api-call.ts';

const text = (form: ReadonlyMap<string, string>, name: string) => form.get(name)?.trim() ?? '';
const orNull = (value: string) => value || null;
/** `12 파도반` names star 12. */
const idOrNull = (value: string) => Number(value.match(/^\s*(\d{1,10})\b/)?.[1] ?? 0) || null;

type Edit = FormBody<'put', '/api/admin/events/:id'>;
type EventWords = NonNullable<NonNullable<Edit['words']>[Lang]>;

/** An editor's form of an event as the call of the API wants it; times are those of the event's zone. */
function editOf(form: ReadonlyMap<string, string>, expected: string): Edit {
  const words = Object.fromEntries(
    languages.flatMap((language) => {
      const given: EventWords = {
        title: text(form, `title.${language}`),
        description: orNull(text(form, `description.${language}`)),
        venue: orNull(text(form, `venue.${language}`)),
        location: orNull(text(form, `location.${language}`)),
      };
      return Object.values(given).some(Boolean) ? [[language, given]] : [];
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

/** Hands the form of an event to its calls: saved first, then approved or rejected when that button was pressed. */
export async function postEvent(
  request: Request,
  id: number,
  form: ReadonlyMap<string, string>,
): Promise<ApiResponse> {
  const notes = text(form, 'notes') || undefined;
  const params = { id };
  switch (form.get('do')) {
    case 'merge':
      return callApiFor(request, 'post', '/api/admin/events/:id/verify/merge', {
        params,
        body: {
          into: Number(text(form, 'into')),
          time: form.has('takeTime'),
          place: form.has('takePlace'),
          notes,
        },
      });
    case 'reject':
      return callApiFor(request, 'post', '/api/admin/events/:id/verify/reject', {
        params,
        body: { reason: notes },
      });
    case 'approve': {
      const body = editOf(form, 'pending');
      const saved = await callApiFor(request, 'put', '/api/admin/events/:id', { params, body });
      if (saved.error) return saved;
      return callApiFor(request, 'post', '/api/admin/events/:id/verify/approve', { params, body: { notes } });
    }
    default: {
      const body = editOf(form, text(form, 'expected'));
      return callApiFor(request, 'put', '/api/admin/events/:id', { params, body });
    }
  }
}

import { readEditableEvent } from '#api/admin/verification.ts';
import { type Lang, languages } from '#content/locales.ts';
import type { T } from '../../i18n/words.ts';
import { callApiFor, type FormBody } from '../../lib/accounts/forms.ts';
import type { FormRefusal } from '../../lib/admin/forms.ts';
import type { ApiAnswer, ApiResponse } from '../../lib/http/api-call.ts';

const text = (form: ReadonlyMap<string, string>, name: string) => form.get(name)?.trim() ?? '';
const orNull = (value: string) => value || null;

/** Names of stars by their ids, by which a typed number is known to be meant for its star. */
export type StarNames = ReadonlyMap<number, string>;

/** `12 파도반` and `12` are star 12; undefined for what may mean another one. */
function starId(text: string, names: StarNames): number | undefined {
  const [, digits, name] = text.match(/^(\d{1,10})(?:\s+(.+))?$/s) ?? [];
  const id = Number(digits);
  // A name may begin with a digit, but another number may have been meant for a star too.
  return digits && (!name || name === names.get(id) || /^\D/.test(name)) ? id : undefined;
}

/** The stars that were typed, between commas; numbers alone also between spaces. */
const starTexts = (typed: string) =>
  typed
    .split(',')
    .map((each) => each.trim())
    .flatMap((each) => (/^[\d\s]+$/.test(each) ? each.split(/\s+/) : each || []));

/** The stars that were typed into a field: their ids in that order, and what names none. */
export function typedStars(typed: string, names: StarNames): { ids: number[]; unreadable: string[] } {
  const texts = starTexts(typed);
  return {
    ids: texts.flatMap((each) => starId(each, names) ?? []),
    unreadable: texts.filter((each) => starId(each, names) === undefined),
  };
}

/** What was typed for stars and names none, by field: whoever leaves it out would take a star off the event unseen. */
function unreadStars(form: ReadonlyMap<string, string>, names: StarNames) {
  const typed = [
    {
      field: 'primaryStarId',
      texts: [text(form, 'primaryStarId')].filter((each) => each && starId(each, names) === undefined),
    },
    { field: 'starIds', texts: typedStars(text(form, 'starIds'), names).unreadable },
  ];
  return typed.filter(({ texts }) => texts.length > 0);
}

type Edit = FormBody<'put', '/api/admin/events/:id'>;
type EventWords = NonNullable<NonNullable<Edit['words']>[Lang]>;

/** An editor's form of an event as the call of the API wants it; times are those of the event's zone. */
function editOf(form: ReadonlyMap<string, string>, names: StarNames, expected: string): Edit {
  const words = Object.fromEntries(
    languages.flatMap((language) => {
      const translation: EventWords = {
        title: text(form, `title.${language}`),
        description: orNull(text(form, `description.${language}`)),
        venue: orNull(text(form, `venue.${language}`)),
        location: orNull(text(form, `location.${language}`)),
      };
      return Object.values(translation).some(Boolean) ? [[language, translation]] : [];
    }),
  );
  const precision = form.has('allDay') ? 'day' : 'minute';
  const day = text(form, 'startDay');
  const [startTime, endTime] = [text(form, 'startTime'), text(form, 'endTime')];
  const endDay = text(form, 'endDay') || day;
  return {
    expected,
    version: text(form, 'version'),
    eventType: text(form, 'eventType'),
    state: form.has('cancelled') ? 'cancelled' : 'scheduled',
    precision,
    zone: text(form, 'zone'),
    startTime: `${day}T${precision === 'day' ? '00:00' : startTime}`,
    endTime: endTime || text(form, 'endDay') ? `${endDay}T${endTime || '23:59'}` : null,
    primaryStarId: starId(text(form, 'primaryStarId'), names) ?? null,
    starIds: typedStars(text(form, 'starIds'), names).ids,
    ticketUrl: orNull(text(form, 'ticketUrl')),
    streamingUrl: orNull(text(form, 'streamingUrl')),
    officialUrl: orNull(text(form, 'officialUrl')),
    words,
  };
}

/**
 * What an editor is asked once more before an event becomes public: there may be a reason for one that is over, or that has no
 * star, and mostly there is none. @param confirmed what was asked already
 */
function questionAbout(
  { overAt, primaryStarId, starIds, version }: ApiAnswer<'put', '/api/admin/events/:id'>,
  confirmed: string | undefined,
  t: T,
): FormRefusal | undefined {
  const concerns = [
    ...(Date.parse(overAt) <= Date.now() ? (['over'] as const) : []),
    ...(primaryStarId === null && starIds.length === 0 ? (['noStar'] as const) : []),
  ];
  const concernList = concerns.join(' ');
  if (concerns.length === 0 || concernList === confirmed) return undefined;
  const reasons = concerns.map((each) => t(`admin:concern_${each}`)).join(' ');
  return {
    refused: { text: t('admin:unconfirmed', { reasons, button: t('admin:saveApprove') }), fields: [] },
    unconfirmed: { version, concerns: concernList },
  };
}

const clock = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** The form asks for day and time apart, the call for both in one: what is wrong with a day is said at the day. */
function withDayField<Result extends ApiResponse>(result: Result, form: ReadonlyMap<string, string>): Result {
  const { error } = result;
  const at = (field: 'startDay' | 'endDay', code: 'required' | 'day' | 'order'): Result => ({
    ...result,
    error: { ...error, code, field },
  });
  const [startDay, endDay] = [text(form, 'startDay'), text(form, 'endDay')];
  const isDay = (time: 'startTime' | 'endTime') => form.has('allDay') || clock.test(text(form, time));
  if (error?.field === 'startTime') {
    if (!startDay) return at('startDay', 'required');
    if (error.code === 'time' && isDay('startTime')) return at('startDay', 'day');
  }
  if (error?.field === 'endTime' && endDay) {
    if (error.code === 'order' && endDay < startDay) return at('endDay', 'order');
    if (error.code === 'time' && (!text(form, 'endTime') || isDay('endTime'))) return at('endDay', 'day');
  }
  return result;
}

/** The form has one field for the notes of an approval and the reason of a rejection. */
const withReasonField = <Result extends ApiResponse>(result: Result): Result =>
  result.error?.field === 'notes' ? { ...result, error: { ...result.error, field: 'reason' } } : result;

/**
 * Hands the form of an event to its calls: saved first, then approved or rejected when that button was pressed;
 * `separate` also says that it is no update of a known event. What cannot be
 * understood is refused, and nothing is changed.
 */
export async function postEvent(
  { request, t, names }: { request: Request; t: T; names: StarNames },
  id: number,
  form: ReadonlyMap<string, string>,
): Promise<ApiResponse | FormRefusal> {
  const reason = text(form, 'reason') || undefined;
  const params = { id };
  const save = async (expected: string, more: Pick<Edit, 'updateOfId'> = {}) => {
    const unreadable = unreadStars(form, names);
    if (unreadable.length > 0) {
      const text = t('admin:failed_stars', { value: unreadable.flatMap(({ texts }) => texts).join(', ') });
      return { refused: { text, fields: unreadable.map(({ field }) => field) } };
    }
    if (!form.has('allDay') && text(form, 'startTime') === '') {
      const text = t('admin:failed_startTime', { allDay: t('admin:allDay') });
      return { refused: { text, fields: ['startTime'] } };
    }
    const body = { ...editOf(form, names, expected), ...more };
    return withDayField(await callApiFor(request, 'put', '/api/admin/events/:id', { params, body }), form);
  };
  switch (form.get('do')) {
    case 'picture': {
      const { verification } = await readEditableEvent(id);
      const body = { expected: verification, pictureKey: text(form, 'pictureKey') || null };
      return callApiFor(request, 'put', '/api/admin/events/:id', { params, body });
    }
    case 'merge':
      return callApiFor(request, 'post', '/api/admin/events/:id/verify/merge', {
        params,
        body: {
          into: Number(text(form, 'into')),
          time: form.has('takeTime'),
          place: form.has('takePlace'),
        },
      });
    case 'reject':
      return callApiFor(request, 'post', '/api/admin/events/:id/verify/reject', {
        params,
        body: { reason },
      });
    case 'approve': {
      const saved = await save('pending');
      if ('refused' in saved || saved.error) return saved;
      const question = questionAbout(saved.answer, form.get('confirmed'), t);
      if (question) return question;
      const body = { notes: reason };
      return withReasonField(
        await callApiFor(request, 'post', '/api/admin/events/:id/verify/approve', { params, body }),
      );
    }
    case 'separate':
      return save('pending', { updateOfId: null });
    default:
      return save(text(form, 'expected'));
  }
}

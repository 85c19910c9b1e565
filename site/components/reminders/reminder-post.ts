import { reminderMinutes } from '#api/events/reminder-times.ts';
import { type SubscriptionType, subscriptionTypes } from '#api/events/subscription-model.ts';
import type { Lang } from '#content/locales.ts';
import { reminderRules } from '#content/reminders.ts';
import type { T } from '../../i18n/words.ts';
import { callApiFor, readForm, seeOther } from '../../lib/accounts/forms.ts';
import type { ApiResponse } from '../../lib/http/api-call.ts';
import { paths } from '../../lib/routes/paths.ts';
import { formProblem } from '../accounts/problems.ts';

/** What a posted form of "My events" came to. */
export interface ReminderOutcome {
  /** Where to go on; undefined: show the page again. */
  response?: Response;
  status: number;
  retryAfter: number;
  failure: string;
  /** What was chosen for an event and not taken: shown again beside what was wrong with it. */
  refused?: ReminderChoice & { event: number };
  /** The private calendar address that was just made: shown this once. */
  calendarUrl?: string;
}

/** Whether a fan will be there, and how and when to remind. */
export interface ReminderChoice {
  type: SubscriptionType | undefined;
  email: boolean;
  push: boolean;
  /** Times before the start: `1d`, `1h`. */
  times: string[];
}

/** Hands a form of "My events" to its call of the API; undefined when it is another form of the profile. */
export async function postReminders(
  request: Request,
  lang: Lang,
  t: T,
): Promise<ReminderOutcome | undefined> {
  // The other forms of the profile read the body again.
  const typed = (await readForm(request.clone())) ?? new Map<string, string>();
  const submission = await send(request, typed);
  if (!submission) return undefined;
  const { response, saved, calendarUrl } = submission;
  const { status, retryAfter, error } = response;
  if (error) {
    const fallback =
      error.code === 'too_many_reminders'
        ? t('reminders:tooManyTimes', { count: reminderRules.most })
        : t('reminders:saveError');
    const failure = formProblem(t, response, fallback);
    const isOfEvent = typed.get('form') === 'reminders';
    return { status, retryAfter, failure, ...(isOfEvent && { refused: readRefused(typed) }) };
  }
  const outcome = { status, retryAfter, failure: '' };
  if (calendarUrl !== undefined) return { ...outcome, calendarUrl };
  return { ...outcome, response: seeOther(`${paths.profile({ lang, saved })}#my-events`) };
}

interface Submission {
  response: ApiResponse;
  /** What the page says next. */
  saved: 'reminders' | 'unsubscribed' | 'calendar-off';
  calendarUrl?: string | undefined;
}

const readChoice = (typed: ReadonlyMap<string, string>): ReminderChoice => ({
  type: subscriptionTypes.find((each) => each === typed.get('type')),
  email: typed.has('email'),
  push: typed.has('push'),
  times: [...typed.keys()].flatMap((name) => name.match(/^time-(.*)$/)?.[1] ?? []),
});

/** What can be shown again: a time that is none has no field. */
function readRefused(typed: ReadonlyMap<string, string>): ReminderChoice & { event: number } {
  const choice = readChoice(typed);
  const times = choice.times.filter((time) => reminderMinutes(time) !== undefined);
  return { ...choice, times, event: Number(typed.get('event')) };
}

async function send(request: Request, typed: ReadonlyMap<string, string>): Promise<Submission | undefined> {
  const params = { id: typed.get('event') ?? '' };
  switch (typed.get('form')) {
    case 'reminders': {
      const { type, ...notificationSettings } = readChoice(typed);
      const body = { subscriptionType: type, notificationSettings };
      const response = await callApiFor(request, 'put', '/api/events/:id/subscribe', { params, body });
      return { response, saved: 'reminders' };
    }
    case 'subscribe': {
      const response = await callApiFor(request, 'post', '/api/events/:id/subscribe', { params });
      return { response, saved: 'reminders' };
    }
    case 'unsubscribe': {
      const response = await callApiFor(request, 'delete', '/api/events/:id/subscribe', { params });
      return { response, saved: 'unsubscribed' };
    }
    case 'calendar': {
      const response = await callApiFor(request, 'post', '/api/calendar/link');
      return { response, saved: 'reminders', calendarUrl: response.answer?.url };
    }
    case 'calendar-off':
      return { response: await callApiFor(request, 'delete', '/api/calendar/link'), saved: 'calendar-off' };
    default:
      return undefined;
  }
}

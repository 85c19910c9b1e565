import { subscriptionTypes } from '#api/events/subscription-model.ts';
import type { Lang } from '#content/locales.ts';
import { reminderRules } from '#content/reminders.ts';
import type { T } from '../../i18n/words.ts';
import { type ApiAnswer, callFor, goOn, readForm } from '../../lib/accounts/forms.ts';
import { paths } from '../../lib/routes/paths.ts';
import { formProblem } from '../accounts/problems.ts';

/** What a posted form of "My events" came to. */
export interface ReminderOutcome {
  /** Where to go on; undefined: show the page again. */
  response?: Response;
  status: number;
  retryAfter: number;
  failure: string;
  /** The private calendar address that was just made: shown this once. */
  calendarUrl?: string;
}

/** Hands a form of "My events" to its call of the API; undefined when it is another form of the profile. */
export async function postReminders(
  request: Request,
  lang: Lang,
  t: T,
): Promise<ReminderOutcome | undefined> {
  // The other forms of the profile read the body again.
  const typed = (await readForm(request.clone())) ?? new Map<string, string>();
  const sent = await send(request, typed);
  if (!sent) return undefined;
  const { answer, done } = sent;
  const outcome = { status: answer.status, retryAfter: answer.retryAfter };
  const otherwise =
    answer.code === 'too_many_reminders'
      ? t('reminders:tooManyTimes', { count: reminderRules.most })
      : t('reminders:saveError');
  if (answer.status !== 200) return { ...outcome, failure: formProblem(t, answer, otherwise) };
  const url = urlOf(answer.json);
  if (url !== undefined) return { ...outcome, failure: '', calendarUrl: url };
  return { ...outcome, failure: '', response: goOn(`${paths.profile({ lang, saved: done })}#my-events`) };
}

async function send(
  request: Request,
  typed: ReadonlyMap<string, string>,
): Promise<{ answer: ApiAnswer; done: 'reminders' | 'unsubscribed' | 'calendar-off' } | undefined> {
  const event = `/api/events/${encodeURIComponent(typed.get('event') ?? '')}/subscribe`;
  switch (typed.get('form')) {
    case 'reminders': {
      const notificationSettings = {
        email: typed.has('email'),
        push: typed.has('push'),
        times: [...typed.keys()].flatMap((name) => name.match(/^time-(.*)$/)?.[1] ?? []),
      };
      const subscriptionType = subscriptionTypes.find((each) => each === typed.get('type'));
      const change = { ...(subscriptionType && { subscriptionType }), notificationSettings };
      return { answer: await callFor(request, 'PUT', event, change), done: 'reminders' };
    }
    case 'unsubscribe':
      return { answer: await callFor(request, 'DELETE', event), done: 'unsubscribed' };
    case 'calendar':
      return { answer: await callFor(request, 'POST', '/api/calendar/link'), done: 'reminders' };
    case 'calendar-off':
      return { answer: await callFor(request, 'DELETE', '/api/calendar/link'), done: 'calendar-off' };
    default:
      return undefined;
  }
}

function urlOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('url' in json)) return undefined;
  return typeof json.url === 'string' ? json.url : undefined;
}

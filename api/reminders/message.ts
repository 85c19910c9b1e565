import { intlTag, type Lang } from '#content/locales.ts';
import type { DueReminder } from '#db/queries/reminders/reminders.ts';
import { config } from '../config.ts';
import { areaWords } from '../language/words.ts';
import { writeLetter } from '../mail/letter.ts';
import type { Notice } from '../push/send.ts';

type Precision = 'minute' | 'day';

/** A moment as the place of the event says it, with the name of its time; a whole day without a clock. */
function momentText(lang: Lang, at: Date, zone: string, precision: Precision): string {
  const intl = intlTag(lang);
  const day = new Intl.DateTimeFormat(intl, {
    timeZone: zone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  }).format(at);
  if (precision === 'day') return day;
  const parts = new Intl.DateTimeFormat(intl, {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'long',
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${day} ${part('hour')}:${part('minute')} (${part('timeZoneName')})`;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `in 1 hour`, `1시간 후`: how long until the start, in the largest unit that fits. */
function untilText(lang: Lang, start: Date, now: Date): string {
  const seconds = Math.max(60, (start.getTime() - now.getTime()) / 1000);
  // A reminder of one day leaves some seconds late; that is still one day.
  const [unit, size] = units.find(([, each]) => seconds + 90 >= each) ?? units[2];
  return new Intl.RelativeTimeFormat(intlTag(lang), { numeric: 'always' }).format(
    Math.max(1, Math.round(seconds / size)),
    unit,
  );
}

interface Message {
  title: string;
  lines: string[];
  /** Path of the event's page. */
  path: string;
  /** The same reminder, however often it is tried. */
  key: string;
}

/** What a reminder says, in the language of its reader. */
export function messageOf(reminder: DueReminder, now: Date): Message {
  const { language: lang, title, startTime, zone, precision, eventId } = reminder;
  const t = areaWords(lang, 'reminders');
  const time = momentText(lang, startTime, zone, precision);
  const place = [reminder.venue, reminder.location].filter(Boolean).join(', ');
  const placeLines = place ? [t('placeLine', { place })] : [];
  const old =
    reminder.oldStart &&
    momentText(lang, reminder.oldStart, reminder.oldZone ?? zone, reminder.oldPrecision ?? precision);
  const common = { path: `/${lang}/events/${eventId}`, key: keyOf(reminder) };
  if (old && reminder.time === 'cancelled') {
    const lines = [t('wasPlanned', { time: old }), t('noMoreReminders')];
    return { ...common, title: t('cancelledTitle', { title }), lines };
  }
  if (old && reminder.time === 'restored') {
    const lines = [t('timeLine', { time }), ...placeLines];
    return { ...common, title: t('restoredTitle', { title }), lines };
  }
  if (old) {
    const lines = [
      t('oldTimeLine', { time: old }),
      t('newTimeLine', { time }),
      ...placeLines,
      t('movedReminders'),
    ];
    return { ...common, title: t('movedTitle', { title }), lines };
  }
  return {
    ...common,
    title:
      precision === 'day'
        ? t('dayTitle', { title, date: time })
        : t('soonTitle', { title, when: untilText(lang, startTime, now) }),
    lines: [t('timeLine', { time }), ...placeLines],
  };
}

const keyOf = ({ userId, eventId, version, time, channel, dueAt }: DueReminder) =>
  `reminder-${eventId}-${time}-${channel}-${userId}-${version}-${dueAt.getTime()}`;

/** The message as a letter. */
export function letterOf({ language }: DueReminder, { title, lines, path }: Message) {
  const t = areaWords(language, 'reminders');
  const { siteUrl } = config();
  const letter = writeLetter({
    language,
    title,
    paragraphs: lines,
    action: { label: t('openEvent'), url: siteUrl + path },
    note: t('whyMail', { url: `${siteUrl}/profile?lang=${language}#my-events` }),
  });
  return { language, subject: title.replace(/\s+/g, ' '), ...letter };
}

/** The message as a notification. */
export function noticeOf({ language }: DueReminder, { title, lines, path, key }: Message): Notice {
  return { title, body: lines.join('\n'), lang: language, url: path, tag: key };
}

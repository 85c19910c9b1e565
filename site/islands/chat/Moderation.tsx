import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Report } from '#api/community/model.ts';
import { showToast } from '../../client/toast.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { details } from '../../stores/channel.ts';
import { visitorZone } from '../../stores/clock.ts';
import { changeSlowMode, decideReport, readMutes, readReports, unmute } from './actions.ts';
import { useChat } from './context.ts';
import { Dialog } from './Dialog.tsx';
import { People } from './People.tsx';
import { reasons } from './reasons.ts';
import { useAnswer } from './use-answer.ts';
import { fill, formatDuration } from './words.ts';

/** What editors and admins see: slow mode, who is muted, reports that wait (decision C4). */
export function Moderation() {
  const { lang, words, room } = useChat();
  return (
    <Dialog title={words.moderation}>
      <SlowMode />
      <h3>{words.mutedPeople}</h3>
      <People
        read={async () =>
          (await readMutes(room)).mutes.map(({ userId, mutedUntil, reason, ...person }) => {
            const time = dateAndTime(lang, new Date(mutedUntil), visitorZone());
            const until = fill(words.until, { time });
            return { ...person, id: userId, note: reason ? `${until} · ${reason}` : until };
          })
        }
        emptyText={words.nobodyMuted}
        action={words.unmute}
        act={(id) => unmute(room, id)}
      />
      <h3>{words.reports}</h3>
      <Reports />
    </Dialog>
  );
}

/** Seconds between two messages of one member. */
const slowModeOptions = [0, 5, 10, 30, 60, 300] as const;

function SlowMode() {
  const { lang, words, room } = useChat();
  const current = useStore(details)?.channel.slowModeSeconds ?? 0;
  const options = slowModeOptions.some((each) => each === current)
    ? slowModeOptions
    : [...slowModeOptions, current];
  const choose = (seconds: number) =>
    changeSlowMode(room, seconds).then(
      () => showToast(words.saved),
      () => showToast(words.actionFailed),
    );
  return (
    <label className="chat-words">
      {words.slowModeTitle}
      <select
        className="field"
        value={current}
        onChange={({ currentTarget }) => void choose(Number(currentTarget.value))}
      >
        {options.map((each) => (
          <option key={each} value={each}>
            {each === 0 ? words.slowModeOff : formatDuration(lang, each)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Reports() {
  const { lang, words } = useChat();
  const { answer, failed, ask } = useAnswer(() => readReports(lang));
  const [decided, setDecided] = useState<readonly number[]>([]);
  const openReports = answer?.reports.filter(({ id }) => !decided.includes(id)) ?? [];
  /** The answer is one page: what stands behind it is asked for when nothing of it is left. */
  const hasNextPage =
    answer !== undefined && openReports.length === 0 && answer.pagination.total > answer.reports.length;
  useEffect(() => {
    if (hasNextPage) void ask();
  }, [hasNextPage, ask]);
  if (failed) {
    return (
      <p role="alert">
        {words.actionFailed}{' '}
        <button type="button" className="chat-link" onClick={ask}>
          {words.retry}
        </button>
      </p>
    );
  }
  if (!answer || hasNextPage) return <p>{words.connecting}</p>;
  if (openReports.length === 0) return <p>{words.noReports}</p>;
  const decide = ({ id }: Report, decision: 'remove' | 'dismiss') =>
    decideReport(id, decision).then(
      ({ decidedReports }) => setDecided((before) => [...before, ...decidedReports]),
      () => {
        showToast(words.actionFailed);
        void ask();
      },
    );
  return (
    <ul className="chat-reports">
      {openReports.map((report) => (
        <li key={report.id}>
          <p>
            <strong>{words[reasons[report.reason]]}</strong> · {report.starName} ·{' '}
            {fill(words.reportedBy, { name: report.reporter.username })}
          </p>
          {report.details && <p>{report.details}</p>}
          <blockquote className="chat-quote">
            <strong>{report.message.user.displayName || report.message.user.username}</strong>
            <p dir="auto">{report.message.content}</p>
          </blockquote>
          <p className="chat-decide">
            <button type="button" className="chat-link" onClick={() => void decide(report, 'dismiss')}>
              {words.dismiss}
            </button>
            <button type="button" className="chat-link" onClick={() => void decide(report, 'remove')}>
              {words.removeMessage}
            </button>
          </p>
        </li>
      ))}
    </ul>
  );
}

import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { limits } from '#content/site.ts';
import { showToast } from '../../client/toast.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { details, detailsFailed, refreshDetails, setMembership } from '../../stores/channel.ts';
import { visitorZone } from '../../stores/clock.ts';
import { useChat } from './context.ts';
import { isFocusLost } from './focus.ts';
import { Icon } from './Icon.tsx';
import { useEnterToSend } from './use-enter-to-send.ts';
import { useSecondsUntil } from './use-seconds-until.ts';
import { visitorClock } from './visitor-time.ts';
import { fill, formatDuration, plural } from './words.ts';

const warnFrom = 480;

/** Where one writes, or the one sentence that says why not, with the button that helps (§5). */
export function Composer() {
  const { lang, words } = useChat();
  const answer = useStore(details);
  const failed = useStore(detailsFailed);
  const mutedFor = useSecondsUntil(answer?.viewer?.mutedUntil);
  if (!answer) {
    return failed ? (
      <ComposerNotice sentence={words.failed} action={words.retry} act={refreshDetails} />
    ) : (
      <ComposerNotice sentence={words.loading} />
    );
  }
  const { viewer } = answer;
  if (!viewer) {
    const next = encodeURIComponent(location.pathname);
    return (
      <ComposerNotice
        sentence={words.loginToChat}
        action={words.login}
        href={`/login?lang=${lang}&next=${next}`}
      />
    );
  }
  if (!viewer.isMember) return <JoinNotice />;
  if (viewer.mutedUntil && mutedFor > 0) {
    const until = new Date(viewer.mutedUntil);
    const time = mutedFor > 12 * 3600 ? dateAndTime(lang, until, visitorZone()) : visitorClock(until);
    return <ComposerNotice sentence={fill(words.muted, { time })} />;
  }
  return <MessageField />;
}

interface ComposerNoticeProps {
  sentence: string;
  action?: string;
  href?: string;
  act?: () => Promise<void>;
}

function ComposerNotice({ sentence, action, href, act }: ComposerNoticeProps) {
  const [busy, setBusy] = useState(false);
  return (
    <div className="chat-instead" role="status">
      <p>{sentence}</p>
      {href && (
        <a className="button button-star" href={href}>
          {action}
        </a>
      )}
      {act && (
        <button
          type="button"
          className="button button-star"
          disabled={busy}
          onClick={() => {
            setBusy(true);
            void act().finally(() => setBusy(false));
          }}
        >
          {action}
        </button>
      )}
    </div>
  );
}

/** The button that was pressed is gone: one goes on by writing. */
function focusFieldIfLost(): void {
  if (isFocusLost()) document.querySelector<HTMLElement>('.chat-field textarea')?.focus();
}

function JoinNotice() {
  const { words } = useChat();
  const join = () => setMembership(true).then(focusFieldIfLost, () => showToast(words.joinFailed));
  return <ComposerNotice sentence={words.joinToSend} action={words.join} act={join} />;
}

function MessageField() {
  const { lang, words, room, starName } = useChat();
  const draft = useStore(room.draft);
  const viewer = useStore(details)?.viewer;
  const wait = useSecondsUntil(viewer?.nextMessageAt);
  const field = useRef<HTMLTextAreaElement>(null);
  const length = [...draft.trim()].length;
  const tooLong = length > limits.messageLength;
  const canSend = length > 0 && !tooLong && wait === 0;

  const send = () => {
    const text = room.draft.get().trim();
    if (text === '' || [...text].length > limits.messageLength || wait > 0) return;
    room.setDraft('');
    room.send(text);
  };
  const enter = useEnterToSend(send);

  // Five lines at most, then it scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = field.current;
    const form = area?.form;
    if (!form) return;
    // While it is measured the log must not grow, or the browser scrolls it up.
    form.style.minHeight = `${form.offsetHeight}px`;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
    form.style.minHeight = '';
  }, [draft]);

  return (
    <form
      className="chat-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
        field.current?.focus();
      }}
    >
      {(wait > 0 || tooLong) && (
        <p className={tooLong ? 'chat-note chat-note-bad' : 'chat-note'} id="chat-note">
          {tooLong ? words.tooLong : fill(words.slowWait, { time: formatDuration(lang, wait) })}
        </p>
      )}
      <div className="chat-field">
        <textarea
          ref={field}
          rows={1}
          value={draft}
          dir="auto"
          enterKeyHint="send"
          autoComplete="off"
          placeholder={fill(words.placeholder, { name: starName })}
          aria-label={fill(words.placeholder, { name: starName })}
          aria-invalid={tooLong || undefined}
          aria-describedby={wait > 0 || tooLong ? 'chat-note' : undefined}
          onChange={({ currentTarget: { value } }) => room.setDraft(value)}
          {...enter}
        />
        <span className={length >= warnFrom ? 'chat-count chat-count-bad' : 'chat-count'} aria-hidden="true">
          {length}/{limits.messageLength}
        </span>
      </div>
      <button type="submit" className="chat-send" aria-label={words.send} disabled={!canSend}>
        {wait > 0 ? <span className="tabular">{wait}</span> : <Icon name="send" />}
      </button>
      <LimitAnnouncer length={length} />
    </form>
  );
}

/** Says near the limit how much is left, not at every key. */
function LimitAnnouncer({ length }: { length: number }) {
  const { words } = useChat();
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    if (length < warnFrom || length > limits.messageLength) {
      setAnnouncement('');
      return;
    }
    const timer = setTimeout(
      () => setAnnouncement(plural(words, 'left', limits.messageLength - length)),
      800,
    );
    return () => clearTimeout(timer);
  }, [length, words]);
  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}

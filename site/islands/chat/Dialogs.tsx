import { useState } from 'react';
import type { Message } from '#api/community/model.ts';
import { setMembership } from '../../stores/channel.ts';
import { deleteMessage, mute, reportMessage } from './actions.ts';
import { readBlocks, setBlocked } from './blocks.ts';
import { useChat } from './context.ts';
import { Dialog } from './Dialog.tsx';
import type { DialogRequest } from './dialog.ts';
import { Moderation } from './Moderation.tsx';
import { People } from './People.tsx';
import { reasons } from './reasons.ts';
import { authorName, fill, formatDuration } from './words.ts';

/** The dialog that was asked for. */
export function Dialogs({ request }: { request: DialogRequest }) {
  switch (request.kind) {
    case 'leave':
      return <Leave />;
    case 'blocked':
      return <Blocked />;
    case 'moderation':
      return <Moderation />;
    case 'delete':
      return <Delete message={request.message} />;
    case 'report':
      return <Report message={request.message} />;
    case 'block':
      return <Block message={request.message} />;
    case 'mute':
      return <Mute message={request.message} />;
  }
}

function Leave() {
  const { words } = useChat();
  return (
    <Dialog title={words.leaveQuestion} action={words.leave} act={() => setMembership(false)}>
      <p>{words.leaveHint}</p>
    </Dialog>
  );
}

/** What the message said, so that one sees which it is. */
function Quote({ message }: { message: Message }) {
  const { words } = useChat();
  return (
    <blockquote className="chat-quote">
      <strong>{authorName(message.user, words.deletedAccount)}</strong>
      <p dir="auto">{message.content}</p>
    </blockquote>
  );
}

function Delete({ message }: { message: Message }) {
  const { words, room } = useChat();
  return (
    <Dialog title={words.deleteQuestion} action={words.delete} act={() => deleteMessage(room, message.id)}>
      <Quote message={message} />
    </Dialog>
  );
}

type Reason = keyof typeof reasons;
const allReasons = Object.keys(reasons) as Reason[];

function Report({ message }: { message: Message }) {
  const { words, room } = useChat();
  const [reason, setReason] = useState<Reason>('spam');
  const [details, setDetails] = useState('');
  const text = details.trim();
  const report = () => reportMessage(room, message.id, { reason, ...(text ? { details: text } : {}) });
  return (
    <Dialog title={words.reportTitle} action={words.report} act={report} doneText={words.reported}>
      <Quote message={message} />
      <fieldset className="chat-choices">
        <legend>{words.reportReason}</legend>
        {allReasons.map((each) => (
          <label key={each}>
            <input type="radio" name="reason" checked={each === reason} onChange={() => setReason(each)} />
            {words[reasons[each]]}
          </label>
        ))}
      </fieldset>
      <NoteField label={words.details} value={details} onChange={setDetails} />
    </Dialog>
  );
}

function NoteField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  return (
    <label className="chat-words">
      {label}
      <textarea
        className="field"
        rows={2}
        maxLength={500}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

function Block({ message: { user } }: { message: Message }) {
  const { words, room } = useChat();
  const name = authorName(user, words.deletedAccount);
  return (
    <Dialog
      title={fill(words.blockQuestion, { name })}
      action={words.blockDo}
      act={() => setBlocked(room.blocked, user.id, true)}
      doneText={fill(words.blockedNow, { name })}
    >
      <p>{words.blockHint}</p>
    </Dialog>
  );
}

function Blocked() {
  const { words, room } = useChat();
  return (
    <Dialog title={words.blockedPeople}>
      <People
        read={async () => (await readBlocks()).users.map((user) => ({ ...user, note: '' }))}
        emptyText={words.nobodyBlocked}
        action={words.unblock}
        act={(id) => setBlocked(room.blocked, id, false)}
      />
    </Dialog>
  );
}

/** Minutes: ten minutes, an hour, a day, a week, thirty days. */
const muteMinutes = [10, 60, 1440, 10_080, 43_200] as const;

function Mute({ message }: { message: Message }) {
  const { lang, words, room } = useChat();
  const [minutes, setMinutes] = useState<number>(muteMinutes[0]);
  const [reason, setReason] = useState('');
  const name = authorName(message.user, words.deletedAccount);
  const text = reason.trim();
  return (
    <Dialog
      title={fill(words.mute, { name })}
      action={words.muteDo}
      act={() => mute(room, { userId: message.user.id, minutes, ...(text ? { reason: text } : {}) })}
      doneText={fill(words.mutedNow, { name })}
    >
      <Quote message={message} />
      <fieldset className="chat-choices">
        <legend>{words.muteTime}</legend>
        {muteMinutes.map((each) => (
          <label key={each}>
            <input type="radio" name="minutes" checked={each === minutes} onChange={() => setMinutes(each)} />
            {formatDuration(lang, each * 60)}
          </label>
        ))}
      </fieldset>
      <NoteField label={words.muteReason} value={reason} onChange={setReason} />
    </Dialog>
  );
}

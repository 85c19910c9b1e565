import { useState } from 'react';
import { showToast } from '../../client/toast.ts';
import { useChat } from './context.ts';
import { useAnswer } from './use-answer.ts';

interface Person {
  id: number;
  username: string;
  displayName: string | null;
  /** Said after the name. */
  note: string;
}

interface Props {
  read: () => Promise<readonly Person[]>;
  emptyText: string;
  /** What takes a person off the list. */
  action: string;
  act: (id: number) => Promise<void>;
}

/** People on a list from which they can be taken. */
export function People({ read, emptyText, action, act }: Props) {
  const { words } = useChat();
  const { answer, failed, ask } = useAnswer(read);
  const [removedIds, setRemovedIds] = useState<readonly number[]>([]);
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
  if (!answer) return <p>{words.connecting}</p>;
  const remaining = answer.filter(({ id }) => !removedIds.includes(id));
  if (remaining.length === 0) return <p>{emptyText}</p>;
  const remove = (id: number) =>
    act(id).then(
      () => setRemovedIds([...removedIds, id]),
      () => showToast(words.actionFailed),
    );
  return (
    <ul className="chat-people">
      {remaining.map(({ id, username, displayName, note }) => (
        <li key={id}>
          <span>
            {displayName || username} {note && <small>{note}</small>}
          </span>
          <button
            type="button"
            className="chat-link"
            aria-label={`${action}: ${displayName || username}`}
            onClick={() => void remove(id)}
          >
            {action}
          </button>
        </li>
      ))}
    </ul>
  );
}

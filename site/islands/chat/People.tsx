import { useState } from 'react';
import { showToast } from '../../client/toast.ts';
import { usePlace } from './context.ts';
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
  none: string;
  /** What takes a person off the list. */
  action: string;
  act: (id: number) => Promise<void>;
}

/** People on a list from which they can be taken. */
export function People({ read, none, action, act }: Props) {
  const { words } = usePlace();
  const { answer, failed, ask } = useAnswer(read);
  const [gone, setGone] = useState<readonly number[]>([]);
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
  const left = answer.filter(({ id }) => !gone.includes(id));
  if (left.length === 0) return <p>{none}</p>;
  const take = (id: number) =>
    act(id).then(
      () => setGone([...gone, id]),
      () => showToast(words.actionFailed),
    );
  return (
    <ul className="chat-people">
      {left.map(({ id, username, displayName, note }) => (
        <li key={id}>
          <span>
            {displayName || username} {note && <small>{note}</small>}
          </span>
          <button
            type="button"
            className="chat-link"
            aria-label={`${action}: ${displayName || username}`}
            onClick={() => void take(id)}
          >
            {action}
          </button>
        </li>
      ))}
    </ul>
  );
}

import { useState } from 'react';
import { flushSync } from 'react-dom';
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
  const remove = async (id: number, button: HTMLElement) => {
    const dialog = button.closest('dialog');
    const place = remaining.findIndex((person) => person.id === id);
    try {
      await act(id);
    } catch {
      showToast(words.actionFailed);
      return;
    }
    flushSync(() => setRemovedIds([...removedIds, id]));
    // The next of the list, else the way out.
    const others = [...(dialog?.querySelectorAll<HTMLElement>('.chat-people button') ?? [])];
    (others[place] ?? others.at(-1) ?? dialog?.querySelector<HTMLElement>('.sheet-footer button'))?.focus();
  };
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
            onClick={({ currentTarget }) => void remove(id, currentTarget)}
          >
            {action}
          </button>
        </li>
      ))}
    </ul>
  );
}

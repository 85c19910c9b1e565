import { useStore } from '@nanostores/react';
import { memo } from 'react';
import { firstLetterOf } from '../../i18n/first-letter.ts';
import { useChat } from './context.ts';
import { failureText, isOfText, isWaiting } from './failures.ts';
import { Icon } from './Icon.tsx';
import { LinkedText } from './LinkedText.tsx';
import { Menu } from './Menu.tsx';
import type { Pending } from './outbox.ts';
import type { LogRow } from './rows.ts';
import { useActions } from './use-actions.ts';
import { visitorClock } from './visitor-time.ts';
import { authorName, fill } from './words.ts';

interface Props {
  row: Extract<LogRow, { kind: 'message' }>;
  /** The one whose menu is in the tab order: arrows lead to the others. */
  current: boolean;
}

/** A message that the server has. */
export const MessageLine = memo(function MessageLine({ row, current }: Props) {
  const { words } = useChat();
  const { message, own, first, last } = row;
  const name = own ? words.you : authorName(message.user, words.deletedAccount);
  const choices = useActions(message, own);
  const sentAt = new Date(message.createdAt);
  return (
    <>
      <Speaker name={name} own={own} first={first} isModerator={message.user.isModerator} />
      <div className="message-line">
        {message.deleted ? (
          <p className="message-deleted">{words.deleted}</p>
        ) : (
          <p className="message-bubble" dir="auto">
            <LinkedText text={message.content} />
          </p>
        )}
        <div className="message-aside">
          <time className={last ? 'message-time' : 'visually-hidden'} dateTime={message.createdAt}>
            {visitorClock(sentAt)}
          </time>
          {!message.deleted && choices.length > 0 && (
            <Menu
              className="message-menu"
              label={own ? words.actionsOwn : fill(words.actions, { name })}
              choices={choices}
              tabIndex={current ? 0 : -1}
            />
          )}
        </div>
      </div>
    </>
  );
});

interface SpeakerProps {
  name: string;
  own: boolean;
  first: boolean;
  isModerator?: boolean;
}

/** Who speaks: shown at the first message of a run, said at each to screen readers. */
function Speaker({ name, own, first, isModerator = false }: SpeakerProps) {
  const { words } = useChat();
  if (own || !first) return <span className="visually-hidden">{name}: </span>;
  return (
    <>
      <span className="message-face" aria-hidden="true">
        {firstLetterOf(name)}
      </span>
      <p className="message-author">
        {name}
        {isModerator && <span className="message-moderator">{words.moderator}</span>}
      </p>
    </>
  );
}

/** The button is about to go: who came by keyboard goes on from the log. */
const focusLogOf = (button: HTMLElement) =>
  button.closest<HTMLElement>('.chat-log')?.focus({ preventScroll: true });

/** A message on its way, one that waits for the connection, or one that did not arrive and may be sent again. */
export const PendingLine = memo(function PendingLine({ pending }: { pending: Pending }) {
  const { words, room } = useChat();
  const { clientId, content, failure } = pending;
  const connection = useStore(room.connection);
  const waits = isWaiting(failure, connection);
  return (
    <>
      <Speaker name={words.you} own first={false} />
      <div className="message-line">
        <p className="message-bubble" dir="auto">
          {content}
        </p>
        {!failure && <span className="message-time">{words.sending}</span>}
      </div>
      {failure && (
        <p className={waits ? 'message-failed message-waits' : 'message-failed'}>
          <span>
            {!waits && <Icon name="circleAlert" size={16} />}
            {failureText(words, failure, connection)}
          </span>
          <span>
            {isOfText(failure) ? (
              <button
                type="button"
                onClick={({ currentTarget }) => {
                  room.edit(pending);
                  currentTarget.closest('.chat')?.querySelector('textarea')?.focus();
                }}
              >
                {words.edit}
              </button>
            ) : (
              !waits && (
                <button
                  type="button"
                  onClick={({ currentTarget }) => {
                    focusLogOf(currentTarget);
                    room.retry(clientId);
                  }}
                >
                  {words.sendAgain}
                </button>
              )
            )}
            <button
              type="button"
              onClick={({ currentTarget }) => {
                focusLogOf(currentTarget);
                room.discard(clientId);
              }}
            >
              {words.discard}
            </button>
          </span>
        </p>
      )}
    </>
  );
});

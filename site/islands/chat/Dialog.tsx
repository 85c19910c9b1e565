import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { showToast } from '../../client/toast.ts';
import { useChat } from './context.ts';
import { dialogRequest } from './dialog.ts';
import { isFocusLost } from './focus.ts';

interface Props {
  title: string;
  children?: ReactNode;
  /** The deed and its word; without one there is only the way out. */
  action?: string;
  act?: () => Promise<void>;
  /** Said when it is done. */
  doneText?: string;
}

function focusLogIfLost(): void {
  if (isFocusLost()) document.querySelector<HTMLElement>('.chat-log')?.focus({ preventScroll: true });
}

/** A dialog: a sheet on phones. Closing gives the focus back to what opened it. */
export function Dialog({ title, children, action, act, doneText = '' }: Props) {
  const { words } = useChat();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.setAttribute('closedby', 'any');
    dialog.current?.showModal();
    return () => {
      // Not from where somebody has gone on to already: between closing and this, a click may have opened a menu.
      const isLost = isFocusLost();
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      // A message that was deleted, or whose writer was blocked, takes its menu with it: the log is next.
      if (isLost) requestAnimationFrame(focusLogIfLost);
    };
  }, []);

  const submit = async () => {
    if (!act) return;
    setBusy(true);
    try {
      await act();
      dialog.current?.close();
      showToast(doneText);
    } catch (error) {
      console.warn(error);
      setBusy(false);
      showToast(words.actionFailed);
    }
  };

  return (
    <dialog
      ref={dialog}
      className="sheet chat-dialog"
      aria-labelledby={id}
      onClose={() => dialogRequest.set(undefined)}
    >
      <form
        className="sheet-body"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <span className="sheet-handle" aria-hidden="true" />
        <h2 id={id}>{title}</h2>
        <div className="sheet-scroll">{children}</div>
        <footer className="sheet-footer">
          <button type="button" className="button button-line" onClick={() => dialog.current?.close()}>
            {act ? words.cancel : words.close}
          </button>
          {act && (
            <button type="submit" className="button button-primary" disabled={busy}>
              {action}
            </button>
          )}
        </footer>
      </form>
    </dialog>
  );
}

import { useEffect, useRef } from 'react';
import type { VerificationItem } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { fill, plural, type VerificationWords } from './words.ts';

/** What somebody is about to decide. */
export interface Intent {
  verification: 'approved' | 'rejected';
  items: readonly VerificationItem[];
  /** Another one when it is asked anew before the browser has told that the dialog was closed: the dialog is another, too. */
  opening: number;
}

interface Props {
  lang: Lang;
  words: VerificationWords;
  intent: Intent;
  isBusy: boolean;
  onClose: () => void;
  onDecide: (notes: string) => void;
}

/** Asks once, with room for a note or a reason. Control and Enter decide, Escape does not. */
export function DecisionDialog({ lang, words, intent, isBusy, onClose, onDecide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const notes = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    dialog.current?.setAttribute('closedby', 'any');
    dialog.current?.showModal();
  }, []);
  const isApproval = intent.verification === 'approved';
  const title = isApproval
    ? intent.items.length === 1
      ? words.approveOne
      : words.approveMany
    : intent.items.length === 1
      ? words.rejectOne
      : words.rejectMany;
  const [firstItem] = intent.items;
  const isUpdate = intent.items.length === 1 && firstItem?.updateOf?.verification === 'approved';
  const decide = () => onDecide(notes.current?.value.trim() ?? '');
  return (
    <dialog ref={dialog} className="sheet" aria-labelledby="decision-title" onClose={onClose}>
      <form
        className="sheet-body decision"
        onSubmit={(event) => {
          event.preventDefault();
          decide();
        }}
      >
        <span className="sheet-handle" aria-hidden="true" />
        <h2 id="decision-title">
          {fill(title, { count: intent.items.length, title: intent.items[0]?.title ?? '' })}
        </h2>
        <p>
          {isApproval
            ? isUpdate
              ? words.updateHow
              : plural(words, lang, 'approveText', { count: intent.items.length })
            : words.rejectText}
        </p>
        {intent.items.length > 1 && (
          <ul className="decision-titles">
            {intent.items.map((item) => (
              <li key={item.id} lang={item.language === lang ? undefined : item.language}>
                {item.title}
              </li>
            ))}
          </ul>
        )}
        <label htmlFor="decision-notes">{isApproval ? words.notes : words.reason}</label>
        <textarea
          ref={notes}
          id="decision-notes"
          className="field"
          rows={3}
          maxLength={1000}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            decide();
          }}
        />
        <footer className="sheet-footer">
          <span className="sheet-chosen" />
          <button type="button" className="button button-line" onClick={() => dialog.current?.close()}>
            {words.cancel}
          </button>
          <button
            type="submit"
            className={`button ${isApproval ? 'button-primary' : 'button-line button-bad'}`}
            disabled={isBusy}
          >
            {isApproval ? words.approve : words.reject}
          </button>
        </footer>
      </form>
    </dialog>
  );
}

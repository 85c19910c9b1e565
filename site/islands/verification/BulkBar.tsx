import { useEffect, useRef } from 'react';
import type { Lang } from '#content/locales.ts';
import { Icon } from '../Icon.tsx';
import { plural, type VerificationWords } from './words.ts';

interface Props {
  lang: Lang;
  words: VerificationWords;
  form: string;
  count: number;
  isAll: boolean;
  onToggleAll: () => void;
  onClear: () => void;
  onDecide: (verification: 'approved' | 'rejected') => void;
}

/** Choosing all of the page, and deciding about all that is chosen. Its place is kept from the start. */
export function BulkBar({ lang, words, form, count, isAll, onToggleAll, onClear, onDecide }: Props) {
  const selectAll = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (selectAll.current) selectAll.current.indeterminate = count > 0 && !isAll;
  }, [count, isAll]);
  const decide = (verification: 'approved' | 'rejected') => (event: { preventDefault: () => void }) => {
    event.preventDefault();
    onDecide(verification);
  };
  return (
    <div className="bulk" data-active={count > 0 || undefined}>
      <label className="verify-check bulk-all">
        <input ref={selectAll} type="checkbox" checked={isAll} onChange={onToggleAll} />
        <span className="visually-hidden">{words.selectAll}</span>
      </label>
      <p aria-live="polite">{count > 0 ? plural(words, lang, 'selected', { count }) : words.selectAll}</p>
      <div className="bulk-actions">
        <button
          type="submit"
          form={form}
          name="approve"
          value="selected"
          className="button bulk-primary"
          onClick={decide('approved')}
        >
          <Icon name="check" />
          {words.approveSelected}
        </button>
        <button
          type="submit"
          form={form}
          name="reject"
          value="selected"
          className="button bulk-line"
          onClick={decide('rejected')}
        >
          {words.rejectSelected}
        </button>
        <button type="button" className="icon-button bulk-clear" onClick={onClear} aria-label={words.clear}>
          <Icon name="x" size={20} />
        </button>
      </div>
    </div>
  );
}

/** An island because verifying is work in a list: choose, decide, take back, with the list kept fresh under one's hands. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { VerificationItem, VerificationPage, VerificationStats } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { CallFailed } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { IslandBoundary } from '../boundary/IslandBoundary.tsx';
import { Icon } from '../Icon.tsx';
import { BulkBar } from './BulkBar.tsx';
import { DecisionDialog, type Intent } from './DecisionDialog.tsx';
import { type Decision, sendDecision, undoDecisions } from './decide.ts';
import { Figures } from './Figures.tsx';
import { Row } from './Row.tsx';
import { Tools, verificationTabs } from './Tools.tsx';
import { type Query, useVerification, verificationPath } from './use-verification.ts';
import { VerificationPager } from './VerificationPager.tsx';
import { plural, type TypeWords, type VerificationWords } from './words.ts';

interface Props {
  lang: Lang;
  words: VerificationWords;
  types: TypeWords;
  query: Query;
  list: VerificationPage;
  stats: VerificationStats;
}

const formId = 'decisions';
const typingPause = 300;
/** Long enough to read a row and notice the wrong one. */
const undoTimeout = 10_000;

/** Another was faster, or the event is gone. */
const isOver = (error: unknown) => error instanceof CallFailed && [404, 409].includes(error.status);

/** What an empty list says: other words help only where words were searched for. */
function emptyWords(
  words: VerificationWords,
  { search, verification }: Query,
): [title: string, hint: string] {
  if (search.trim()) return [words.emptyFound, words.emptyFoundHint];
  switch (verification) {
    case 'pending':
      return [words.empty, words.emptyHint];
    case 'approved':
      return [words.emptyApproved, words.emptyApprovedHint];
    case 'rejected':
      return [words.emptyRejected, words.emptyRejectedHint];
  }
}

export function Verification(props: Props) {
  return (
    <IslandBoundary words={props.words} heading="h2">
      <VerificationList {...props} />
    </IslandBoundary>
  );
}

function VerificationList({ lang, words, types, ...initial }: Props) {
  const { query, setQuery, list, listedQuery, stats, trouble, loading, refresh } = useVerification(
    lang,
    initial,
  );
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set());
  const [intent, setIntent] = useState<Intent>();
  const [isBusy, setBusy] = useState(false);
  const [search, setSearch] = useState(initial.query.search);
  const region = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  /** Only what is on the page can be chosen; what somebody else decided falls out by itself. */
  const selectedItems = useMemo(
    () => list.events.filter((item) => selectedIds.has(item.id)),
    [list, selectedIds],
  );
  const isPending = query.verification === 'pending';
  const [empty, emptyHint] = emptyWords(words, listedQuery);

  const showQuery = (next: Query) => {
    setSelectedIds(new Set());
    history.pushState(null, '', verificationPath(lang, next));
    setQuery(next);
  };

  // What was typed and chosen before this island woke stands in the page only.
  useEffect(() => {
    setSearch((current) => document.querySelector<HTMLInputElement>('#verify-search')?.value ?? current);
    const checked = document.querySelectorAll<HTMLInputElement>('[name="eventIds"]:checked');
    if (checked.length > 0) setSelectedIds(new Set([...checked].map(({ value }) => Number(value))));
  }, []);

  useEffect(() => {
    const onPopState = () => {
      const parameters = new URLSearchParams(location.search);
      const verification =
        verificationTabs.find((each) => each === parameters.get('verification')) ?? 'pending';
      const text = parameters.get('search') ?? '';
      setSearch(text);
      setSelectedIds(new Set());
      setQuery({ page: Number(parameters.get('page') ?? 1), search: text, verification });
    };
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, [setQuery]);

  useEffect(() => {
    if (search === query.search) return;
    const timer = setTimeout(() => {
      const next = { ...query, search, page: 1 };
      history.replaceState(null, '', verificationPath(lang, next));
      setSelectedIds(new Set());
      setQuery(next);
    }, typingPause);
    return () => clearTimeout(timer);
  }, [search, query, lang, setQuery]);

  const openDialog = (verification: Intent['verification'], items: readonly VerificationItem[]) => {
    // §5: with nothing chosen, nothing happens.
    if (items.length === 0) return;
    opener.current = document.activeElement;
    setIntent((before) => ({ verification, items, opening: (before?.opening ?? 0) + 1 }));
  };

  const closeDialog = () => {
    setIntent(undefined);
    const openerElement = opener.current;
    if (openerElement instanceof HTMLElement && openerElement.isConnected) openerElement.focus();
    else region.current?.focus();
  };

  const showFailure = (error: unknown) => {
    const status = error instanceof CallFailed ? error.status : 0;
    if (isOver(error)) showToast(plural(words, lang, 'left', { count: 1 }));
    else showToast(status === 401 || status === 403 ? words.signedOut : words.failed);
  };

  const undo = async (decisions: readonly Decision[]) => {
    showToast((await undoDecisions(decisions)) ? words.undone : words.undoFailed);
    await refresh();
  };

  const leaveDecision = () => {
    setSelectedIds(new Set());
    // While the dialog is there, nothing else can have the focus, and a toast would go with it.
    flushSync(() => setIntent(undefined));
    region.current?.focus();
  };

  const decide = async (notes: string) => {
    if (!intent || isBusy) return;
    setBusy(true);
    try {
      const { decided, alreadyDecided } = await sendDecision(intent, notes);
      leaveDecision();
      const stem = intent.verification === 'approved' ? 'done_approved' : 'done_rejected';
      const sentences = [
        ...(decided.length > 0 ? [plural(words, lang, stem, { count: decided.length })] : []),
        ...(alreadyDecided > 0 ? [plural(words, lang, 'left', { count: alreadyDecided })] : []),
      ];
      const offer = { label: words.undo, run: () => void undo(decided) };
      showToast(sentences.join(' '), undoTimeout, decided.length > 0 ? offer : undefined);
    } catch (error) {
      // Otherwise the reason and the choice stay for another try.
      if (isOver(error)) leaveDecision();
      showFailure(error);
    }
    setBusy(false);
    await refresh();
  };

  const toggle = (id: number) =>
    setSelectedIds((previous) => {
      const next = new Set(previous);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const toggleAll = () =>
    setSelectedIds(
      new Set(selectedItems.length === list.events.length ? [] : list.events.map(({ id }) => id)),
    );

  return (
    <>
      <Figures lang={lang} words={words} stats={stats} />
      <Tools
        lang={lang}
        words={words}
        query={query}
        pending={stats.pending}
        search={search}
        onSearch={setSearch}
        onGo={showQuery}
      />
      <form id={formId} method="post" action={verificationPath(lang, query)}>
        {/* What Enter presses in the field of the notes: of several buttons none is meant. */}
        <button type="submit" disabled hidden />
      </form>
      {isPending && list.events.length > 0 && (
        <BulkBar
          lang={lang}
          words={words}
          form={formId}
          count={selectedItems.length}
          isAll={selectedItems.length === list.events.length}
          onToggleAll={toggleAll}
          onClear={() => setSelectedIds(new Set())}
          onDecide={(verification) => openDialog(verification, selectedItems)}
        />
      )}
      {trouble && (
        <div className="verify-trouble" role="alert">
          <Icon name="circleAlert" size={20} />
          <p>{trouble === 'failed' ? words.error : words.signedOut}</p>
          <button type="button" className="button button-line" onClick={() => void refresh()}>
            {words.retry}
          </button>
        </div>
      )}
      <section
        ref={region}
        className="verify-region"
        tabIndex={-1}
        aria-label={words[query.verification]}
        aria-busy={loading}
      >
        {list.events.length === 0 ? (
          <div className="state">
            <h2>{empty}</h2>
            <p>{emptyHint}</p>
          </div>
        ) : (
          <>
            <p className="verify-columns" aria-hidden="true">
              <span>{words.columnEvent}</span>
              <span>{words.columnTime}</span>
              <span>{words.columnStar}</span>
              <span>{words.columnConfidence}</span>
              <span>{words.columnSource}</span>
            </p>
            <ul className="verify-list" data-kind={query.verification}>
              {list.events.map((item, index) => (
                <Row
                  key={item.id}
                  lang={lang}
                  words={words}
                  types={types}
                  item={item}
                  form={formId}
                  open={index === 0 && isPending}
                  isSelected={selectedIds.has(item.id)}
                  onSelect={() => toggle(item.id)}
                  onDecide={(verification) => openDialog(verification, [item])}
                  onUndo={() => void undo([item])}
                />
              ))}
            </ul>
          </>
        )}
      </section>
      <VerificationPager
        lang={lang}
        words={words}
        query={query}
        pagination={list.pagination}
        onGo={showQuery}
      />
      {intent && (
        <DecisionDialog
          key={intent.opening}
          lang={lang}
          words={words}
          intent={intent}
          isBusy={isBusy}
          onClose={closeDialog}
          onDecide={decide}
        />
      )}
    </>
  );
}

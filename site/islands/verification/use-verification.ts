import { useCallback, useEffect, useRef, useState } from 'react';
import type { VerificationPage, VerificationStats } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import type { Verification } from '#db/schema/events.ts';
import { CallFailed, callApi } from '../../client/api.ts';

export interface Query {
  page: number;
  search: string;
  verification: Verification;
}

/** §9: the list is asked for every 10 s, the figures every 30 s, while somebody can see them. */
const listInterval = 10_000;
const statsInterval = 30_000;

/** The address of the page that shows a query. */
export function verificationPath(lang: Lang, { page, search, verification }: Query): string {
  const parameters = new URLSearchParams({
    ...(verification === 'pending' ? {} : { verification }),
    ...(search ? { search } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
    lang,
  });
  return `/admin/events/verification?${parameters}`;
}

/** Runs `action` every so many milliseconds while the page is visible, and at once when it becomes visible again. */
function useWhileVisible(action: () => void, milliseconds: number): void {
  useEffect(() => {
    const runIfVisible = () => {
      if (document.visibilityState === 'visible') action();
    };
    const timer = setInterval(runIfVisible, milliseconds);
    document.addEventListener('visibilitychange', runIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', runIfVisible);
    };
  }, [action, milliseconds]);
}

export type Trouble = 'failed' | 'signedOut';

/**
 * The list and its figures as the server has them; only the answer to the newest query is shown. `listedQuery` is the query whose
 * answer `list` is: it stays on the screen until the next answer has come.
 */
export function useVerification(
  lang: Lang,
  initial: { query: Query; list: VerificationPage; stats: VerificationStats },
) {
  const [query, setQuery] = useState(initial.query);
  const [list, setList] = useState(initial.list);
  const [listedQuery, setListedQuery] = useState(initial.query);
  const [stats, setStats] = useState(initial.stats);
  const [trouble, setTrouble] = useState<Trouble>();
  const [loading, setLoading] = useState(false);
  const pendingRequest = useRef<AbortController>(undefined);
  /** Counts the figures that were asked for; `shown` is the newest that came. */
  const statsRequests = useRef({ asked: 0, shown: 0 });

  const load = useCallback(async () => {
    pendingRequest.current?.abort();
    const control = new AbortController();
    pendingRequest.current = control;
    const { page, search, verification } = query;
    const text = search.trim();
    setLoading(true);
    try {
      const loadedPage = await callApi('get', '/api/admin/events/verification/pending', {
        query: { page, limit: 10, language: lang, verification, ...(text ? { search: text } : {}) },
        signal: control.signal,
      });
      if (control.signal.aborted) return;
      setList(loadedPage);
      setListedQuery(query);
      setTrouble(undefined);
      // The last one of a page was decided: the page before it is the last now.
      if (page > loadedPage.pagination.totalPages)
        setQuery({ ...query, page: loadedPage.pagination.totalPages });
    } catch (error) {
      if (control.signal.aborted) return;
      const signedOut = error instanceof CallFailed && (error.status === 401 || error.status === 403);
      setTrouble(signedOut ? 'signedOut' : 'failed');
    }
    pendingRequest.current = undefined;
    setLoading(false);
  }, [lang, query]);
  /** A load that hangs comes to its end, which is told: asked for anew each time, it never would. */
  const poll = useCallback(() => {
    if (!pendingRequest.current) void load();
  }, [load]);

  const loadStats = useCallback(() => {
    const request = ++statsRequests.current.asked;
    callApi('get', '/api/admin/events/verification/stats').then(
      (loadedStats) => {
        if (request < statsRequests.current.shown) return;
        statsRequests.current.shown = request;
        setStats(loadedStats);
      },
      () => {
        // The list says what is wrong; old figures stay until then.
      },
    );
  }, []);

  const loadedQuery = useRef(initial.query);
  useEffect(() => {
    if (loadedQuery.current === query) return;
    loadedQuery.current = query;
    void load();
  }, [query, load]);

  useWhileVisible(poll, listInterval);
  useWhileVisible(loadStats, statsInterval);
  const refresh = useCallback(async () => {
    loadStats();
    await load();
  }, [load, loadStats]);

  return { query, setQuery, list, listedQuery, stats, trouble, loading, refresh };
}

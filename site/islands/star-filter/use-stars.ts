import { useCallback, useEffect, useMemo, useState } from 'react';
import type { StarListItem } from '#api/stars/model.ts';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';

export type LoadState = 'loading' | 'ready' | 'failed';

const typingPause = 200;
/** §9: the stars fetch may take 5 s and is retried once. */
const timeOut = 5000;

async function fetchStars(address: string, signal: AbortSignal): Promise<StarListItem[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(address, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeOut)]),
      });
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
      return await answer.json();
    } catch (error) {
      const final = error instanceof Error && error.message.startsWith('4');
      if (signal.aborted || final || attempt === 2) throw error;
    }
  }
}

/** Pages of 50 stars for a search and a category; the chosen ones come first. What a page was asked for is not shown by another. */
export function useStars(lang: Lang, search: string, category: string, selectedFirst: readonly number[]) {
  const [stars, setStars] = useState<readonly StarListItem[]>([]);
  const [known, setKnown] = useState<ReadonlyMap<number, StarListItem>>(new Map());
  const [state, setState] = useState<LoadState>('loading');
  const [page, setPage] = useState(1);
  const [attempt, setAttempt] = useState(0);
  const [hasMore, setHasMore] = useState(false);
  const query = `${search.trim()}|${category}`;
  const [shown, setShown] = useState(query);

  if (shown !== query) {
    setShown(query);
    setPage(1);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again on purpose
  useEffect(() => {
    const control = new AbortController();
    const [term = '', wanted = ''] = shown.split('|');
    const parameters = new URLSearchParams({
      page: String(page),
      limit: String(limits.starFilterPage),
      withCount: 'true',
      language: lang,
    });
    if (term) parameters.set('search', term);
    if (wanted) parameters.set('category', wanted);
    setState('loading');
    const timer = setTimeout(
      async () => {
        try {
          const found = await fetchStars(`/api/stars?${parameters}`, control.signal);
          setStars((before) => (page === 1 ? found : [...before, ...found]));
          setKnown((before) => new Map([...before, ...found.map((star) => [star.id, star] as const)]));
          setHasMore(found.length === limits.starFilterPage);
          setState('ready');
        } catch {
          if (!control.signal.aborted) setState('failed');
        }
      },
      term ? typingPause : 0,
    );
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [lang, shown, page, attempt]);

  const ordered = useMemo(
    () =>
      [...stars].sort((a, b) => Number(selectedFirst.includes(b.id)) - Number(selectedFirst.includes(a.id))),
    [stars, selectedFirst],
  );
  return {
    stars: ordered,
    known,
    state,
    hasMore,
    more: useCallback(() => setPage((current) => current + 1), []),
    retry: useCallback(() => setAttempt((current) => current + 1), []),
  };
}

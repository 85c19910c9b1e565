import { useCallback, useEffect, useMemo, useState } from 'react';
import type { StarListItem } from '#api/stars/model.ts';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { callApi } from '../../client/api.ts';

export type LoadState = 'loading' | 'ready' | 'failed';

const typingPause = 200;
/** §9: the stars fetch may take 5 s and is retried once. */
const patience = { timeout: 5000, retries: 1 };

/** Pages of 50 stars for a search and a category; the chosen ones come first. What a page was asked for is not shown by another. */
export function useStars(
  lang: Lang,
  search: string,
  category: StarListItem['category'] | undefined,
  selectedFirst: readonly number[],
) {
  const [stars, setStars] = useState<readonly StarListItem[]>([]);
  const [known, setKnown] = useState<ReadonlyMap<number, StarListItem>>(new Map());
  const [state, setState] = useState<LoadState>('loading');
  const [attempt, setAttempt] = useState(0);
  const [hasMore, setHasMore] = useState(false);
  const term = search.trim();
  const [wanted, setWanted] = useState({ term, category, page: 1 });
  if (wanted.term !== term || wanted.category !== category) setWanted({ term, category, page: 1 });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again on purpose
  useEffect(() => {
    const control = new AbortController();
    const { term, category, page } = wanted;
    const query = {
      page,
      limit: limits.starFilterPage,
      withCount: 'true' as const,
      language: lang,
      search: term || undefined,
      category,
    };
    setState('loading');
    const timer = setTimeout(
      async () => {
        try {
          const found = await callApi('get', '/api/stars', { ...patience, query, signal: control.signal });
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
  }, [lang, wanted, attempt]);

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
    more: useCallback(() => setWanted((current) => ({ ...current, page: current.page + 1 })), []),
    retry: useCallback(() => setAttempt((current) => current + 1), []),
  };
}

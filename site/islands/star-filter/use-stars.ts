import { useEffect, useRef, useState } from 'react';
import type { StarListItem } from '#api/stars/model.ts';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { callApi } from '../../client/api.ts';
import { showLoadFailure } from '../../client/toast.ts';

export type LoadState = 'loading' | 'ready' | 'failed';
type Category = StarListItem['category'] | undefined;

const typingPause = 200;
/** §9: the stars fetch may take 5 s and is retried once. */
const fetchOptions = { timeout: 5000, retries: 1 };

interface StarsQuery {
  term: string;
  category: Category;
  page: number;
}

interface Page {
  /** The chosen ones, wherever they stand in the list; only asked for with the first page of everything. */
  selected: StarListItem[];
  stars: StarListItem[];
}

async function fetchPage(
  lang: Lang,
  { term, category, page }: StarsQuery,
  selectedIds: readonly number[],
  signal: AbortSignal,
): Promise<Page> {
  const commonQuery = { language: lang, withCount: 'true', limit: limits.starFilterPage, category } as const;
  const withSelected = page === 1 && term === '' && selectedIds.length > 0;
  const [stars, selected] = await Promise.all([
    callApi('get', '/api/stars', {
      ...fetchOptions,
      signal,
      query: { ...commonQuery, page, search: term || undefined },
    }),
    withSelected
      ? callApi('get', '/api/stars', {
          ...fetchOptions,
          signal,
          query: {
            ...commonQuery,
            limit: limits.maxPage,
            starIds: JSON.stringify(selectedIds.slice(0, limits.maxPage)),
          },
        })
      : [],
  ]);
  return { stars, selected };
}

const uniqueById = (stars: readonly StarListItem[]) => [
  ...new Map(stars.map((star) => [star.id, star])).values(),
];

/**
 * Pages of 50 stars for a search and a category; without a search the chosen ones come first. What one page was asked for
 * is never shown by the answer to another. A further page that does not come is told, and asked for by the next `more`.
 */
export function useStars(lang: Lang, search: string, category: Category, selectedIds: readonly number[]) {
  const [stars, setStars] = useState<readonly StarListItem[]>([]);
  const [starsById, setStarsById] = useState<ReadonlyMap<number, StarListItem>>(new Map());
  const [state, setState] = useState<LoadState>('loading');
  const [attempt, setAttempt] = useState(0);
  const [hasMore, setHasMore] = useState(false);
  const lastPage = useRef(0);
  const term = search.trim();
  const [query, setQuery] = useState<StarsQuery>({ term, category, page: 1 });
  if (query.term !== term || query.category !== category) setQuery({ term, category, page: 1 });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again on purpose
  useEffect(() => {
    const control = new AbortController();
    setState('loading');
    const timer = setTimeout(
      async () => {
        try {
          const page = await fetchPage(lang, query, selectedIds, control.signal);
          const fetched = [...page.selected, ...page.stars];
          setStars((previous) => uniqueById(query.page === 1 ? fetched : [...previous, ...fetched]));
          setStarsById(
            (previous) => new Map([...previous, ...fetched.map((star) => [star.id, star] as const)]),
          );
          setHasMore(page.stars.length === limits.starFilterPage);
          lastPage.current = query.page;
          setState('ready');
        } catch {
          if (control.signal.aborted) return;
          // What is there stays, and so does the way to more.
          if (query.page > 1) showLoadFailure();
          setState(query.page > 1 ? 'ready' : 'failed');
        }
      },
      query.term ? typingPause : 0,
    );
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [lang, query, selectedIds, attempt]);

  return {
    stars,
    starsById,
    state,
    hasMore,
    more: () => {
      setState('loading');
      setQuery((current) => ({ ...current, page: lastPage.current + 1 }));
    },
    retry: () => {
      setState('loading');
      setAttempt((current) => current + 1);
    },
  };
}

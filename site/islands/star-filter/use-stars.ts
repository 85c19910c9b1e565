import { useEffect, useState } from 'react';
import type { StarListItem } from '#api/stars/model.ts';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { callApi } from '../../client/api.ts';

export type LoadState = 'loading' | 'ready' | 'failed';
type Category = StarListItem['category'] | undefined;

const typingPause = 200;
/** §9: the stars fetch may take 5 s and is retried once. */
const patience = { timeout: 5000, retries: 1 };

interface Wanted {
  term: string;
  category: Category;
  page: number;
}

interface Page {
  /** The chosen ones, wherever they stand in the list; only asked for with the first page of everything. */
  first: StarListItem[];
  stars: StarListItem[];
}

async function fetchPage(
  lang: Lang,
  { term, category, page }: Wanted,
  chosen: readonly number[],
  signal: AbortSignal,
): Promise<Page> {
  const common = { language: lang, withCount: 'true', limit: limits.starFilterPage, category } as const;
  const everything = page === 1 && term === '' && chosen.length > 0;
  const [stars, first] = await Promise.all([
    callApi('get', '/api/stars', {
      ...patience,
      signal,
      query: { ...common, page, search: term || undefined },
    }),
    everything
      ? callApi('get', '/api/stars', {
          ...patience,
          signal,
          query: {
            ...common,
            limit: limits.maxPage,
            starIds: JSON.stringify(chosen.slice(0, limits.maxPage)),
          },
        })
      : [],
  ]);
  return { stars, first };
}

const withoutRepeats = (stars: readonly StarListItem[]) => [
  ...new Map(stars.map((star) => [star.id, star])).values(),
];

/**
 * Pages of 50 stars for a search and a category; without a search the chosen ones come first. What one page was asked for
 * is never shown by the answer to another.
 */
export function useStars(lang: Lang, search: string, category: Category, chosen: readonly number[]) {
  const [stars, setStars] = useState<readonly StarListItem[]>([]);
  const [known, setKnown] = useState<ReadonlyMap<number, StarListItem>>(new Map());
  const [state, setState] = useState<LoadState>('loading');
  const [attempt, setAttempt] = useState(0);
  const [hasMore, setHasMore] = useState(false);
  const term = search.trim();
  const [wanted, setWanted] = useState<Wanted>({ term, category, page: 1 });
  if (wanted.term !== term || wanted.category !== category) setWanted({ term, category, page: 1 });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again on purpose
  useEffect(() => {
    const control = new AbortController();
    setState('loading');
    const timer = setTimeout(
      async () => {
        try {
          const page = await fetchPage(lang, wanted, chosen, control.signal);
          const found = [...page.first, ...page.stars];
          setStars((before) => withoutRepeats(wanted.page === 1 ? found : [...before, ...found]));
          setKnown((before) => new Map([...before, ...found.map((star) => [star.id, star] as const)]));
          setHasMore(page.stars.length === limits.starFilterPage);
          setState('ready');
        } catch {
          if (!control.signal.aborted) setState('failed');
        }
      },
      wanted.term ? typingPause : 0,
    );
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [lang, wanted, chosen, attempt]);

  return {
    stars,
    known,
    state,
    hasMore,
    more: () => setWanted((current) => ({ ...current, page: current.page + 1 })),
    retry: () => setAttempt((current) => current + 1),
  };
}

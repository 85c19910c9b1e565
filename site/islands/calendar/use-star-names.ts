import { useEffect, useState } from 'react';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { callApi } from '../../client/api.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';

interface StarName {
  name: string;
  image: string;
  /** What tells it from another star of the same name. */
  distinction: string | null;
}

/**
 * Says who a star is: one of the month, or a chosen one that has nothing in it. For these the server is asked; without its answer
 * they are only counted.
 */
export function useStarNames(lang: Lang, month: CalendarMonth, chosenIds: readonly number[]) {
  const [others, setOthers] = useState<ReadonlyMap<number, StarName>>(new Map());
  const unknownIds = chosenIds
    .filter((id) => !month.stars[id] && !others.has(id))
    .slice(0, limits.maxPage)
    .join();
  useEffect(() => {
    if (!unknownIds) return;
    const control = new AbortController();
    const query = { language: lang, starIds: `[${unknownIds}]`, limit: limits.maxPage };
    callApi('get', '/api/stars', { query, timeout: 5000, retries: 1, signal: control.signal }).then(
      (stars) => {
        const answered = stars.map(
          ({ id, name, imageUrl: image, distinction }) => [id, { name, image, distinction }] as const,
        );
        setOthers((known) => new Map([...known, ...answered]));
      },
      (error: unknown) => {
        if (!control.signal.aborted) console.error('The calendar names not all of the chosen stars', error);
      },
    );
    return () => control.abort();
  }, [lang, unknownIds]);
  return (id: number): StarName | undefined => {
    const star = month.stars[id];
    if (!star) return others.get(id);
    const { name, slug, avatar = `/media/star-${slug}-mark.svg`, distinction = null } = star;
    return { name, image: avatar, distinction };
  };
}

import type { APIContext } from 'astro';
import type { ListTag, Tag, TagPattern, ThingTag } from '#api/tags.ts';
import { type Route, type RouteName, type Routes, routes } from '../../routes.ts';

type Cache = APIContext['cache'];
type Life = { maxAge: number; swr: number };
/** Of the tags of a route those with an id: `article:7` where it declares `article:`. */
type IdTagsOf<Name extends RouteName> = Routes[Name]['tags'][number] extends infer Pattern
  ? Pattern extends `${string}:`
    ? Extract<ThingTag, `${Pattern}${number}`>
    : never
  : never;

/**
 * For a page that only its tags and `limitCacheLife` end: for a day it is answered as it was while it is made anew, which a process
 * that has just started could not do for all at once.
 */
export const lasting: Life = { maxAge: 60, swr: 86_400 };

/** Lets an answer be kept for so many seconds, and until one of the tags is invalidated. */
export function cacheResponse(cache: Cache, tags: readonly Tag[], life: Life): void {
  cache.set({ ...life, tags: [...tags] });
}

/**
 * Lets a page be kept for so many seconds, by the tags of its row (`site/routes.ts`).
 * @param idTags what it shows of the tags that want an id
 */
export function cachePage<Name extends RouteName>(
  cache: Cache,
  name: Name,
  life: Life,
  idTags: readonly IdTagsOf<Name>[] = [],
): void {
  const { tags }: Route = routes[name];
  cacheResponse(cache, [...idTags, ...tags.filter(isList)], life);
}

const isList = (tag: TagPattern): tag is ListTag => !tag.endsWith(':');

/**
 * Lets nobody keep a page that nobody links to, such as one beyond a list's end: there is one for every number, and each would
 * drive out one that is read.
 */
export const doNotCache = (cache: Cache): void => cache.set(false);

/** Lets a page be kept, fresh and stale together, for no longer than what it shows stays true. */
export function limitCacheLife(cache: Cache, secondsLeft: number): void {
  const { maxAge, swr = 0 } = cache.options;
  if (maxAge === undefined || secondsLeft >= maxAge + swr) return;
  const limit = Math.max(1, Math.floor(secondsLeft));
  cache.set({ maxAge: Math.min(maxAge, limit), swr: Math.max(0, Math.min(swr, limit - maxAge)) });
}

import type { APIRoute } from 'astro';
import { isLang } from '#content/locales.ts';
import { feedResponse } from '../../lib/feeds.ts';

export const GET: APIRoute = ({ params, cache, rewrite }) => {
  if (!isLang(params.lang)) return rewrite('/404');
  cache.set({ maxAge: 300, swr: 3600, tags: ['feed'] });
  return feedResponse(params.lang, 'feed.json');
};

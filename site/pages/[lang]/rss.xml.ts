import type { APIRoute } from 'astro';
import { cachePage } from '../../lib/cache/page-life.ts';
import { feedResponse } from '../../lib/discovery/feeds.ts';
import { readPath } from '../../lib/routes/route-parameters.ts';

export const GET: APIRoute = ({ params, cache, rewrite }) => {
  const { lang } = readPath('rss', params);
  if (!lang) return rewrite('/404');
  cachePage(cache, 'rss', { maxAge: 300, swr: 3600 });
  return feedResponse(lang, 'rss.xml');
};

import type { APIRoute } from 'astro';
import { feedResponse } from '../../lib/feeds.ts';
import { keepPage } from '../../lib/page-life.ts';
import { readPath } from '../../lib/route-parameters.ts';

export const GET: APIRoute = ({ params, cache, rewrite }) => {
  const { lang } = readPath('rss', params);
  if (!lang) return rewrite('/404');
  keepPage(cache, 'rss', { maxAge: 300, swr: 3600 });
  return feedResponse(lang, 'rss.xml');
};

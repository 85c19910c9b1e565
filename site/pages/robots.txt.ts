import type { APIRoute } from 'astro';
import { absolute } from '../lib/paths.ts';

/** Pages that are not for search engines say `noindex` themselves, which only who may read them can see. */
export const GET: APIRoute = ({ cache }) => {
  cache.set({ maxAge: 86_400, swr: 86_400, tags: ['robots'] });
  const lines = [
    'User-agent: *',
    'Disallow: /api/',
    '',
    `Sitemap: ${absolute('/sitemap.xml')}`,
    `Sitemap: ${absolute('/news-sitemap.xml')}`,
    '',
  ];
  return new Response(lines.join('\n'), { headers: { 'content-type': 'text/plain; charset=utf-8' } });
};

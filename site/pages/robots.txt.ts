import type { APIRoute } from 'astro';
import { cachePage } from '../lib/cache/page-life.ts';
import { absolute, paths } from '../lib/routes/paths.ts';

/** Pages that are not for search engines say `noindex` themselves, which only who may read them can see. */
export const GET: APIRoute = ({ cache }) => {
  cachePage(cache, 'robots', { maxAge: 86_400, swr: 86_400 });
  const lines = [
    'User-agent: *',
    'Disallow: /api/',
    '',
    `Sitemap: ${absolute(paths.sitemaps())}`,
    `Sitemap: ${absolute(paths.newsSitemap())}`,
    '',
  ];
  return new Response(lines.join('\n'), { headers: { 'content-type': 'text/plain; charset=utf-8' } });
};

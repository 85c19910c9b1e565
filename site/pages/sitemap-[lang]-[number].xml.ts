import type { APIRoute } from 'astro';
import { cachePage } from '../lib/cache/page-life.ts';
import { sitemap } from '../lib/discovery/sitemaps.ts';
import { xmlResponse } from '../lib/discovery/xml.ts';
import { readPath } from '../lib/routes/route-parameters.ts';

export const GET: APIRoute = async ({ params, rewrite, cache }) => {
  const { lang, number } = readPath('sitemap', params);
  const document = lang && number ? await sitemap(lang, number) : undefined;
  if (!document) return rewrite('/404');
  cachePage(cache, 'sitemap', { maxAge: 600, swr: 3600 });
  return xmlResponse(document);
};

import type { APIRoute } from 'astro';
import { cachePage } from '../lib/cache/page-life.ts';
import { sitemapIndex } from '../lib/discovery/sitemaps.ts';
import { xmlResponse } from '../lib/discovery/xml.ts';

export const GET: APIRoute = async ({ cache }) => {
  cachePage(cache, 'sitemaps', { maxAge: 600, swr: 3600 });
  return xmlResponse(await sitemapIndex());
};

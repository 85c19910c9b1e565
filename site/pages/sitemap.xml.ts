import type { APIRoute } from 'astro';
import { keepPage } from '../lib/page-life.ts';
import { sitemapIndex } from '../lib/sitemaps.ts';
import { xmlResponse } from '../lib/xml.ts';

export const GET: APIRoute = async ({ cache }) => {
  keepPage(cache, 'sitemaps', { maxAge: 600, swr: 3600 });
  return xmlResponse(await sitemapIndex());
};

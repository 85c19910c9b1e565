import type { APIRoute } from 'astro';
import { sitemapIndex } from '../lib/sitemaps.ts';
import { xmlResponse } from '../lib/xml.ts';

export const GET: APIRoute = async ({ cache }) => {
  cache.set({ maxAge: 600, swr: 3600, tags: ['sitemap'] });
  return xmlResponse(await sitemapIndex());
};

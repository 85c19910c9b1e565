import type { APIRoute } from 'astro';
import { newsSitemap } from '../lib/sitemaps.ts';
import { xmlResponse } from '../lib/xml.ts';

export const GET: APIRoute = async ({ cache }) => {
  cache.set({ maxAge: 60, swr: 600, tags: ['feed'] });
  return xmlResponse(await newsSitemap(new Date()));
};

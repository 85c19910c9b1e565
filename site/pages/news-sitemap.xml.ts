import type { APIRoute } from 'astro';
import { cachePage } from '../lib/cache/page-life.ts';
import { newsSitemap } from '../lib/discovery/sitemaps.ts';
import { xmlResponse } from '../lib/discovery/xml.ts';

export const GET: APIRoute = async ({ cache }) => {
  cachePage(cache, 'newsSitemap', { maxAge: 60, swr: 600 });
  return xmlResponse(await newsSitemap(new Date()));
};

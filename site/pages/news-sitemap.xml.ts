import type { APIRoute } from 'astro';
import { keepPage } from '../lib/page-life.ts';
import { newsSitemap } from '../lib/sitemaps.ts';
import { xmlResponse } from '../lib/xml.ts';

export const GET: APIRoute = async ({ cache }) => {
  keepPage(cache, 'newsSitemap', { maxAge: 60, swr: 600 });
  return xmlResponse(await newsSitemap(new Date()));
};

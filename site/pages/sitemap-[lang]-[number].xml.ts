import type { APIRoute } from 'astro';
import { sitemap } from '../lib/discovery/sitemaps.ts';
import { xmlResponse } from '../lib/discovery/xml.ts';
import { readPath } from '../lib/routes/route-parameters.ts';

/** Not kept in the page cache: a robot that reads all of them would drive out what people read. */
export const GET: APIRoute = async ({ params, rewrite }) => {
  const { lang, number } = readPath('sitemap', params);
  const document = lang && number ? await sitemap(lang, number) : undefined;
  return document ? xmlResponse(document, { 'cache-control': 'public, max-age=600' }) : rewrite('/404');
};

import type { APIRoute } from 'astro';
import { readPath } from '../lib/route-parameters.ts';
import { sitemap } from '../lib/sitemaps.ts';
import { xmlResponse } from '../lib/xml.ts';

/** Not kept in the page cache: a robot that reads all of them would drive out what people read. */
export const GET: APIRoute = async ({ params, rewrite }) => {
  const { lang, number } = readPath('sitemap', params);
  const document = lang && number ? await sitemap(lang, number) : undefined;
  return document ? xmlResponse(document, { 'cache-control': 'public, max-age=600' }) : rewrite('/404');
};

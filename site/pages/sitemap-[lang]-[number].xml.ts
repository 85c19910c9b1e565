import type { APIRoute } from 'astro';
import { readId } from '#api/input.ts';
import { isLang } from '#content/locales.ts';
import { sitemap } from '../lib/sitemaps.ts';
import { xmlResponse } from '../lib/xml.ts';

/** Not kept in the page cache: a robot that reads all of them would drive out what people read. */
export const GET: APIRoute = async ({ params, rewrite }) => {
  const page = readId(params.page);
  const document = isLang(params.lang) && page ? await sitemap(params.lang, page) : undefined;
  return document ? xmlResponse(document, { 'cache-control': 'public, max-age=600' }) : rewrite('/404');
};

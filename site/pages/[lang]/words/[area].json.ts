import type { APIRoute } from 'astro';
import { isLang } from '#content/locales.ts';
import { slice } from '../../../i18n/words.ts';

/** Areas that islands loaded on first use ask for. */
const areas = ['chat', 'events', 'filter', 'hearts', 'notices'] as const;

/** One area's words of one language and those of its boundary, for an island that was not on the page when it was rendered. */
export const GET: APIRoute = ({ params, cache, rewrite }) => {
  const area = areas.find((known) => known === params.area);
  if (!isLang(params.lang) || !area) return rewrite('/404');
  cache.set({ maxAge: 86_400, swr: 86_400, tags: ['words'] });
  return Response.json({ ...slice(params.lang, 'boundary'), ...slice(params.lang, area) });
};

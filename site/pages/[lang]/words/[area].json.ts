import type { APIRoute } from 'astro';
import { slice } from '../../../i18n/words.ts';
import { cachePage } from '../../../lib/cache/page-life.ts';
import { readPath } from '../../../lib/routes/route-parameters.ts';

/** One area's words of one language and those of its boundary, for an island that was not on the page when it was rendered. */
export const GET: APIRoute = ({ params, cache, rewrite }) => {
  const { lang, area } = readPath('words', params);
  if (!lang || !area) return rewrite('/404');
  cachePage(cache, 'words', { maxAge: 86_400, swr: 86_400 });
  return Response.json({ ...slice(lang, 'boundary'), ...slice(lang, area) });
};

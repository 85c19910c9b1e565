import type { APIRoute } from 'astro';
import { readMergedStar } from '#api/directory/missing-star.ts';
import { calendarOfStar } from '#api/events/calendars.ts';
import { cachePage } from '../../../../lib/cache/page-life.ts';
import { calendarResponse } from '../../../../lib/events/calendar-response.ts';
import { paths } from '../../../../lib/routes/paths.ts';
import { readPath } from '../../../../lib/routes/route-parameters.ts';

export const GET: APIRoute = async ({ params, cache, redirect, rewrite }) => {
  const { lang, id } = readPath('starEventsFile', params);
  if (!lang || !id) return rewrite('/404');
  const file = await calendarOfStar(lang, id, new Date());
  if (!file) {
    const into = await readMergedStar(id);
    return into ? redirect(paths.starEventsFile(lang, into), 301) : rewrite('/404');
  }
  cachePage(cache, 'starEventsFile', { maxAge: 300, swr: 3600 }, [`star:${id}`]);
  return calendarResponse(file);
};

import type { APIRoute } from 'astro';
import { calendarOfAll } from '#api/events/calendars.ts';
import { cachePage } from '../../lib/cache/page-life.ts';
import { calendarResponse } from '../../lib/events/calendar-response.ts';
import { readPath } from '../../lib/routes/route-parameters.ts';

export const GET: APIRoute = async ({ params, cache, rewrite }) => {
  const { lang } = readPath('eventsFile', params);
  if (!lang) return rewrite('/404');
  cachePage(cache, 'eventsFile', { maxAge: 300, swr: 3600 });
  return calendarResponse(await calendarOfAll(lang, new Date()));
};

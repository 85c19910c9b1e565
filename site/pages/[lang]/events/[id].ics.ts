import type { APIRoute } from 'astro';
import { calendarOfEvent } from '#api/events/calendars.ts';
import { cachePage } from '../../../lib/cache/page-life.ts';
import { calendarResponse } from '../../../lib/events/calendar-response.ts';
import { readPath } from '../../../lib/routes/route-parameters.ts';

export const GET: APIRoute = async ({ params, cache, rewrite }) => {
  const { lang, id } = readPath('eventFile', params);
  if (!lang || !id) return rewrite('/404');
  const file = await calendarOfEvent(lang, id);
  if (!file) return rewrite('/404');
  cachePage(cache, 'eventFile', { maxAge: 300, swr: 3600 }, [`event:${id}`]);
  return calendarResponse(file);
};

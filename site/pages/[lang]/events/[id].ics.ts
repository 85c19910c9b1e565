import type { APIRoute } from 'astro';
import { calendarOfEvent } from '#api/events/calendars.ts';
import { calendarResponse } from '../../../lib/calendar-response.ts';
import { keepPage } from '../../../lib/page-life.ts';
import { readPath } from '../../../lib/route-parameters.ts';

export const GET: APIRoute = async ({ params, cache, rewrite }) => {
  const { lang, id } = readPath('eventFile', params);
  if (!lang || !id) return rewrite('/404');
  const file = await calendarOfEvent(lang, id);
  if (!file) return rewrite('/404');
  keepPage(cache, 'eventFile', { maxAge: 300, swr: 3600 }, [`event:${id}`]);
  return calendarResponse(file);
};

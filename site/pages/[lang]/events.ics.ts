import type { APIRoute } from 'astro';
import { calendarOfAll } from '#api/events/calendars.ts';
import { calendarResponse } from '../../lib/calendar-response.ts';
import { keepPage } from '../../lib/page-life.ts';
import { readPath } from '../../lib/route-parameters.ts';

export const GET: APIRoute = async ({ params, cache, rewrite }) => {
  const { lang } = readPath('eventsFile', params);
  if (!lang) return rewrite('/404');
  keepPage(cache, 'eventsFile', { maxAge: 300, swr: 3600 });
  return calendarResponse(await calendarOfAll(lang, new Date()));
};

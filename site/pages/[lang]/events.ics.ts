import type { APIRoute } from 'astro';
import { calendarOfAll } from '#api/events/calendars.ts';
import { isLang } from '#content/locales.ts';
import { calendarResponse } from '../../lib/calendar-response.ts';

export const GET: APIRoute = async ({ params, cache, rewrite }) => {
  if (!isLang(params.lang)) return rewrite('/404');
  cache.set({ maxAge: 300, swr: 3600, tags: ['events'] });
  return calendarResponse(await calendarOfAll(params.lang, new Date()));
};

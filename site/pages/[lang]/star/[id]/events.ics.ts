import type { APIRoute } from 'astro';
import { calendarOfStar } from '#api/events/calendars.ts';
import { readId } from '#api/input.ts';
import { isLang } from '#content/locales.ts';
import { calendarResponse } from '../../../../lib/calendar-response.ts';

export const GET: APIRoute = async ({ params, cache, rewrite }) => {
  const id = readId(params.id);
  if (!isLang(params.lang) || !id) return rewrite('/404');
  const file = await calendarOfStar(params.lang, id, new Date());
  if (!file) return rewrite('/404');
  cache.set({ maxAge: 300, swr: 3600, tags: [`star:${id}`, 'events'] });
  return calendarResponse(file);
};

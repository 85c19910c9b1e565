import type { APIRoute } from 'astro';
import { calendarOfEvent } from '#api/events/calendars.ts';
import { readId } from '#api/input.ts';
import { isLang } from '#content/locales.ts';
import { calendarResponse } from '../../../lib/calendar-response.ts';

export const GET: APIRoute = async ({ params, cache, rewrite }) => {
  const id = readId(params.id);
  if (!isLang(params.lang) || !id) return rewrite('/404');
  const file = await calendarOfEvent(params.lang, id);
  if (!file) return rewrite('/404');
  cache.set({ maxAge: 300, swr: 3600, tags: [`event:${id}`] });
  return calendarResponse(file);
};

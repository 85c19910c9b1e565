import type { APIRoute } from 'astro';
import { readMonth } from '#api/events/answers.ts';
import { isZone, seoul } from '#api/events/days.ts';
import { isLang } from '#content/locales.ts';
import { monthForCalendar } from '../../../lib/event-month.ts';

/** A month as the calendar in the browser wants it: all events with little of each. `?month=2026-11&tz=Asia/Seoul`. */
export const GET: APIRoute = async ({ params, url, cache }) => {
  const zone = url.searchParams.get('tz') ?? seoul;
  const [, year, month] = url.searchParams.get('month')?.match(/^(\d{4})-(\d{2})$/) ?? [];
  if (!isLang(params.lang) || !isZone(zone) || !year || !month) return refusal();
  let wanted: { year: number; month: number };
  try {
    wanted = readMonth(year, month);
  } catch {
    return refusal();
  }
  cache.set({ maxAge: 60, swr: 0, tags: ['events'] });
  return Response.json(await monthForCalendar(params.lang, wanted, zone), {
    headers: { 'x-robots-tag': 'noindex' },
  });
};

const refusal = () => Response.json({ error: 'Bad Request', code: 'invalid' }, { status: 400 });

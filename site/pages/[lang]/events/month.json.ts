import type { APIRoute } from 'astro';
import { seoul } from '#api/events/days.ts';
import { readMonth } from '#api/events/month.ts';
import { cachePage } from '../../../lib/cache/page-life.ts';
import { monthForCalendar } from '../../../lib/events/month.ts';
import { readPath, readQuery } from '../../../lib/routes/route-parameters.ts';

/** A month as the calendar in the browser wants it: all events with little of each. `?month=2026-11&tz=Asia/Seoul`. */
export const GET: APIRoute = async ({ params, url, cache }) => {
  const { lang } = readPath('eventMonth', params);
  const query = readQuery('eventMonth', url);
  const [, year, month] = query.month?.match(/^(\d{4})-(\d{2})$/) ?? [];
  if (!lang || query.tz === undefined || !year || !month) return refusal();
  let requestedMonth: { year: number; month: number };
  try {
    requestedMonth = readMonth(year, month);
  } catch {
    return refusal();
  }
  cachePage(cache, 'eventMonth', { maxAge: 60, swr: 0 });
  return Response.json(await monthForCalendar(lang, requestedMonth, query.tz ?? seoul), {
    headers: { 'x-robots-tag': 'noindex' },
  });
};

const refusal = () => Response.json({ error: 'Bad Request', code: 'invalid' }, { status: 400 });

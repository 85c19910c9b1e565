import { log } from '#db/log.ts';
import { TooManyRequests, Unavailable } from '../errors.ts';
import { countAddress } from '../plugins/rate-limits.ts';
import { calendarOfFan } from './calendars.ts';

const address = /^\/calendar\/([^/]{1,100})\.ics$/;
/** Wrong addresses that a network may try; calendar programs of many fans share one, so right ones count by fan. */
const wrongTries = { name: 'calendar', count: 60, seconds: 300 };

const headers = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};

/** `GET /calendar/{token}.ics`: a fan's own calendar (decision E7). Never cached, never indexed, 404 for anything else. */
export async function answerPrivateCalendar(request: Request, path: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response('Method Not Allowed', { status: 405, headers: { ...headers, allow: 'GET, HEAD' } });
  try {
    const file = await calendarOfFan(path.match(address)?.[1] ?? '', new Date());
    if (file === undefined) {
      await countAddress(wrongTries, request);
      return new Response('Not Found', { status: 404, headers });
    }
    return new Response(request.method === 'HEAD' ? null : file, {
      headers: { ...headers, 'content-type': 'text/calendar; charset=utf-8' },
    });
  } catch (error) {
    if (error instanceof TooManyRequests)
      return new Response('Too Many Requests', { status: 429, headers: { ...headers, ...error.headers } });
    log.error({ err: error }, 'a private calendar could not be written');
    return new Response('Unavailable', {
      status: 503,
      headers: { ...headers, ...new Unavailable().headers },
    });
  }
}

import { api } from '#api/app.ts';
import { answerPrivateCalendar } from '#api/events/private-calendar.ts';
import { answerMedia } from '#api/media/routes.ts';

/** True for what is not a page: `/api/*`, `/media/*` and private calendars. */
export const isOutsideAstro = (path: string): boolean =>
  path.startsWith('/api/') || path.startsWith('/media/') || path.startsWith('/calendar/') || path === '/api';

/** Answers what is not a page: `/api/*`, `/media/*` and private calendars. Undefined: Astro's turn. */
export function answerOutsideAstro(request: Request, path: string): Response | Promise<Response> | undefined {
  if (!isOutsideAstro(path)) return undefined;
  if (path.startsWith('/media/')) return answerMedia(request, path);
  if (path.startsWith('/calendar/')) return answerPrivateCalendar(request, path);
  return api.handle(request);
}

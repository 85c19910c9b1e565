import { api } from '#api/app.ts';
import { answerPrivateCalendar } from '#api/events/private-calendar.ts';
import { answerMedia } from '#api/media/routes.ts';

/** Answers what is not a page: `/api/*`, `/media/*` and private calendars. Undefined: Astro's turn. */
export function answerOutsideAstro(request: Request, path: string): Response | Promise<Response> | undefined {
  if (path === '/api' || path.startsWith('/api/')) return api.handle(request);
  if (path.startsWith('/media/')) return answerMedia(request, path);
  if (path.startsWith('/calendar/')) return answerPrivateCalendar(request, path);
  return undefined;
}

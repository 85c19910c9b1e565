import { api } from '#api/app.ts';
import { answerPrivateCalendar } from '#api/events/private-calendar.ts';
import { answerMedia } from '#api/media/routes.ts';
import { answerUploadForm, uploadPath } from '../admin/upload-form.ts';

/** True for what is not a page: `/api/*`, `/media/*`, private calendars and the form that uploads a picture. */
export const isOutsideAstro = (path: string): boolean =>
  path.startsWith('/api/') ||
  path.startsWith('/media/') ||
  path.startsWith('/calendar/') ||
  path === '/api' ||
  path === uploadPath;

/** Answers what is not a page. Undefined: Astro's turn. */
export function answerOutsideAstro(request: Request, path: string): Response | Promise<Response> | undefined {
  if (!isOutsideAstro(path)) return undefined;
  if (path.startsWith('/media/')) return answerMedia(request, path);
  if (path.startsWith('/calendar/')) return answerPrivateCalendar(request, path);
  if (path === uploadPath) return answerUploadForm(request);
  return api.handle(request);
}

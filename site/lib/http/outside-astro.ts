import { api } from '#api/app.ts';
import { answerPrivateCalendar } from '#api/events/private-calendar.ts';
import { answerMedia } from '#api/media/routes.ts';
import { answerUploadForm, uploadFormAt } from '../admin/upload-form.ts';

/** True for what is not a page: `/api/*`, `/media/*`, private calendars and the forms that send a file. */
export const isOutsideAstro = (path: string): boolean =>
  path.startsWith('/api/') ||
  path.startsWith('/media/') ||
  path.startsWith('/calendar/') ||
  path === '/api' ||
  uploadFormAt(path) !== undefined;

/** Answers what is not a page. Undefined: Astro's turn. */
export function answerOutsideAstro(request: Request, path: string): Response | Promise<Response> | undefined {
  if (!isOutsideAstro(path)) return undefined;
  if (path.startsWith('/media/')) return answerMedia(request, path);
  if (path.startsWith('/calendar/')) return answerPrivateCalendar(request, path);
  const uploadForm = uploadFormAt(path);
  if (uploadForm) return answerUploadForm(request, uploadForm);
  return api.handle(request);
}

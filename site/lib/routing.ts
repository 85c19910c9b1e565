import { api } from '#api/app.ts';
import { answerMedia } from '#api/media/routes.ts';

/** Answers what is not a page: `/api/*` and `/media/*`. Undefined: Astro's turn. */
export function answerOutsideAstro(request: Request, path: string): Response | Promise<Response> | undefined {
  if (path === '/api' || path.startsWith('/api/')) return api.handle(request);
  if (path.startsWith('/media/')) return answerMedia(request, path);
  return undefined;
}

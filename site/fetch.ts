// What astro-i18next asks Astro to run before every page; feeds, calls and letters have words as well, and may come first.
import 'astro:scripts/page-ssr.js';
import { astro, FetchState } from 'astro/fetch';
import { answerOutsideAstro } from './lib/http/outside-astro.ts';
import { knowsPolicy } from './lib/pages/page-policy.ts';
import { languageOf } from './lib/routes/request-language.ts';

// Behind our own entry the database is open before the first request; `astro dev` has no such entry.
if (import.meta.env.DEV) await import('./lib/http/dev-database.ts');

/** The request pipeline, the same in `astro dev` and behind our entry: API and media first, pages by Astro. */
export default {
  async fetch(request: Request): Promise<Response> {
    const other = answerOutsideAstro(request, new URL(request.url).pathname);
    if (other) return other;
    const state = new FetchState(request);
    state.locals = { lang: languageOf(new URL(request.url), request.headers.get('accept-language')) };
    // The page cache takes whole pages; in pieces each of them would cost a quarter more.
    state.streaming = false;
    if (knowsPolicy()) state.shouldInjectCspMetaTags = false;
    const answer = atItsStatus(await astro(state));
    // Astro leaves the character set out.
    if (answer.headers.get('content-type') === 'text/html')
      answer.headers.set('content-type', 'text/html; charset=utf-8');
    return answer;
  },
};

/** Astro answers every error page with 500; ours says by `Retry-After` that it may be tried again (`middleware.ts`). */
function atItsStatus(answer: Response): Response {
  const { status, headers, body } = answer;
  return status === 500 && headers.has('retry-after') ? new Response(body, { status: 503, headers }) : answer;
}

import { Elysia } from 'elysia';
import { hasCredentials } from './session.ts';

interface Read {
  /** Seconds a browser may keep it without asking; 0: it asks each time and gets 304 when nothing changed. */
  maxAge?: number;
  /** The answer knows who asks: with credentials it is private. */
  personal?: boolean;
}

/**
 * Public reads (quality §Safe 14): `read: {}` on a route makes its JSON public with a weak ETag and answers 304.
 * Everything else is `private, no-store` by `api/app.ts`.
 */
export const reads = new Elysia({ name: 'reads' }).macro({
  read: ({ maxAge = 0, personal = false }: Read) => ({
    mapResponse({ responseValue, request, set }) {
      if (responseValue instanceof Response || responseValue instanceof Error) return;
      if (typeof set.status === 'number' && set.status !== 200) return;
      if (personal && hasCredentials(request)) return;
      const body = JSON.stringify(responseValue);
      const etag = `W/"${Bun.hash(body).toString(36)}"`;
      const headers = new Headers({
        'cache-control': maxAge > 0 ? `public, max-age=${maxAge}` : 'public, max-age=0, must-revalidate',
        etag,
      });
      if (personal) headers.set('vary', 'Authorization, Cookie');
      for (const [name, value] of Object.entries(set.headers)) {
        if (!headers.has(name) && value !== undefined) headers.set(name, String(value));
      }
      if (matches(request.headers.get('if-none-match'), etag))
        return new Response(null, { status: 304, headers });
      headers.set('content-type', 'application/json; charset=utf-8');
      return new Response(body, { headers });
    },
  }),
});

/** Weak comparison of RFC 9110 §13.1.2. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag.slice(2));
}

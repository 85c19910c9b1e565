/** Seconds after its time for which a page is still better than none. */
export const staleIfError = 86_400;

/**
 * Seconds after its time for which an edge may answer a page while it asks anew. Shorter than our own: an edge may be told nothing of
 * a write in the moment of a crash (decision W9).
 */
const staleAtEdge = 600;

/** What `CDN-Cache-Control` says of a life in seconds (RFC 9213, RFC 5861). */
export const edgeControl = ({ maxAge, swr }: { maxAge: number; swr: number }): string =>
  `max-age=${Math.max(0, Math.floor(maxAge))}, stale-while-revalidate=${Math.min(swr, staleAtEdge)}, stale-if-error=${staleIfError}`;

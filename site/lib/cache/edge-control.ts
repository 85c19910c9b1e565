/** Seconds after its time for which a page is still better than none. */
export const staleIfError = 86_400;

/**
 * An edge may answer a page while it asks anew for at most so many times as long as it is fresh. That is shorter than our own time: an
 * edge may be told nothing of a write in the moment of a crash (decision W9).
 */
const staleFactor = 10;

/** What `CDN-Cache-Control` says of a life in seconds (RFC 9213, RFC 5861). */
export const edgeControl = ({ maxAge, swr }: { maxAge: number; swr: number }): string =>
  `max-age=${Math.max(0, Math.floor(maxAge))}, stale-while-revalidate=${Math.min(swr, Math.floor(staleFactor * maxAge))}, stale-if-error=${staleIfError}`;

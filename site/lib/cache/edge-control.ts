/** Seconds after its time for which a page is still better than none. */
export const staleIfError = 86_400;

/** What `CDN-Cache-Control` says of a life in seconds (RFC 9213, RFC 5861). */
export const edgeControl = ({ maxAge, swr }: { maxAge: number; swr: number }): string =>
  `max-age=${Math.max(0, Math.floor(maxAge))}, stale-while-revalidate=${swr}, stale-if-error=${staleIfError}`;

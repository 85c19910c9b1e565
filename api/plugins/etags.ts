/** A weak entity tag: the same for all codings of a body, which differ in their bytes (RFC 9110 §8.8.3). */
export const etagOf = (body: Uint8Array): string => `W/"${Bun.hash(body).toString(36)}"`;

/** Whether a request has the body already: the weak comparison of `If-None-Match` (RFC 9110 §13.1.2). */
export function matchesEtag(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match');
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag.slice(2));
}

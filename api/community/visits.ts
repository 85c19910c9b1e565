import { isbot } from 'isbot';

/** Programs in a person's hands, which `isbot` counts among the robots: they call what somebody told them to. */
const tools =
  /^(?:bun|node|deno|undici|curl|wget|httpie|python|aiohttp|okhttp|axios|got|k6|postman|insomnia|go-http-client)\b|\bHeadlessChrome\//i;

/**
 * True when a person came, who may be the first in a channel (decision C1): no crawler, no preview, no prefetch, no HEAD.
 */
export function isVisit(request: Request): boolean {
  const { headers, method } = request;
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name) ?? '');
  if (method === 'HEAD' || purpose.some((each) => /prefetch|prerender|preview/i.test(each))) return false;
  const agent = headers.get('user-agent') ?? '';
  return !isbot(agent) || tools.test(agent);
}

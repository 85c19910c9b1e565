import '#api/metrics.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { config } from '#api/config.ts';
import { clientAddress } from '#api/plugins/client.ts';
import { metrics } from '#db/metrics.ts';
import './process-metrics.ts';

const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** `/metrics` in Prometheus' text, for whoever has the token, or without one for this machine. Anybody else gets 404. */
export async function answerMetrics(request: Request): Promise<Response> {
  const isGranted = isAllowed(request);
  return new Response(isGranted ? await metrics.metrics() : 'Not Found', {
    status: isGranted ? 200 : 404,
    headers: {
      'content-type': isGranted ? metrics.contentType : 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    },
  });
}

function isAllowed(request: Request): boolean {
  const token = config().metricsToken;
  if (token) return isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`);
  // A proxy on the same machine asks for somebody else, and says so.
  const isForwarded = forwarding.some((name) => request.headers.has(name));
  return !isForwarded && ['127.0.0.1', '::1'].includes(clientAddress(request));
}

/** In a time that tells nothing about where they differ. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(sha256(given), sha256(expected));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

import { Histogram } from 'prom-client';
import { routePattern } from '#api/plugins/methods.ts';
import { workOf } from '#api/plugins/request-id.ts';
import { metrics, shortTimes } from '#db/metrics.ts';
import { traced } from '#db/tracing.ts';
import { doFor } from '#db/work.ts';
import { timeRead } from '../metrics/answer-counts.ts';
import { patternOfPage } from '../routes/match-route.ts';
import type { RenderedResponse } from './page-entry.ts';

type Render = () => Promise<RenderedResponse>;

const durations = new Histogram({
  name: 'byeol_page_render_seconds',
  help: 'Time to make a page for everyone.',
  labelNames: ['route'],
  buckets: shortTimes,
  registers: [metrics],
});

/**
 * Makes a page for everyone who waits for it.
 * @param key of `pageKey`
 */
export function observePage(request: Request, key: string, render: Render): Promise<RenderedResponse> {
  const route = patternOfPage(key.split(/[? ]/, 1)[0] ?? '');
  const time = (seconds: number) => durations.observe({ route }, seconds);
  return observeRender(request, { name: `render ${route}`, route, time }, render);
}

/** The same for a public read of the API. */
export function observeRead(request: Request, path: string, render: Render): Promise<RenderedResponse> {
  const route = routePattern('GET', path) ?? 'unknown';
  const time = (seconds: number) => timeRead(route, seconds);
  return observeRender(request, { name: `GET ${route}`, route, time }, render);
}

/** What a render is called in traces, and where its seconds go. */
interface Observed {
  name: string;
  route: string;
  time(seconds: number): void;
}

/**
 * Makes something timed and under the id of who asked first. It has no id in its headers, because it is kept and given to others; a
 * failure has.
 */
function observeRender(
  request: Request,
  { name, route, time }: Observed,
  render: Render,
): Promise<RenderedResponse> {
  const work = workOf(request);
  return doFor(work, async () => {
    const startedAt = performance.now();
    const rendered = await traced(
      name,
      'server',
      { 'http.request.method': 'GET', 'http.route': route, 'byeol.request_id': work.requestId },
      render,
      ({ status }) => ({ 'http.response.status_code': status }),
    );
    time((performance.now() - startedAt) / 1000);
    return rendered.status < 500
      ? rendered
      : { ...rendered, headers: { ...rendered.headers, 'x-request-id': work.requestId } };
  });
}

import { Histogram } from 'prom-client';
import { workOf } from '#api/plugins/request-id.ts';
import { metrics, shortTimes } from '#db/metrics.ts';
import { traced } from '#db/tracing.ts';
import { doFor } from '#db/work.ts';
import type { RenderedResponse } from '../cache/page-entry.ts';
import { patternOfPage } from '../routes/match-route.ts';

const durations = new Histogram({
  name: 'byeol_page_render_seconds',
  help: 'Time to make a page for everyone.',
  labelNames: ['route'],
  buckets: shortTimes,
  registers: [metrics],
});

/**
 * Makes a page for everyone who waits for it, timed and under the id of who asked first. A page has no id in its headers, because it
 * is kept and given to others; a failure has.
 * @param key of `pageKey`
 */
export function observeRender(
  request: Request,
  key: string,
  render: () => Promise<RenderedResponse>,
): Promise<RenderedResponse> {
  const route = patternOfPage(key.split(/[? ]/, 1)[0] ?? '');
  const work = workOf(request);
  return doFor(work, async () => {
    const endTimer = durations.startTimer({ route });
    const rendered = await traced(
      `render ${route}`,
      'server',
      { 'http.request.method': 'GET', 'http.route': route, 'byeol.request_id': work.requestId },
      render,
      ({ status }) => ({ 'http.response.status_code': status }),
    );
    endTimer();
    return rendered.status < 500
      ? rendered
      : { ...rendered, headers: { ...rendered.headers, 'x-request-id': work.requestId } };
  });
}

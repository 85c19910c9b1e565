import { Counter, Histogram } from 'prom-client';
import { metrics, shortTimes } from '#db/metrics.ts';
import { type MatchedRoute, patternOf } from '../routes/match-route.ts';

/** How often one route was answered with which status: plain numbers, which a hot page has time for, and prom-client reads. */
class StatusCounts {
  readonly counts = new Map<number, number>();

  add(status: number): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
  }
}

const countsByRoute = new Map<string, { method: string; route: string; counts: StatusCounts }>();

/** @param route a pattern, of which there are few: never an address */
function countsOf(method: string, route: string): StatusCounts {
  const key = `${method} ${route}`;
  const known = countsByRoute.get(key);
  if (known) return known.counts;
  const counts = new StatusCounts();
  countsByRoute.set(key, { method, route, counts });
  return counts;
}

new Counter({
  name: 'byeol_http_requests_total',
  help: 'Requests answered, by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  registers: [metrics],
  collect() {
    this.reset();
    for (const { method, route, counts } of countsByRoute.values())
      for (const [status, count] of counts.counts) this.inc({ method, route, status }, count);
  },
});

const durations = new Histogram({
  name: 'byeol_http_request_seconds',
  help: 'Time to the answer of requests that are answered for themselves: calls, personal pages, files that are made. Of public reads, to make one.',
  labelNames: ['method', 'route'],
  buckets: shortTimes,
  registers: [metrics],
});

/** Of built files, and of pages by their row. */
const fileCounts = countsOf('GET', 'file');
const pageCounts = new Map<MatchedRoute | undefined, StatusCounts>();

export function countFile(answer: Response): Response {
  fileCounts.add(answer.status);
  return answer;
}

/** Counts the answer of a page for everyone, as it is given; HEAD counts as GET. */
export function countPage<Answer extends Response | Promise<Response>>(
  route: MatchedRoute | undefined,
  answer: Answer,
): Answer;
export function countPage(
  route: MatchedRoute | undefined,
  answer: Response | Promise<Response>,
): Response | Promise<Response> {
  let counts = pageCounts.get(route);
  if (!counts) {
    counts = countsOf('GET', patternOf(route));
    pageCounts.set(route, counts);
  }
  return countInto(counts, answer);
}

/** Counts the answer of a public read of the API. */
export const countRead = (
  route: string,
  answer: Response | Promise<Response>,
): Response | Promise<Response> => countInto(countsOf('GET', route), answer);

function countInto(counts: StatusCounts, answer: Response | Promise<Response>): Response | Promise<Response> {
  if (answer instanceof Response) {
    counts.add(answer.status);
    return answer;
  }
  return answer.then(
    (response) => {
      counts.add(response.status);
      return response;
    },
    (error: unknown) => {
      counts.add(500);
      throw error;
    },
  );
}

/** A public read that was made: its answers, which come from memory, are counted by `countRead`. */
export const timeRead = (route: string, seconds: number): void =>
  durations.observe({ method: 'GET', route }, seconds);

/** @param seconds until the answer began */
export function countAnswer(method: string, route: string, status: number, seconds: number): void {
  countsOf(method, route).add(status);
  durations.observe({ method, route }, seconds);
}

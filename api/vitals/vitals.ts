import { Counter, Histogram } from 'prom-client';
import { log } from '#db/log.ts';
import { metrics } from '#db/metrics.ts';
import { TooManyRequests } from '../errors.ts';
import { clientAddress } from '../plugins/client.ts';
import { networkOf } from '../plugins/rate-limits.ts';
import type { VisitInput } from './model.ts';

const registers = [metrics];
const labelNames = ['page'];

const visits = new Counter({
  name: 'byeol_client_visits_total',
  help: 'Visits that were measured in a browser.',
  labelNames,
  registers,
});
const errors = new Counter({
  name: 'byeol_client_errors_total',
  help: 'Errors of scripts in visits that were measured.',
  labelNames: ['page', 'kind'],
  registers,
});
const lcp = new Histogram({
  name: 'byeol_client_lcp_seconds',
  help: 'Largest Contentful Paint of visits that were measured.',
  labelNames,
  buckets: [0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 10, 20],
  registers,
});
const inp = new Histogram({
  name: 'byeol_client_inp_seconds',
  help: 'Interaction to Next Paint of visits that were measured.',
  labelNames,
  buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5],
  registers,
});
const cls = new Histogram({
  name: 'byeol_client_cls',
  help: 'Cumulative Layout Shift of visits that were measured.',
  labelNames,
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1],
  registers,
});

/** What an error may be called in the log: anything else could be somebody's words. */
const classPattern = /^[A-Z]\w{1,39}$/;

/** Counts a visit (§7 Measuring). Nothing of it is kept but the counts, and of errors few lines of the log. */
export function countVisit({ page, errors: failures, ...vitals }: VisitInput): void {
  visits.inc({ page });
  if (vitals.lcp !== undefined) lcp.observe({ page }, vitals.lcp / 1000);
  if (vitals.inp !== undefined) inp.observe({ page }, vitals.inp / 1000);
  if (vitals.cls !== undefined) cls.observe({ page }, vitals.cls);
  for (const { kind, name, at } of failures) {
    errors.inc({ page, kind });
    if (!isNews(`${page} ${kind} ${at}`)) continue;
    log.warn(
      { page, kind, at, name: name && classPattern.test(name) ? name : undefined },
      'a script failed in a browser',
    );
  }
}

/** Visits that a process counts in a minute: of one network, which many phones share, and of all. */
const mostVisits = { network: 60, all: 3_000 };
/** Errors that a process writes into its log in a minute: anybody can make them up, and each line is written while all wait. */
const mostLines = 20;
const windowLength = 60_000;
const minuteUntil = (endsAt: number) => ({
  endsAt,
  all: 0,
  networks: new Map<string, number>(),
  failures: new Set<string>(),
});
let minute = minuteUntil(0);

/** Whether an error is news in this minute, as one at the same place is once. */
function isNews(failure: string): boolean {
  const { failures } = minute;
  if (failures.has(failure) || failures.size >= mostLines) return false;
  failures.add(failure);
  return true;
}

/**
 * A `beforeHandle`: who floods the figures is refused. Counted in this process and forgotten with the minute: a row for each visit would cost
 * more than the visit, and would remember an address.
 * @throws TooManyRequests with the seconds that are left
 */
export function limitVisits({ request }: { request: Request }): void {
  const now = Date.now();
  if (now >= minute.endsAt) minute = minuteUntil(now + windowLength);
  const network = networkOf(clientAddress(request));
  const count = (minute.networks.get(network) ?? 0) + 1;
  if (minute.all >= mostVisits.all || count > mostVisits.network)
    throw new TooManyRequests(Math.ceil((minute.endsAt - now) / 1000));
  minute.all += 1;
  minute.networks.set(network, count);
}

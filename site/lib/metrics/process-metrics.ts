import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge } from 'prom-client';
import { metrics } from '#db/metrics.ts';

const registers = [metrics];
const nanosecondsPerSecond = 1e9;

/** Those of prom-client's defaults that Bun has true values for, by the names that dashboards of others know. */
new Gauge({
  name: 'process_resident_memory_bytes',
  help: 'Resident memory size in bytes.',
  registers,
  collect() {
    this.set(process.memoryUsage.rss());
  },
});

new Counter({
  name: 'process_cpu_seconds_total',
  help: 'Total user and system CPU time spent in seconds.',
  registers,
  collect() {
    const { user, system } = process.cpuUsage();
    this.reset();
    this.inc((user + system) / 1e6);
  },
});

new Gauge({
  name: 'process_start_time_seconds',
  help: 'Start time of the process since unix epoch in seconds.',
  registers,
}).set(Math.round((Date.now() - performance.now()) / 1000));

let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

/** Begins to measure how late the event loop comes to what is due. */
export function watchEventLoop(): void {
  if (delays) return;
  delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
}

new Gauge({
  name: 'byeol_event_loop_delay_seconds',
  help: 'How late the event loop came to what was due since the last scrape.',
  labelNames: ['quantile'],
  registers,
  collect() {
    if (!delays || delays.count === 0) return;
    for (const quantile of [0.5, 0.99, 1])
      this.set({ quantile }, delays.percentile(quantile * 100) / nanosecondsPerSecond);
    delays.reset();
  },
});

import type { Browser, CDPSession, Page } from '@playwright/test';

/** Lighthouse's phone: its screen, its processor, and its slow 4G as it sets that in a browser (ms, bytes per second). */
const device = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
const cpuThrottling = 4;
const slow4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };
/** A task that takes longer than this, in ms, keeps a finger waiting. */
const blockingFrom = 50;
/** After this long, in ms, a page does and asks for no more by itself. */
const settleTime = 1_000;

/** Milliseconds, but for counts, kilobytes and the unitless shift. */
export interface Figures {
  blocking: number;
  styleAndLayout: number;
  script: number;
  requests: number;
  kilobytes: number;
  fcp: number;
  lcp: number;
  cls: number;
}

type Paints = Pick<Figures, 'fcp' | 'lcp' | 'cls'>;

/** What a page says and its largest picture, for the bare page beside it. */
export interface PageContent {
  words: readonly string[];
  hero: { src: string; width: number; height: number } | undefined;
}

/** Opens the page in a browser that has nothing of it yet. */
async function visit<Result>(
  browser: Browser,
  url: string,
  before: (session: CDPSession, page: Page) => Promise<unknown>,
  after: (session: CDPSession, page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(device);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.addInitScript(() => {
      const observed = { lcp: 0, cls: 0, hero: undefined as unknown };
      Object.assign(window, { noted: observed });
      const watch = (type: string, record: (entry: PerformanceEntry) => void) =>
        new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({
          type,
          buffered: true,
        });
      watch('largest-contentful-paint', (entry) => {
        observed.lcp = entry.startTime;
        const element = 'element' in entry ? entry.element : undefined;
        observed.hero =
          element instanceof HTMLImageElement
            ? { src: element.currentSrc, width: element.clientWidth, height: element.clientHeight }
            : undefined;
      });
      watch('layout-shift', (entry) => {
        if ('value' in entry) observed.cls += Number(entry.value);
      });
    });
    await before(session, page);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(settleTime);
    return await after(session, page);
  } finally {
    await context.close();
  }
}

/** What the bare page must show, too. */
export function readContent(browser: Browser, url: string): Promise<PageContent> {
  return visit(
    browser,
    url,
    () => Promise.resolve(),
    async (_, page) => ({
      words: await page
        .locator('main')
        .locator('h1, h2, h3, p, li:not(:has(p, h2, h3, li))')
        .allTextContents(),
      hero: await page.evaluate(() => Reflect.get(window, 'noted').hero as PageContent['hero']),
    }),
  );
}

/** One visit for what the processor does, one for what a person waits for. */
export async function measureVisit(browser: Browser, url: string): Promise<Figures> {
  return { ...(await work(browser, url)), ...(await paints(browser, url)) };
}

/** By the clock, on a slowed processor and network: it tells only beside a bare page in the same minutes. */
function paints(browser: Browser, url: string): Promise<Paints> {
  return visit(
    browser,
    url,
    async (session) => {
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', slow4G);
      await session.send('Emulation.setCPUThrottlingRate', { rate: cpuThrottling });
    },
    (_, page) =>
      page.evaluate(() => {
        const { lcp, cls } = Reflect.get(window, 'noted') as { lcp: number; cls: number };
        return { fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, lcp, cls };
      }),
  );
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Its time by the clock, and the processor time of its thread, in µs. */
  dur?: number;
  tdur?: number;
  args?: { beginData?: { url?: string } };
}

const isTraceEvent = (value: unknown): value is TraceEvent =>
  typeof value === 'object' && value !== null && 'name' in value && 'ts' in value;

/**
 * The processor time of the page's main thread, four times: unlike the clock, and unlike a processor that is slowed by force,
 * it is the same on a machine that does other things.
 */
function work(browser: Browser, url: string): Promise<Omit<Figures, keyof Paints>> {
  const events: TraceEvent[] = [];
  let requests = 0;
  let bytes = 0;
  return visit(
    browser,
    url,
    async (session, page) => {
      page.on('request', () => (requests += 1));
      await session.send('Network.enable');
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      session.on('Tracing.dataCollected', ({ value }) => {
        value.forEach((each: unknown) => {
          if (isTraceEvent(each)) events.push(each);
        });
      });
      const includedCategories = [
        'devtools.timeline',
        'disabled-by-default-devtools.timeline',
        'disabled-by-default-v8.compile',
        'loading',
      ];
      await session.send('Tracing.start', {
        transferMode: 'ReportEvents',
        traceConfig: { includedCategories },
      });
    },
    async (session) => {
      const { metrics } = await session.send('Performance.getMetrics');
      const processorTime = (...names: string[]) =>
        metrics.reduce(
          (sum, { name, value }) => (names.includes(name) ? sum + value * 1000 * cpuThrottling : sum),
          0,
        );
      const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
      await session.send('Tracing.end');
      await complete;
      return {
        blocking: blockingOf(events, new URL(url).origin),
        styleAndLayout: processorTime('LayoutDuration', 'RecalcStyleDuration'),
        script: processorTime('ScriptDuration'),
        requests,
        kilobytes: bytes / 1000,
      };
    },
  );
}

/**
 * V8 reads a whole function again to say where an error was made, where a program such as ours listens (React's file makes three as it
 * starts, which takes 50 ms of a slow phone): nobody's phone does.
 */
const inspection = 'V8.CollectSourcePositions';

/** Lighthouse's total blocking time: what tasks after the first paint take beyond 50 ms each. */
function blockingOf(events: readonly TraceEvent[], origin: string): number {
  const parsing = events.find(
    ({ name, args }) => name === 'ParseHTML' && args?.beginData?.url?.startsWith(origin),
  );
  const paint = events.findLast(({ name }) => name === 'firstContentfulPaint');
  if (!parsing || !paint) throw new Error('the trace holds no page that was painted');
  const onMainThread = events.filter(
    ({ ph, pid, tid, ts }) => ph === 'X' && pid === parsing.pid && tid === parsing.tid && ts > paint.ts,
  );
  const inspections = onMainThread.filter(({ name }) => name === inspection);
  return onMainThread
    .filter(({ name }) => name === 'RunTask')
    .map(({ ts, dur = 0, tdur = 0 }) =>
      inspections
        .filter((each) => each.ts >= ts && each.ts < ts + dur)
        .reduce((rest, each) => rest - (each.tdur ?? 0), tdur),
    )
    .reduce((sum, time) => sum + Math.max(0, (time / 1000) * cpuThrottling - blockingFrom), 0);
}

/**
 * `bun run bench --only phone`: what each kind of page costs a slow phone (quality §Speed), beside the same words and the same
 * hero picture as plain HTML, each the median of five.
 */
import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../kit/browser-program.ts';
import { leaveTestCluster } from '../kit/cluster.ts';
import { startTestServer } from '../kit/server.ts';
import { type Figures, measureVisit, readContent } from './page-visit.ts';
import { servePlain } from './plain-page.ts';
import { median } from './processes.ts';

const rounds = 5;
const kinds = {
  feed: '/ko',
  article: '/ko/article/1',
  star: '/ko/star/1',
  category: '/ko/category/k-pop-group',
  search: '/ko/search?q=a',
  event: '/ko/events/1',
  calendar: '/ko/events',
  upcoming: '/ko/events?tab=upcoming',
  trending: '/ko/events?tab=trending',
  channels: '/ko/community',
  channel: '/ko/community/1',
};
/** Name, unit, the most that it may be, decimals. */
const columns = [
  ['blocking', ' ms', 50, 0],
  ['styleAndLayout', ' ms', 300, 0],
  ['script', ' ms', undefined, 0],
  ['requests', '', 20, 0],
  ['kilobytes', ' kB', undefined, 0],
  ['fcp', ' ms', undefined, 0],
  ['lcp', ' ms', undefined, 0],
  ['cls', '', 0.02, 3],
] as const satisfies readonly (readonly [keyof Figures, string, number | undefined, number])[];
const maxLcpRatio = 1.2;

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];

/** Prints the figures of every kind of page, where there is a browser to take them with. */
export async function benchPhone(): Promise<void> {
  const executablePath = findBrowser();
  if (!executablePath) {
    console.log('No Chromium or Chrome is installed: the figures of a phone are left out.');
    return;
  }
  const server = await startTestServer();
  const browser = await chromium.launch({ executablePath, args });
  try {
    console.log(`slow phone, median of ${rounds}, each with bare HTML behind it\n`);
    for (const [kind, path] of Object.entries(kinds)) await compare(browser, kind, server.url + path);
  } finally {
    await browser.close();
    await server.stop();
    await leaveTestCluster();
  }
}

/** One kind of page and its bare twin in turn, so that both meet the same machine. */
async function compare(browser: Browser, kind: string, url: string): Promise<void> {
  // The cache compresses a page tightest once it is asked for often.
  for (let times = 0; times < 5; times += 1)
    await (await fetch(url, { headers: { 'accept-encoding': 'br' } })).arrayBuffer();
  const bare = await servePlain(url, await readContent(browser, url));
  const ourVisits: Figures[] = [];
  const bareVisits: Figures[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      ourVisits.push(await measureVisit(browser, url));
      bareVisits.push(await measureVisit(browser, bare.url));
    }
  } finally {
    await bare.stop();
  }
  const medianOf = (visits: readonly Figures[], name: keyof Figures) =>
    median(visits.map((figures) => figures[name]));
  const cells = columns.map(([name, unit, limit, digits]) => {
    const value = medianOf(ourVisits, name);
    const overLimit = limit !== undefined && value > limit ? ` (aim ≤ ${limit})` : '';
    return `${name} ${value.toFixed(digits)} / ${medianOf(bareVisits, name).toFixed(digits)}${unit}${overLimit}`;
  });
  const ratio = median(ourVisits.map(({ lcp }, round) => lcp / (bareVisits[round]?.lcp ?? Number.NaN)));
  const overLcpRatio = ratio > maxLcpRatio ? ` (aim ≤ ${maxLcpRatio})` : '';
  console.log(`${kind.padEnd(9)} ${cells.join(' · ')} · lcp of bare ${ratio.toFixed(2)}${overLcpRatio}`);
}

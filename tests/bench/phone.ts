/**
 * `bun run bench --only phone`: what each kind of page costs a slow phone (quality §Speed), beside the same words and the same
 * hero picture as plain HTML, each the median of five.
 */
import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../kit/browser-program.ts';
import { leaveTestCluster } from '../kit/cluster.ts';
import { startTestServer } from '../kit/server.ts';
import { type Figures, look, take } from './page-visit.ts';
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
const mostOfBareLcp = 1.2;

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
  // The cache presses a page as tight as it does once it is asked for often.
  for (let times = 0; times < 5; times += 1)
    await (await fetch(url, { headers: { 'accept-encoding': 'br' } })).arrayBuffer();
  const bare = await servePlain(url, await look(browser, url));
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await take(browser, url));
      theirs.push(await take(browser, bare.url));
    }
  } finally {
    await bare.stop();
  }
  const middle = (rows: readonly Figures[], name: keyof Figures) =>
    median(rows.map((figures) => figures[name]));
  const cells = columns.map(([name, unit, most, digits]) => {
    const value = middle(ours, name);
    const over = most !== undefined && value > most ? ` (aim ≤ ${most})` : '';
    return `${name} ${value.toFixed(digits)} / ${middle(theirs, name).toFixed(digits)}${unit}${over}`;
  });
  const ratio = median(ours.map(({ lcp }, round) => lcp / (theirs[round]?.lcp ?? Number.NaN)));
  const late = ratio > mostOfBareLcp ? ` (aim ≤ ${mostOfBareLcp})` : '';
  console.log(`${kind.padEnd(9)} ${cells.join(' · ')} · lcp of bare ${ratio.toFixed(2)}${late}`);
}

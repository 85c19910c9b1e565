import {
  findSource,
  insertSource,
  listSources,
  makeSourceDue,
  type NewSource,
  type SourceRow,
  updateSource,
} from '#db/queries/newsroom/sources.ts';
import { hasUnsafeCharacters, looksBlank, normalizeText } from '../accounts/names.ts';
import { BadInput, Conflict, NotFound } from '../errors.ts';
import { enqueue } from '../jobs/jobs.ts';
import { refuseUnreachable } from '../media/guarded-fetch.ts';
import { parseAddress } from '../web-address.ts';
import type { FeedEntry } from './feed.ts';
import { fetchSource, scheduleSweep } from './jobs.ts';
import { problemOf } from './problem.ts';

/** All sources with their health, those in trouble first. */
export function readSources(): Promise<SourceRow[]> {
  return listSources();
}

/** What a test of a feed found: its newest entries, or in one sentence what is wrong. */
type SourceTest =
  | {
      ok: true;
      title: string;
      entries: Pick<FeedEntry, 'title' | 'url' | 'publishedAt'>[];
      fullText: boolean;
    }
  | { ok: false; code: string; message: string };

/**
 * Reads a feed once, as the newsroom would, and stores nothing.
 * @throws BadInput for what is no address of a feed
 */
export async function testSource(feedUrl: string): Promise<SourceTest> {
  const url = checkAddress(feedUrl);
  const [{ crawl }, { readFeedFile }] = await Promise.all([import('./crawl.ts'), import('./feed.ts')]);
  try {
    const answer = await crawl(url, { maxWait: 10_000 });
    const feed = await readFeedFile(answer, new Date());
    return {
      ok: true,
      title: feed.title,
      entries: feed.entries
        .slice(0, 5)
        .map(({ title, url: link, publishedAt }) => ({ title, url: link, publishedAt })),
      fullText: feed.entries.every(({ text }) => text.length >= 400),
    };
  } catch (error) {
    return { ok: false, ...problemOf(error) };
  }
}

/**
 * Adds a source; it is read at once.
 * @throws BadInput, Conflict when the feed is known already
 */
export async function addSource(source: NewSource, editorId: number): Promise<SourceRow> {
  const outlet = readOutlet(source.outlet);
  checkInterval(source.intervalMinutes);
  const feedUrl = checkAddress(source.feedUrl);
  checkHost(feedUrl);
  const id = await insertSource({ ...source, outlet, feedUrl }, editorId);
  if (id === undefined) throw new Conflict('known', 'This feed is a source already.', 'feedUrl');
  await enqueue(fetchSource, { sourceId: id }, { key: `source-${id}` });
  return readSource(id);
}

/** The name of an outlet, as articles show it (decision S4). */
function readOutlet(text: string): string {
  const outlet = normalizeText(text);
  if (hasUnsafeCharacters(outlet) || looksBlank(outlet))
    throw new BadInput('outlet', 'Has characters that cannot be shown.', 'characters');
  if (outlet === '') throw new BadInput('outlet', 'Is required.', 'required');
  if (outlet.length > 80) throw new BadInput('outlet', 'An outlet has 1 to 80 characters.', 'long', 80);
  return outlet;
}

/**
 * Pauses, resumes or changes a source.
 * @throws NotFound, BadInput
 */
export async function changeSource(
  id: number,
  change: Partial<Pick<SourceRow, 'outlet' | 'state' | 'fullText' | 'intervalMinutes'>>,
  editorId: number,
): Promise<SourceRow> {
  const outlet = change.outlet === undefined ? {} : { outlet: readOutlet(change.outlet) };
  if (change.intervalMinutes !== undefined) checkInterval(change.intervalMinutes);
  const isChange = Object.values(change).some((value) => value !== undefined);
  if (isChange && !(await updateSource(id, { ...change, ...outlet }, editorId))) throw new NotFound('Source');
  if (change.state === 'active') await scheduleSweep(0);
  return readSource(id);
}

/**
 * Reads a source now instead of at its time.
 * @throws NotFound when there is none, Conflict when it is paused
 */
export async function fetchNow(id: number, editorId: number): Promise<void> {
  await readSource(id);
  if (!(await makeSourceDue(id, editorId))) throw new Conflict('paused', 'This source is paused.');
  await enqueue(fetchSource, { sourceId: id }, { key: `source-${id}` });
}

async function readSource(id: number): Promise<SourceRow> {
  const source = await findSource(id);
  if (!source) throw new NotFound('Source');
  return source;
}

function checkAddress(address: string): string {
  const text = address.trim();
  const url = parseAddress(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || text.length > 500) {
    throw new BadInput('feedUrl', 'A feed has an http or https address.', 'url');
  }
  url.hash = '';
  return url.href;
}

/** A host that nobody knows may be there tomorrow; one that the fetcher never reaches under these settings is refused. */
function checkHost(feedUrl: string): void {
  try {
    refuseUnreachable(feedUrl);
  } catch (error) {
    const { code, message } = problemOf(error);
    throw new BadInput('feedUrl', message, code);
  }
}

function checkInterval(minutes: number): void {
  if (!Number.isInteger(minutes) || minutes < 5 || minutes > 1440) {
    throw new BadInput('intervalMinutes', 'A feed is read every 5 to 1440 minutes.');
  }
}

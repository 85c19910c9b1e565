import { createHash } from 'node:crypto';
import { log } from '#db/log.ts';
import { addEmbed } from '#db/queries/admin/embeds.ts';
import { findEmbeds, findVideoSubject, type NewEmbed } from '#db/queries/articles/embeds.ts';
import { fetchCapped } from '../capped-fetch.ts';
import { config } from '../config.ts';
import { NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import { parseAddress } from '../web-address.ts';
import { toEmbed } from './articles.ts';
import { videoAddress } from './embed-address.ts';
import type { VideoSearch } from './model.ts';

const searchTimeout = 10_000;
const maxAnswerBytes = 1024 * 1024;
/** Ground of the poster until the image route has fetched it: the dark of the brand's own picture. */
const darkGround = '#1a1e28';

/**
 * Looks for one more YouTube video about an article, stores it as an embed and says so (§7 search-youtube, decision S9).
 * What it finds is in no language of ours, so it is stored as English, everybody's fallback.
 * @param actorId who asks for it, for the audit log
 * @param deadline milliseconds for everything that YouTube is asked
 * @throws NotFound when there is no such public article
 */
export async function searchVideo(
  articleId: number,
  actorId: number,
  deadline = searchTimeout,
): Promise<VideoSearch> {
  const subject = await findVideoSubject(articleId);
  if (!subject) throw new NotFound('Article');
  const { youtubeApiKey: key, youtubeBaseUrl } = config();
  if (!key) return { success: false, message: 'Video search is not set up: YOUTUBE_API_KEY is missing.' };
  let video: NewEmbed | undefined;
  try {
    const get = youTubeClient(youtubeBaseUrl, key, deadline);
    const ids = await searchIds(get, [...subject.stars, subject.title].join(' '));
    video = await readVideo(
      get,
      ids.filter((id) => !subject.embedIds.includes(id)),
    );
  } catch (error) {
    log.error({ err: error, article: articleId }, 'the search for videos failed');
    return { success: false, message: 'Search failed' };
  }
  if (!video) return { success: false, message: 'No content found' };
  const { embedId } = video;
  const stored = await addEmbed(articleId, 'en', video, actorId);
  if (stored) await invalidate([`article:${articleId}`, 'feed']);
  // Somebody else stored the same video a moment before: theirs is the answer.
  const row = stored ?? (await findEmbeds(articleId, 'en'))?.find((each) => each.embedId === embedId);
  return row
    ? { success: true, embed: toEmbed(row), message: 'Added a video.' }
    : { success: false, message: 'No content found' };
}

type YouTubeGet = (path: string, query: Record<string, string>) => Promise<unknown>;

/** Asks the YouTube Data API; all calls of one search share the deadline. The key travels in a header, not in the address. */
function youTubeClient(baseUrl: string, key: string, deadline: number): YouTubeGet {
  const signal = AbortSignal.timeout(deadline);
  return async (path, query) => {
    const address = `${baseUrl.replace(/\/+$/, '')}/youtube/v3/${path}?${new URLSearchParams(query)}`;
    const init = { headers: { 'x-goog-api-key': key, accept: 'application/json' }, signal };
    const response = await fetchCapped(address, init, maxAnswerBytes);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
}

async function searchIds(get: YouTubeGet, text: string): Promise<string[]> {
  const answer = await get('search', {
    part: 'snippet',
    type: 'video',
    videoEmbeddable: 'true',
    safeSearch: 'moderate',
    maxResults: '10',
    q: text.slice(0, 200),
  });
  return list(answer).flatMap((item) => {
    const id = textOf(field(item, 'id'), 'videoId');
    return id && /^[A-Za-z0-9_-]{11}$/.test(id) ? [id] : [];
  });
}

/** The first of the videos that exists and may be embedded, with what the platform says about it. */
async function readVideo(get: YouTubeGet, ids: readonly string[]): Promise<NewEmbed | undefined> {
  if (ids.length === 0) return undefined;
  const answer = await get('videos', { part: 'snippet,contentDetails,statistics,status', id: ids.join(',') });
  const byId = new Map(list(answer).map((item) => [textOf(item, 'id'), item]));
  for (const id of ids) {
    const item = byId.get(id);
    const title = textOf(field(item, 'snippet'), 'title')?.trim();
    if (item && title && field(field(item, 'status'), 'embeddable') !== false)
      return toNewEmbed(id, title, item);
  }
  return undefined;
}

function toNewEmbed(id: string, title: string, item: unknown): NewEmbed {
  const snippet = field(item, 'snippet');
  const duration = textOf(field(item, 'contentDetails'), 'duration');
  const views = Number(textOf(field(item, 'statistics'), 'viewCount') ?? Number.NaN);
  const published = textOf(snippet, 'publishedAt');
  const channel = textOf(snippet, 'channelTitle')?.slice(0, 200);
  const sourceUrl = posterOf(field(snippet, 'thumbnails'));
  return {
    platform: 'youtube',
    embedType: 'video',
    embedId: id,
    embedUrl: videoAddress(id),
    title: title.slice(0, 300),
    description: textOf(snippet, 'description')?.slice(0, 2000) || null,
    metadata: {
      ...(duration && /^P(?=.)(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/.test(duration)
        ? { duration }
        : {}),
      ...(channel ? { channelTitle: channel } : {}),
      ...(published && !Number.isNaN(Date.parse(published))
        ? { publishedAt: new Date(published).toISOString() }
        : {}),
      ...(Number.isSafeInteger(views) && views >= 0 ? { viewCount: views } : {}),
    },
    poster: sourceUrl
      ? {
          key: `video-${createHash('sha256').update(id).digest('hex').slice(0, 20)}`,
          sourceUrl,
          aspect: '16:9',
          placeholder: darkGround,
        }
      : undefined,
  };
}

/** The largest thumbnail that has an https address. */
function posterOf(thumbnails: unknown): string | undefined {
  return ['maxres', 'standard', 'high', 'medium', 'default']
    .map((size) => textOf(field(thumbnails, size), 'url'))
    .find((url) => url?.startsWith('https://') && parseAddress(url) !== undefined);
}

function list(answer: unknown): unknown[] {
  const items = field(answer, 'items');
  if (!Array.isArray(items)) throw new Error('the answer has no items');
  return items;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function textOf(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === 'string' ? text : undefined;
}

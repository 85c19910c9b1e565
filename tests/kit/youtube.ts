/** A stand-in for the YouTube Data API v3 on loopback: the same paths, shapes and errors, and ways to misbehave. */

export type Mood = 'works' | 'quota' | 'garbage' | 'shapeless' | 'huge' | 'silent' | 'redirects';

interface StandInVideo {
  id: string;
  title: string;
  channelTitle?: string;
  duration?: string;
  viewCount?: string;
  embeddable?: boolean;
  thumbnail?: string;
}

export interface StandIn {
  url: string;
  key: string;
  mood: Mood;
  /** Answer of the next searches. */
  videos: StandInVideo[];
  /** Searches are answered together once so many have come. */
  gathers: number;
  /** Addresses that were asked for, newest last. */
  readonly asked: string[];
  stop(): Promise<void>;
}

export function startYouTube(): StandIn {
  const asked: string[] = [];
  const key = 'stand-in-key';
  let waiting: (() => void)[] = [];
  const waitForAll = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < standIn.gathers) return;
      for (const each of waiting) each();
      waiting = [];
    });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const url = new URL(request.url);
      asked.push(url.pathname + url.search);
      const sentKey = request.headers.get('x-goog-api-key') ?? url.searchParams.get('key');
      if (!sentKey)
        return failure(403, 'PERMISSION_DENIED', 'forbidden', 'Method doesn’t allow unregistered callers.');
      if (sentKey !== key) return failure(400, 'INVALID_ARGUMENT', 'badRequest', 'API key not valid.');
      if (url.pathname.endsWith('/search')) await waitForAll();
      return misbehave(standIn.mood, url) ?? answer(url, standIn.videos);
    },
  });
  const standIn: StandIn = {
    url: server.url.origin,
    key,
    mood: 'works',
    videos: [],
    gathers: 1,
    asked,
    stop: () => server.stop(true),
  };
  return standIn;
}

function misbehave(mood: Mood, url: URL): Response | Promise<Response> | undefined {
  switch (mood) {
    case 'works':
      return undefined;
    case 'quota':
      return failure(403, 'RESOURCE_EXHAUSTED', 'quotaExceeded', 'You have exceeded your quota.');
    case 'garbage':
      return new Response('<!doctype html><title>Proxy</title>', {
        headers: { 'content-type': 'text/html' },
      });
    case 'shapeless':
      return Response.json({ kind: 'youtube#searchListResponse', items: 'none' });
    case 'huge':
      return Response.json({
        kind: 'youtube#searchListResponse',
        items: [],
        pad: 'x'.repeat(2 * 1024 * 1024),
      });
    case 'silent':
      return new Promise<Response>(() => {});
    case 'redirects':
      return Response.redirect(`${url.origin}/elsewhere`);
  }
}

function failure(code: number, status: string, reason: string, message: string): Response {
  return Response.json(
    { error: { code, message, status, errors: [{ message, domain: 'youtube.quota', reason }] } },
    { status: code },
  );
}

function answer(url: URL, videos: readonly StandInVideo[]): Response {
  if (url.pathname === '/youtube/v3/search') {
    return list(
      'youtube#searchListResponse',
      videos.map((video) => ({
        kind: 'youtube#searchResult',
        id: { kind: 'youtube#video', videoId: video.id },
        snippet: snippet(video),
      })),
    );
  }
  if (url.pathname === '/youtube/v3/videos') {
    const ids = url.searchParams.get('id')?.split(',') ?? [];
    return list(
      'youtube#videoListResponse',
      videos
        .filter(({ id }) => ids.includes(id))
        .map((video) => ({
          kind: 'youtube#video',
          id: video.id,
          snippet: snippet(video),
          contentDetails: { duration: video.duration ?? 'PT3M18S', dimension: '2d', definition: 'hd' },
          status: {
            uploadStatus: 'processed',
            privacyStatus: 'public',
            embeddable: video.embeddable ?? true,
          },
          statistics: { viewCount: video.viewCount ?? '1284310', likeCount: '10' },
        })),
    );
  }
  return failure(404, 'NOT_FOUND', 'notFound', 'Not Found');
}

const list = (kind: string, items: unknown[]) =>
  Response.json({ kind, etag: 'e', pageInfo: { totalResults: items.length, resultsPerPage: 10 }, items });

const snippet = ({
  title,
  channelTitle = 'Naru TV',
  thumbnail = 'https://i.ytimg.com/vi/x/hqdefault.jpg',
}: StandInVideo) => ({
  publishedAt: '2026-10-30T09:00:00Z',
  channelId: 'UC1',
  title,
  description: 'About it',
  channelTitle,
  thumbnails: {
    default: { url: 'https://i.ytimg.com/vi/x/default.jpg' },
    high: { url: thumbnail, width: 480, height: 360 },
  },
});

import type { EmbedPlatform } from '#db/schema/articles.ts';

export interface EmbedAddress {
  platform: EmbedPlatform;
  embedType: string;
  embedId: string;
  /** The post's own address, without what tracks. */
  embedUrl: string;
}

/** What a platform's address is made of: host, then how its path names a thing. */
const forms: readonly [RegExp, RegExp, (match: RegExpMatchArray) => EmbedAddress][] = [
  [
    /^(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com$/,
    /^\/(?:watch\?(?:.*&)?v=|shorts\/|embed\/|live\/)([\w-]{11})(?:[?&/]|$)/,
    ([, id = '']) => video(id),
  ],
  [/^youtu\.be$/, /^\/([\w-]{11})(?:[?/]|$)/, ([, id = '']) => video(id)],
  [
    /^(?:(?:www|mobile)\.)?(?:twitter|x)\.com$/,
    /^\/(\w{1,20})\/status\/(\d{5,25})(?:[?/]|$)/,
    ([, name = '', id = '']) => made('twitter', 'post', id, `https://x.com/${name}/status/${id}`),
  ],
  [
    /^(?:www\.)?instagram\.com$/,
    /^\/(?:[\w.]+\/)?(p|reel|reels)\/([\w-]{5,64})(?:[?/]|$)/,
    ([, kind = '', id = '']) =>
      kind === 'p'
        ? made('instagram', 'post', id, `https://www.instagram.com/p/${id}/`)
        : made('instagram', 'reel', id, `https://www.instagram.com/reel/${id}/`),
  ],
  [
    /^(?:(?:www|m)\.)?tiktok\.com$/,
    /^\/(@[\w.]{1,40})\/video\/(\d{5,25})(?:[?/]|$)/,
    ([, name = '', id = '']) => made('tiktok', 'video', id, `https://www.tiktok.com/${name}/video/${id}`),
  ],
  [
    /^open\.spotify\.com$/,
    /^\/(?:intl-[a-z]{2}\/)?(track|album|playlist|episode|show|artist)\/(\w{5,64})(?:[?/]|$)/,
    ([, kind = '', id = '']) => made('spotify', kind, id, `https://open.spotify.com/${kind}/${id}`),
  ],
];

const made = (
  platform: EmbedPlatform,
  embedType: string,
  embedId: string,
  embedUrl: string,
): EmbedAddress => ({
  platform,
  embedType,
  embedId,
  embedUrl,
});
const video = (id: string) => made('youtube', 'video', id, `https://www.youtube-nocookie.com/embed/${id}`);

/** The platform and id that an address names, without asking anybody; undefined when it is none that we show. */
export function readEmbedAddress(text: string): EmbedAddress | undefined {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.port) return undefined;
  for (const [host, path, read] of forms) {
    const match = host.test(url.hostname) ? (url.pathname + url.search).match(path) : null;
    if (match) return read(match);
  }
  return undefined;
}

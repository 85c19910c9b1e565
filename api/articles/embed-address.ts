import { type EmbedPlatform, embedPlatforms } from '#content/embed-platforms.ts';
import { parseAddress } from '../web-address.ts';

interface EmbedAddress {
  platform: EmbedPlatform;
  embedType: string;
  embedId: string;
  /** The post's own address, without what tracks. */
  embedUrl: string;
}

type AddressPattern = readonly [host: RegExp, path: RegExp, read: (match: RegExpMatchArray) => EmbedParts];
type EmbedParts = Omit<EmbedAddress, 'platform'>;

/** The player's own page of a video of YouTube, at the host that keeps least. */
export const videoAddress = (id: string) => `https://www.youtube-nocookie.com/embed/${id}`;

const embedParts = (embedType: string, embedId: string, embedUrl: string): EmbedParts => ({
  embedType,
  embedId,
  embedUrl,
});
const video = (id: string) => embedParts('video', id, videoAddress(id));

/** What a platform's addresses are made of: host, then how its path names a thing. */
const addressPatterns: Record<EmbedPlatform, readonly AddressPattern[]> = {
  youtube: [
    [
      /^(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com$/,
      /^\/(?:watch\?(?:.*&)?v=|shorts\/|embed\/|live\/)([\w-]{11})(?:[?&/]|$)/,
      ([, id = '']) => video(id),
    ],
    [/^youtu\.be$/, /^\/([\w-]{11})(?:[?/]|$)/, ([, id = '']) => video(id)],
  ],
  twitter: [
    [
      /^(?:(?:www|mobile)\.)?(?:twitter|x)\.com$/,
      /^\/(\w{1,20})\/status\/(\d{5,25})(?:[?/]|$)/,
      ([, name = '', id = '']) => embedParts('post', id, `https://x.com/${name}/status/${id}`),
    ],
  ],
  instagram: [
    [
      /^(?:www\.)?instagram\.com$/,
      /^\/(?:[\w.]+\/)?(p|reel|reels)\/([\w-]{5,64})(?:[?/]|$)/,
      ([, kind = '', id = '']) =>
        kind === 'p'
          ? embedParts('post', id, `https://www.instagram.com/p/${id}/`)
          : embedParts('reel', id, `https://www.instagram.com/reel/${id}/`),
    ],
  ],
  tiktok: [
    [
      /^(?:(?:www|m)\.)?tiktok\.com$/,
      /^\/(@[\w.]{1,40})\/video\/(\d{5,25})(?:[?/]|$)/,
      ([, name = '', id = '']) => embedParts('video', id, `https://www.tiktok.com/${name}/video/${id}`),
    ],
  ],
  spotify: [
    [
      /^open\.spotify\.com$/,
      /^\/(?:intl-[a-z]{2}\/)?(track|album|playlist|episode|show|artist)\/(\w{5,64})(?:[?/]|$)/,
      ([, kind = '', id = '']) => embedParts(kind, id, `https://open.spotify.com/${kind}/${id}`),
    ],
  ],
};

/** The platform and id that an address names, without asking anybody; undefined when it is none that we show. */
export function readEmbedAddress(text: string): EmbedAddress | undefined {
  const trimmed = text.trim();
  const url = parseAddress(trimmed);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.port) return undefined;
  for (const platform of embedPlatforms) {
    for (const [host, path, read] of addressPatterns[platform]) {
      const match = host.test(url.hostname) ? (url.pathname + url.search).match(path) : null;
      if (match) return { platform, ...read(match) };
    }
  }
  return undefined;
}

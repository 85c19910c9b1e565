import { keysOf } from './keys.ts';

export interface EmbedPlatformEntry {
  /** Its own name, the same in every language. */
  name: string;
  /** What opening it does: play moving pictures, listen, or show a post. */
  does: 'play' | 'listen' | 'show';
  id: RegExp;
  /** Address of the player, from the host that keeps least; contacted only after a click (decision M3). */
  player(id: string, type: string): string;
}

/** The only list of platforms whose posts and players stories show. It travels to readers, so what only the server knows stays out. */
export const embedPlatformEntries = {
  youtube: {
    name: 'YouTube',
    does: 'play',
    id: /^[\w-]{11}$/,
    player: (id) =>
      `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&playsinline=1&rel=0&enablejsapi=1`,
  },
  twitter: {
    name: 'X',
    does: 'show',
    id: /^\w{5,64}$/,
    player: (id) => `https://platform.twitter.com/embed/Tweet.html?dnt=true&id=${id}`,
  },
  instagram: {
    name: 'Instagram',
    does: 'show',
    id: /^[\w-]{5,64}$/,
    player: (id, type) => `https://www.instagram.com/${type === 'reel' ? 'reel' : 'p'}/${id}/embed/`,
  },
  tiktok: {
    name: 'TikTok',
    does: 'play',
    id: /^\w{5,64}$/,
    player: (id) => `https://www.tiktok.com/embed/v2/${id}`,
  },
  spotify: {
    name: 'Spotify',
    does: 'listen',
    id: /^\w{5,64}$/,
    player: (id, type) => `https://open.spotify.com/embed/${type}/${id}`,
  },
} as const satisfies Record<string, EmbedPlatformEntry>;

export type EmbedPlatform = keyof typeof embedPlatformEntries;
export const embedPlatforms = /* @__PURE__ */ keysOf(embedPlatformEntries);

/** The entry of an embed's platform, whose player takes any id. */
export const embedPlatformEntry = (platform: EmbedPlatform): EmbedPlatformEntry =>
  embedPlatformEntries[platform];

/** The origins of all players: the only ones that a page may frame. */
export const playerOrigins = () =>
  embedPlatforms.map((platform) => new URL(embedPlatformEntry(platform).player('id', 'type')).origin);

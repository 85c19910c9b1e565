import { embedPlatformEntries } from './embed-platforms.ts';
import { keysOf } from './keys.ts';

interface SocialPlatformEntry {
  /** Its own name, the same in every language. */
  name: string;
  /** The service is gone: its accounts are text, not links (decision M4). */
  isClosed?: true;
}

/** The only list of platforms on which stars have accounts. */
const socialPlatformEntries = {
  instagram: { name: embedPlatformEntries.instagram.name },
  twitter: { name: embedPlatformEntries.twitter.name },
  youtube: { name: embedPlatformEntries.youtube.name },
  spotify: { name: embedPlatformEntries.spotify.name },
  weibo: { name: 'Weibo' },
  tiktok: { name: embedPlatformEntries.tiktok.name },
  facebook: { name: 'Facebook' },
  vlive: { name: 'V LIVE', isClosed: true },
  weverse: { name: 'Weverse' },
} as const satisfies Record<string, SocialPlatformEntry>;

export type SocialPlatform = keyof typeof socialPlatformEntries;
export const socialPlatforms = keysOf(socialPlatformEntries);

/** The entry of a platform of accounts. */
export const socialPlatformEntry = (platform: SocialPlatform): SocialPlatformEntry =>
  socialPlatformEntries[platform];

import { embedPlatformEntries } from './embed-platforms.ts';
import { keysOf } from './keys.ts';

interface SocialPlatformEntry {
  /** Its own name, the same in every language. */
  name: string;
  /** The service is gone: its accounts are text, not links (decision M4). */
  isClosed?: true;
  /** No platform: what its rows are called is the host of the site. */
  isOwnSite?: true;
  /** How Wikidata names an account of it: by which property, in which form, and where such an account has its page. */
  account?: {
    property: `P${number}`;
    id: RegExp;
    address(id: string): string;
    /** The id is what people call the account by, `@name`; otherwise it is a number that nobody reads. */
    isHandle?: true;
  };
}

/** The only list of platforms on which stars have accounts. */
const socialPlatformEntries = {
  instagram: {
    name: embedPlatformEntries.instagram.name,
    account: {
      property: 'P2003',
      id: /^[\w.]{1,30}$/,
      address: (id) => `https://www.instagram.com/${id}/`,
      isHandle: true,
    },
  },
  twitter: {
    name: embedPlatformEntries.twitter.name,
    account: { property: 'P2002', id: /^\w{1,15}$/, address: (id) => `https://x.com/${id}`, isHandle: true },
  },
  youtube: {
    name: embedPlatformEntries.youtube.name,
    account: {
      property: 'P2397',
      id: /^UC[\w-]{22}$/,
      address: (id) => `https://www.youtube.com/channel/${id}`,
    },
  },
  spotify: {
    name: embedPlatformEntries.spotify.name,
    account: {
      property: 'P1902',
      id: /^[0-9A-Za-z]{22}$/,
      address: (id) => `https://open.spotify.com/artist/${id}`,
    },
  },
  weibo: { name: 'Weibo' },
  tiktok: {
    name: embedPlatformEntries.tiktok.name,
    account: {
      property: 'P7085',
      id: /^[\w.]{2,24}$/,
      address: (id) => `https://www.tiktok.com/@${id}`,
      isHandle: true,
    },
  },
  facebook: {
    name: 'Facebook',
    account: {
      property: 'P2013',
      id: /^[\w.-]{1,80}$/,
      address: (id) => `https://www.facebook.com/${id}`,
      isHandle: true,
    },
  },
  vlive: { name: 'V LIVE', isClosed: true },
  weverse: { name: 'Weverse' },
  website: { name: 'Website', isOwnSite: true },
} as const satisfies Record<string, SocialPlatformEntry>;

export type SocialPlatform = keyof typeof socialPlatformEntries;
export const socialPlatforms = keysOf(socialPlatformEntries);

/** The entry of a platform of accounts. */
export const socialPlatformEntry = (platform: SocialPlatform): SocialPlatformEntry =>
  socialPlatformEntries[platform];

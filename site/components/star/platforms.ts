import type { SocialPlatform } from '#db/schema/stars.ts';

/** The platforms' own names; they are the same in every language. */
export const platformNames: Record<SocialPlatform, string> = {
  instagram: 'Instagram',
  twitter: 'X',
  youtube: 'YouTube',
  spotify: 'Spotify',
  weibo: 'Weibo',
  tiktok: 'TikTok',
  facebook: 'Facebook',
  vlive: 'V LIVE',
  weverse: 'Weverse',
};

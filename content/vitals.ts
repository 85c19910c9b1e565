/** The share of visits of which it is measured how they go: errors of scripts, and how long readers wait. */
export const measuredShare = 1 / 20;

/** What pages are called in what is measured: kinds, never addresses. */
export const pageKinds = [
  'home',
  'article',
  'star',
  'category',
  'search',
  'events',
  'event',
  'community',
  'channel',
  'other',
] as const;
export type PageKind = (typeof pageKinds)[number];

/** Lists that many pages show, and what an installation has once. */
const listTags = [
  /** Lists of articles, with all that they tell of each. */
  'feed',
  /** A star is new, or has another name where others are shown. */
  'stars',
  'events',
  'channels',
  /** A quoted message is gone. */
  'talk',
  /** Messages of many channels, nobody knows which, are gone because their days are over. */
  'retention',
  'sitemap',
  /** An uploaded picture was taken down, put back or cut anew. */
  'pictures',
  /** What only another build changes; a CDN can be told of it. */
  'manifest',
  'pages',
  'redirect',
  'robots',
  'words',
] as const;

/** Things with pages of their own; a channel goes by its star. */
const thingTags = ['article', 'star', 'event', 'channel'] as const;

export type ListTag = (typeof listTags)[number];
export type ThingTag = `${(typeof thingTags)[number]}:${number}`;

/** Cache tag: by what pages and answers are out of date (architecture §The page cache). */
export type Tag = ListTag | ThingTag;

/** What an address says of its tags before its things are known: `star:` gets the id of each. */
export type TagPattern = ListTag | `${(typeof thingTags)[number]}:`;

const thingPattern = new RegExp(`^(?:${thingTags.join('|')}):[1-9]\\d*$`);
const lists: ReadonlySet<string> = new Set(listTags);

/** Tags of the pages that show these events. */
export const tagsOfEvents = (ids: readonly number[]): Tag[] =>
  ids.length === 0 ? [] : ['events', ...ids.map((id) => `event:${id}` as const)];

export const isTag = (text: string): text is Tag => lists.has(text) || thingPattern.test(text);

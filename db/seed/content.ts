import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import type { EmbedPlatform } from '#content/embed-platforms.ts';
import type { EventType } from '#content/event-types.ts';
import type { Lang, Translated } from '#content/locales.ts';
import type { SocialPlatform } from '#content/social-platforms.ts';
import type { EmbedMetadata } from '../schema/articles.ts';
import type { Verification } from '../schema/events.ts';
import type { ArtSource } from '../schema/media.ts';
import type { PhotoCategory, StarCategory, TimelineType } from '../schema/stars.ts';

/** `content/demo/stars/<slug>.json`; every shape here is described in `content/demo/README.md`. */
export interface StarFile {
  slug: string;
  order: number;
  category: StarCategory;
  fandomColor: string;
  names: Translated;
  aliases: string[];
  members?: { slug: string | null; names: Translated; role: Translated | null }[];
  profile: {
    agency: Translated | null;
    debutDate: string | null;
    realName: Translated | null;
    birthDate: string | null;
    nationality: Translated | null;
    height: number | null;
    bloodType: string | null;
    mbti: string | null;
    fandomName: Translated | null;
    biography: Translated;
    monthlyListeners: number | null;
    totalAlbumSales: number | null;
  };
  channelDescription: Translated;
  social: {
    platform: SocialPlatform;
    url: string;
    displayName: string;
    handle: string | null;
    isVerified: boolean;
    isOfficial: boolean;
    followerCount: number | null;
  }[];
  timeline: {
    date: string;
    type: TimelineType;
    importance: number;
    isHighlight: boolean;
    title: Translated;
    description: Translated | null;
  }[];
  achievements: {
    date: string;
    award: Translated;
    awardName: Translated;
    work: Translated | null;
    result: 'won' | 'nominated';
  }[];
  photos: {
    category: PhotoCategory;
    aspect: string;
    recipe: string;
    title: Translated;
    description: Translated | null;
    photographer: string | null;
    takenAt: string | null;
    isOfficial: boolean;
  }[];
}

/** `content/demo/articles/<order>-<slug>.json` */
export interface ArticleFile {
  order: number;
  stars: string[];
  hoursAgo: number;
  outlet: string;
  originalUrl: string;
  original: { title: string; content: string };
  rewrites: Record<Lang, { title: string; summary: string; content: string }>;
  model: string | null;
  reviewer: Translated | null;
  recipe: string;
  figures: number | null;
  embeds: {
    platform: EmbedPlatform;
    embedType: string;
    embedId: string;
    embedUrl: string;
    title: Translated;
    description: Translated | null;
    metadata: EmbedMetadata;
  }[];
}

/** One event of `content/demo/events/*.json`: on a day relative to the seeding, or every year. */
export interface EventFile {
  key: string;
  type: EventType;
  dayOffset?: number;
  /** `MM-DD` */
  monthDay?: string;
  /** Wall time of the place; null: the whole day. */
  time: string | null;
  /** Of the place, such as `Asia/Kuala_Lumpur`; Korea's when left out. */
  zone?: string;
  minutes: number | null;
  venue: Translated | null;
  location: Translated | null;
  capacity: number | null;
  primaryStar: string | null;
  stars: { slug: string; role: string }[];
  cancelled: boolean;
  verification: Verification;
  confidence: number | null;
  /** Korean sentence of the source. */
  evidence: string | null;
  /** What the newsroom's own checks say of it, which make the confidence; only of events that wait. */
  checks?: Record<string, boolean>;
  articleOrder: number | null;
  ticketUrl: string | null;
  streamingUrl: string | null;
  officialUrl: string | null;
  title: Translated;
  description: Translated | null;
}

export interface FanFile {
  username: string;
  displayName: string;
  language: Lang;
}

/** `content/demo/channels/<star>.json` */
export interface ChannelFile {
  star: string;
  messages: { fan: string; minutesAgo: number; text: string }[];
}

export interface NameFile {
  kind: 'group' | 'person';
  names: Translated;
  aliases: string[];
}

/** `content/demo/pictures/index.json`, written by the picture generator: what each made picture was drawn from. */
export interface PicturesFile {
  pictures: Record<string, { art: ArtSource | null } | undefined>;
  /** How each star's round sign was drawn, by slug. */
  marks: Record<string, { style: MarkStyle } | undefined>;
}

/** Everything the demo world is made of. */
export interface DemoWorld {
  /** In roster order. */
  stars: StarFile[];
  /** Oldest first. */
  articles: ArticleFile[];
  events: EventFile[];
  fans: FanFile[];
  channels: ChannelFile[];
  names: NameFile[];
  pictures: PicturesFile;
}

/** This code runs from source, never from the bundle, so the files are found from here. */
const content = new URL('../../content/', import.meta.url);
const pictureIndex = 'demo/pictures/index.json';

function read<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(new URL(path, content), 'utf8'));
}

function readFolder<Shape>(path: string): Shape[] {
  return readdirSync(new URL(path, content))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => read<Shape>(`${path}/${name}`));
}

/** Reads the demo world from `content`. */
export function readDemoWorld(): DemoWorld {
  return {
    stars: readFolder<StarFile>('demo/stars').sort((a, b) => a.order - b.order),
    articles: readFolder<ArticleFile>('demo/articles').sort((a, b) => b.order - a.order),
    events: readFolder<EventFile[]>('demo/events').flat(),
    fans: read('demo/fans.json'),
    channels: readFolder<ChannelFile>('demo/channels'),
    names: read('stars.json'),
    pictures: existsSync(new URL(pictureIndex, content)) ? read(pictureIndex) : { pictures: {}, marks: {} },
  };
}

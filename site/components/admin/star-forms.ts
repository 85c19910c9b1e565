import type { Lang } from '#content/locales.ts';
import { socialPlatformEntry, socialPlatforms } from '#content/social-platforms.ts';
import type { StarList } from '#db/queries/directory/document.ts';
import { activities, photoCategories, starCategories, timelineTypes } from '#db/schema/stars.ts';
import type { T } from '../../i18n/words.ts';
import { categoryName } from '../../lib/stars/categories.ts';

/** What the forms of a star ask for: one table, of which the fields, what they show and what they send (`star-values.ts`) are made. */

type Option = { value: string; text: string };

/** A field that is the same in every language. */
export interface OwnField {
  name: string;
  kind: 'text' | 'url' | 'date' | 'day' | 'number' | 'color' | 'choice' | 'tick' | 'star' | 'picture';
  required?: true;
  /** Of a number, which some write behind it. */
  unit?: string;
  /** What a new entry begins with. */
  initial?: string;
  options?: (t: T, lang: Lang) => Option[];
}

/** A field that each language has; `path` is where it stands in the document, with `*` for the language. */
export interface WordField {
  name: string;
  path: string;
  rows?: number;
  /** A language in which there are words must have this one. */
  required?: true;
}

export interface EntryForm {
  own: readonly OwnField[];
  words: readonly WordField[];
  /** An entry of it may name where it is from. */
  hasSource: boolean;
  /** Its order is the editor's. */
  isOrdered: boolean;
}

const titles: readonly WordField[] = [
  { name: 'title', path: 'words.*.title', required: true },
  { name: 'description', path: 'words.*.description', rows: 3 },
];
const choices =
  <Value extends string>(values: readonly Value[], text: (t: T, value: Value, lang: Lang) => string) =>
  (t: T, lang: Lang): Option[] =>
    values.map((value) => ({ value, text: text(t, value, lang) }));

export const entryForms: Record<StarList, EntryForm> = {
  members: {
    own: [
      { name: 'star', kind: 'star' },
      { name: 'since', kind: 'date' },
      { name: 'until', kind: 'date' },
      { name: 'isFormer', kind: 'tick' },
    ],
    words: [
      { name: 'names', path: 'names.*' },
      { name: 'roles', path: 'roles.*' },
    ],
    hasSource: true,
    isOrdered: true,
  },
  photos: {
    own: [
      { name: 'picture', kind: 'picture', required: true },
      {
        name: 'category',
        kind: 'choice',
        options: choices(photoCategories, (t, value) => t(`star:photo_${value}`)),
      },
      { name: 'takenAt', kind: 'date' },
      { name: 'photographer', kind: 'text' },
      { name: 'isOfficial', kind: 'tick' },
    ],
    words: titles,
    hasSource: false,
    isOrdered: true,
  },
  timeline: {
    own: [
      { name: 'date', kind: 'date', required: true },
      {
        name: 'type',
        kind: 'choice',
        options: choices(timelineTypes, (t, value) => t(`star:type_${value}`)),
      },
      { name: 'importance', kind: 'number', required: true, initial: '5' },
      { name: 'relatedUrl', kind: 'url' },
      { name: 'picture', kind: 'picture' },
      { name: 'isHighlight', kind: 'tick' },
    ],
    words: titles,
    hasSource: true,
    isOrdered: false,
  },
  achievements: {
    own: [
      { name: 'awardDate', kind: 'date', required: true },
      {
        name: 'result',
        kind: 'choice',
        options: choices(['won', 'nominated'], (t, value) => t(`star:${value}`)),
      },
    ],
    words: [
      { name: 'achievement', path: 'words.*.achievement', required: true },
      { name: 'awardName', path: 'words.*.awardName', required: true },
      { name: 'awardCategory', path: 'words.*.awardCategory' },
      { name: 'organisation', path: 'words.*.organisation' },
      { name: 'workTitle', path: 'words.*.workTitle' },
    ],
    hasSource: true,
    isOrdered: false,
  },
  socialLinks: {
    own: [
      {
        name: 'platform',
        kind: 'choice',
        options: choices(socialPlatforms, (t, value) => {
          const { name, isOwnSite } = socialPlatformEntry(value);
          return isOwnSite ? t('admin:ownSite') : name;
        }),
      },
      { name: 'profileUrl', kind: 'url', required: true },
      { name: 'displayName', kind: 'text', required: true },
      { name: 'platformUserId', kind: 'text' },
      { name: 'followerCount', kind: 'number' },
      { name: 'countedOn', kind: 'day' },
      { name: 'isOfficial', kind: 'tick' },
      { name: 'isVerified', kind: 'tick' },
    ],
    words: [],
    hasSource: true,
    isOrdered: false,
  },
};

/** A star's own fields. */
export const profileForm: Pick<EntryForm, 'own' | 'words'> = {
  own: [
    {
      name: 'category',
      kind: 'choice',
      required: true,
      options: choices(starCategories, (_, value, lang) => categoryName(lang, value)),
    },
    { name: 'fandomColor', kind: 'color' },
    { name: 'noFandomColor', kind: 'tick' },
    { name: 'birthDate', kind: 'date' },
    { name: 'debutDate', kind: 'date' },
    {
      name: 'activity',
      kind: 'choice',
      options: choices(activities, (t, value) => t(`admin:activity_${value}`)),
    },
    { name: 'endDate', kind: 'date' },
    { name: 'parent', kind: 'star' },
    { name: 'height', kind: 'number', unit: 'cm' },
    { name: 'bloodType', kind: 'text' },
    { name: 'mbti', kind: 'text' },
    { name: 'monthlyListeners', kind: 'number' },
    { name: 'totalAlbumSales', kind: 'number' },
  ],
  words: [
    { name: 'name', path: 'words.*.name', required: true },
    { name: 'agency', path: 'words.*.agency' },
    { name: 'realName', path: 'words.*.realName' },
    { name: 'nationality', path: 'words.*.nationality' },
    { name: 'fandomName', path: 'words.*.fandomName' },
    { name: 'biography', path: 'words.*.biography', rows: 6 },
  ],
};

export const sourceFields = [
  { name: 'sourceName', path: 'source.name', type: 'text' },
  { name: 'sourceUrl', path: 'source.url', type: 'url' },
  { name: 'sourceReadOn', path: 'source.readOn', type: 'date' },
] as const;

/** A value of a form as it is read: the word of a choice, a sign for a box that is ticked. */
export function readableChoice(
  t: T,
  lang: Lang,
  list: StarList | undefined,
  name: string,
  value: string,
): string {
  const { own } = list ? entryForms[list] : profileForm;
  const options = own.find((field) => field.name === name)?.options?.(t, lang) ?? [];
  return options.find((option) => option.value === value)?.text ?? (value === 'on' ? '✓' : value);
}

import { Temporal } from 'temporal-polyfill';
import type { FactSource } from '#content/fact-source.ts';
import { type Lang, languages } from '#content/locales.ts';
import {
  earliestYear,
  isBefore,
  isOfOtherYear,
  isPartialDate,
  latestYear,
  type PartialDate,
} from '#content/partial-date.ts';
import type {
  StoredAchievement,
  StoredDocument,
  StoredMember,
  StoredPhoto,
  StoredSocialLink,
  StoredTimelineEvent,
} from '#db/queries/directory/document.ts';
import { readAddress, readLine, readText } from '../admin/text.ts';
import { BadInput, readAll } from '../errors.ts';
import type {
  AchievementDocument,
  MemberDocument,
  PhotoDocument,
  SocialLinkDocument,
  StarDocument,
  TimelineDocument,
} from './model.ts';

/** What arrives as a document of a star, read as it is stored. Nothing here asks the database. */

/** Every field may be left out, and is null where it is to be emptied. */
export type ReadDocument = {
  [Field in keyof StoredDocument]?: StoredDocument[Field] | null;
};

/** Where a day begins first: what is today somewhere is in the future nowhere. */
const earliestZone = 'Pacific/Kiritimati';
/** The day that it is there. */
export const today = () => Temporal.Now.plainDateISO(earliestZone).toString();

/** What may be said of a star: its document, in which null takes the words of a language or the source of a fact away. */
export type StarInput = Omit<Partial<StarDocument>, 'words' | 'sources'> & {
  sources?: Record<string, FactSource | null> | undefined;
  words?: { [Language in Lang]?: NonNullable<StarDocument['words'][Language]> | null } | undefined;
};

type Reader<Given, Read> = (value: Given, field: string) => Read;

/** A line of at most so many characters. */
const line =
  (maxLength: number): Reader<string | null | undefined, string | null> =>
  (value, field) =>
    readLine(value, field, maxLength);

/** A date that there is, or null. @throws BadInput */
export function readPartialDate(text: string | null | undefined, field: string): PartialDate | null {
  const date = (text ?? '').trim();
  if (date === '') return null;
  if (isOfOtherYear(date))
    throw new BadInput(field, `Must be of a year from ${earliestYear} to ${latestYear}.`, 'year');
  if (!isPartialDate(date))
    throw new BadInput(field, 'Must be a date such as 2001, 2001-02 or 2001-02-28.', 'date');
  return date;
}

/** A day that there is and that is not to come, or null. @throws BadInput */
function readPastDay(text: string | null | undefined, field: string): string | null {
  const day = readPartialDate(text, field);
  if (day === null) return null;
  if (day.length < 10) throw new BadInput(field, 'Must be a day such as 2001-02-28.', 'date');
  if (day > today()) throw new BadInput(field, 'Must not be in the future.', 'date');
  return day;
}

function readSource(source: FactSource | null | undefined, field: string): FactSource | undefined {
  if (!source) return undefined;
  const { name, url, readOn } = readAll({
    name: () => required(readLine(source.name, `${field}.name`, 200), `${field}.name`),
    url: () => readAddress(source.url, `${field}.url`) ?? undefined,
    readOn: () => readPastDay(source.readOn, `${field}.readOn`) ?? undefined,
  });
  return { name, ...(url === undefined ? {} : { url }), ...(readOn === undefined ? {} : { readOn }) };
}

/** A value that cannot be null in the field of a thing. @throws BadInput */
function required<Value>(value: Value | null, field: string): Value {
  if (value === null) throw new BadInput(field, 'Is required.', 'required');
  return value;
}

/** What is not given stays out, so that what is stored of it stays. */
function given<Given, Read>(
  value: Given | undefined,
  field: string,
  read: Reader<Given, Read>,
): Read | undefined {
  return value === undefined ? undefined : read(value, field);
}

const withoutNull = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));

/** Words by language, in the order of languages, each read by `read`. */
function readWords<Given, Read>(
  words: Partial<Record<Lang, Given>> | null | undefined,
  field: string,
  read: Reader<Given, Read>,
): Partial<Record<Lang, Read>> {
  const parts = languages.flatMap((language) => {
    const own = words?.[language];
    return own === undefined ? [] : [[language, () => read(own, `${field}.${language}`)] as const];
  });
  return readAll(Object.fromEntries(parts)) as Partial<Record<Lang, Read>>;
}

/** Names or roles by language; languages without one are left out. */
function readNames(
  names: Partial<Record<Lang, string>> | null | undefined,
  field: string,
): Partial<Record<Lang, string>> {
  return withoutNull(readWords(names, field, line(120)));
}

/** Title and text, in every language that has a title. @throws BadInput for a text without one */
const readTitles = (
  words: Partial<Record<Lang, { title: string; description?: string | null | undefined }>>,
  field: string,
) =>
  withoutNull(
    readWords(words, field, ({ title, description }, at) => {
      const { text, heading } = readAll({
        heading: () => readLine(title, `${at}.title`, 200),
        text: () => readText(description, `${at}.description`, 2000),
      });
      if (heading === null && text === null) return null;
      return { title: required(heading, `${at}.title`), ...(text === null ? {} : { description: text }) };
    }),
  ) as StoredPhoto['words'];

/** Words of at least one language. @throws BadInput */
function worded<Words extends object>(words: Words, field: string): Words {
  if (Object.keys(words).length === 0) throw new BadInput(field, 'Is required.', 'required');
  return words;
}

const readPicture = (picture: { key: string } | null | undefined, field: string): { key: string } | null => {
  const key = readLine(picture?.key, `${field}.key`, 80);
  return key === null ? null : { key };
};

type Read<Item> = { [Key in keyof Item]?: Item[Key] | null };

/** A member of a group as far as it is given. @throws BadInput */
export function readMember(item: MemberDocument, at: string): Read<StoredMember> {
  const read = readAll({
    star: () => given(item.star, `${at}star`, line(120)),
    names: () => readNames(item.names, `${at}names`),
    roles: () =>
      given(item.roles, `${at}roles`, (roles, field) => {
        const named = readNames(roles, field);
        return Object.keys(named).length > 0 ? named : null;
      }),
    since: () => given(item.since, `${at}since`, readPartialDate),
    until: () => given(item.until, `${at}until`, readPartialDate),
    isFormer: () => item.isFormer,
    source: () => given(item.source, `${at}source`, (source, field) => readSource(source, field) ?? null),
  });
  if (read.since && read.until && isBefore(read.until, read.since))
    throw new BadInput(`${at}until`, 'Must not be before the start.', 'order');
  return read;
}

/** A photo as far as it is given. @throws BadInput */
export function readPhoto(item: PhotoDocument, at: string): Read<StoredPhoto> {
  return readAll({
    picture: () => required(readPicture(item.picture, `${at}picture`), `${at}picture`),
    category: () => item.category,
    photographer: () => given(item.photographer, `${at}photographer`, line(120)),
    takenAt: () => given(item.takenAt, `${at}takenAt`, readPartialDate),
    isOfficial: () => item.isOfficial,
    words: () => readTitles(item.words, `${at}words`),
  });
}

/** An entry of a timeline as far as it is given. @throws BadInput */
export function readTimelineEvent(item: TimelineDocument, at: string): Read<StoredTimelineEvent> {
  return readAll({
    date: () => required(readPartialDate(item.date, `${at}date`), `${at}date`),
    type: () => item.type,
    importance: () => item.importance,
    isHighlight: () => item.isHighlight,
    picture: () => given(item.picture, `${at}picture`, readPicture),
    relatedUrl: () => given(item.relatedUrl, `${at}relatedUrl`, readAddress),
    words: () => worded(readTitles(item.words, `${at}words`), `${at}words`),
    source: () => given(item.source, `${at}source`, (source, field) => readSource(source, field) ?? null),
  });
}

function readAwardWords(
  own: NonNullable<AchievementDocument['words'][Lang]>,
  at: string,
): NonNullable<StoredAchievement['words'][Lang]> {
  const { achievement, awardName, ...more } = readAll({
    achievement: () => required(readLine(own.achievement, `${at}.achievement`, 200), `${at}.achievement`),
    awardName: () => required(readLine(own.awardName, `${at}.awardName`, 200), `${at}.awardName`),
    awardCategory: () => readLine(own.awardCategory, `${at}.awardCategory`, 200),
    organisation: () => readLine(own.organisation, `${at}.organisation`, 200),
    workTitle: () => readLine(own.workTitle, `${at}.workTitle`, 200),
  });
  return { achievement, awardName, ...withoutNull(more) };
}

/** An award as far as it is given. @throws BadInput */
export function readAchievement(item: AchievementDocument, at: string): Read<StoredAchievement> {
  return readAll({
    awardDate: () => required(readPartialDate(item.awardDate, `${at}awardDate`), `${at}awardDate`),
    result: () => item.result,
    words: () => worded(readWords(item.words, `${at}words`, readAwardWords), `${at}words`),
    source: () => given(item.source, `${at}source`, (source, field) => readSource(source, field) ?? null),
  });
}

/** An account of a star as far as it is given. @throws BadInput */
export function readSocialLink(item: SocialLinkDocument, at: string): Read<StoredSocialLink> {
  return readAll({
    platform: () => item.platform,
    profileUrl: () => required(readAddress(item.profileUrl, `${at}profileUrl`), `${at}profileUrl`),
    displayName: () => required(readLine(item.displayName, `${at}displayName`, 120), `${at}displayName`),
    platformUserId: () => given(item.platformUserId, `${at}platformUserId`, line(120)),
    isVerified: () => item.isVerified,
    isOfficial: () => item.isOfficial,
    followerCount: () => item.followerCount,
    countedOn: () => given(item.countedOn, `${at}countedOn`, readPastDay),
    source: () => given(item.source, `${at}source`, (source, field) => readSource(source, field) ?? null),
  });
}

/** What every entry of a list has that nothing was said of. */
const defaults = {
  members: { isFormer: false },
  photos: { isOfficial: false, words: {} },
  timeline: { importance: 5, isHighlight: false },
  achievements: {},
  socialLinks: { isVerified: false, isOfficial: false },
} as const;

/** Optional fields of an entry, emptied. A member's `star` is none: a member is recognised by it. */
export const noOptionals = {
  members: { roles: null, since: null, until: null, source: null },
  photos: { photographer: null, takenAt: null },
  timeline: { picture: null, relatedUrl: null, source: null },
  achievements: { source: null },
  socialLinks: { platformUserId: null, followerCount: null, countedOn: null, source: null },
} as const satisfies Record<keyof typeof defaults, object>;

/** The readers of lists, by the fields that they are in a document. */
export const listReaders = {
  members: readMember,
  photos: readPhoto,
  timeline: readTimelineEvent,
  achievements: readAchievement,
  socialLinks: readSocialLink,
} as const;

/** What an entry is once what was given of it is laid over what was stored. */
export function completed<List extends keyof typeof defaults>(
  list: List,
  stored: object | undefined,
  item: object,
): object {
  const said = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
  return withoutNull({ ...defaults[list], ...stored, ...said });
}

/** A blood group as people tell it: A, B, O or AB, and its Rh factor where that is known. @throws BadInput */
function readBloodType(text: string | null, field: string): string | null {
  const type = readLine(text, field, 8)?.toUpperCase() ?? null;
  if (type !== null && !/^(?:A|B|O|AB)[+-]?$/.test(type))
    throw new BadInput(field, 'Must be A, B, O or AB.', 'blood_type');
  return type;
}

/** A type of Myers and Briggs, such as ENFP. @throws BadInput */
function readMbti(text: string | null, field: string): string | null {
  const type = readLine(text, field, 8)?.toUpperCase() ?? null;
  if (type !== null && !/^[EI][NS][FT][JP]$/.test(type))
    throw new BadInput(field, 'Must be four letters such as ENFP.', 'mbti');
  return type;
}

const noWords = {
  name: null,
  agency: null,
  realName: null,
  nationality: null,
  fandomName: null,
  biography: null,
};

/** A name that can be said: nobody is called by signs alone. @throws BadInput */
function readName(text: string, field: string): string {
  const name = required(readLine(text, field, 80), field);
  if (!/[\p{L}\p{N}]/u.test(name)) throw new BadInput(field, 'Needs a letter or a digit.', 'no_letter');
  return name;
}

function readStarWords(own: NonNullable<StarInput['words']>[Lang], at: string) {
  if (!own) return noWords;
  const { name, agency, realName, nationality, fandomName, biography } = own;
  return readAll({
    name: () => readName(name, `${at}.name`),
    agency: () => given(agency, `${at}.agency`, line(120)),
    realName: () => given(realName, `${at}.realName`, line(120)),
    nationality: () => given(nationality, `${at}.nationality`, line(80)),
    fandomName: () => given(fandomName, `${at}.fandomName`, line(80)),
    biography: () => given(biography, `${at}.biography`, (text, place) => readText(text, place, 5000)),
  });
}

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * The star's own fields as they are given, lists left out. Languages that are left out of its words stay.
 * @throws BadInput
 */
export function readOwnFields(input: StarInput): ReadDocument {
  const read: ReadDocument = readAll({
    category: () => input.category,
    fandomColor: () => given(input.fandomColor, 'fandomColor', (colour) => colour?.toUpperCase() ?? null),
    activity: () => input.activity,
    height: () => input.height,
    monthlyListeners: () => input.monthlyListeners,
    totalAlbumSales: () => input.totalAlbumSales,
    birthDate: () => given(input.birthDate, 'birthDate', readPartialDate),
    debutDate: () => given(input.debutDate, 'debutDate', readPartialDate),
    endDate: () => given(input.endDate, 'endDate', readPartialDate),
    parent: () => given(input.parent, 'parent', line(120)),
    bloodType: () => given(input.bloodType, 'bloodType', readBloodType),
    mbti: () => given(input.mbti, 'mbti', readMbti),
    hero: () => given(input.hero, 'hero', readPicture),
    avatar: () => given(input.avatar, 'avatar', readPicture),
    aliases: () =>
      given(input.aliases, 'aliases', (aliases, field) =>
        [...new Set(aliases.flatMap((each) => readLine(each, field, 80) ?? []))].sort(),
      ),
    words: () =>
      given(input.words, 'words', (words, field) => readWords(words, field, readStarWords)) as
        | StoredDocument['words']
        | undefined,
    externalIds: () =>
      given(input.externalIds, 'externalIds', (ids) => {
        const parts = Object.entries(ids).map(
          ([source, id]) => [source, () => readLine(id, `externalIds.${source}`, 100)] as const,
        );
        return withoutNull(readAll(Object.fromEntries(parts)));
      }),
    sources: () =>
      given(input.sources, 'sources', (sources, field) => {
        const parts = Object.entries(sources).map(
          ([name, source]) => [name, () => readSource(source, `${field}.${name}`)] as const,
        );
        return readAll(Object.fromEntries(parts)) as Record<string, FactSource>;
      }),
    slug: () =>
      given(input.slug, 'slug', (slug, field) => {
        if (!slugPattern.test(slug)) throw new BadInput(field, 'Must be small letters and digits.');
        return slug;
      }),
  });
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

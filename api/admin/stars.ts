import { Temporal } from 'temporal-polyfill';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import { placeholderOf } from '#content/art/ramp.ts';
import { initials } from '#content/art/sign.ts';
import { type Lang, languages } from '#content/locales.ts';
import { romanizations } from '#content/romanization.ts';
import {
  type EditableStar,
  findEditableStar,
  findStarBySlug,
  insertStar,
  type ReadStar,
  type StarSearchWords,
  type StarWords,
  updateStar,
} from '#db/queries/admin/star-edit.ts';
import { findPopularMarks } from '#db/queries/media.ts';
import { planAnniversaries } from '../directory/anniversaries.ts';
import { BadInput, ChangedSince, Conflict, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import { chooseMark } from '../media/mark-similarity.ts';
import type { Tag } from '../tags.ts';
import type { StarChange, StarEdit } from './content-model.ts';
import { readLine, readText } from './text.ts';

/** Where a day begins first: what is today somewhere is in the future nowhere. */
const earliestZone = 'Pacific/Kiritimati';

/** Each is rendered, in about two milliseconds, while the editor waits. */
const MARKS_COMPARED = 100;

/** A star as its editor sees it. @throws NotFound */
export async function readEditableStar(id: number): Promise<ReadStar> {
  const star = await findEditableStar(id);
  if (!star) throw new NotFound('Star');
  return star;
}

/**
 * Changes a star: names and texts in the languages given, the rest as a whole.
 * @throws NotFound, BadInput; ChangedSince when it is not the version that the editor had read
 */
export async function changeStar(
  id: number,
  { version, ...input }: StarChange,
  actorId: number,
): Promise<void> {
  const before = await readEditableStar(id);
  const star = readStar(input, before.slug, before.words);
  const names = searchWords(star, before.memberNames);
  const markStyle = await markStyleOf(names.name, star, id);
  const tags: Tag[] = ['stars', 'feed', 'events', 'channels', 'sitemap', `star:${id}`];
  const outcome = await updateStar(id, star, names, markStyle, { actorId, version }, async (tx) => {
    tags.push(...(await planAnniversaries(tx, [id])));
  });
  if (outcome === 'missing') throw new NotFound('Star');
  if (outcome === 'changed') throw new ChangedSince();
  await invalidate([...new Set(tags)]);
}

/** Adds a star. @throws BadInput; Conflict when a star has that English name already */
export async function addStar(input: StarEdit, actorId: number): Promise<{ id: number }> {
  const star = readStar(input, '', {});
  const slug = (star.words.en?.name ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  if (slug === '') throw new BadInput('words.en.name', 'Needs Latin letters or digits.', 'latin');
  const newStar = { ...star, slug };
  const names = searchWords(newStar, []);
  const appearance = {
    placeholder: placeholderOf(star.fandomColor),
    markStyle: await markStyleOf(names.name, star),
  };
  const tags: Tag[] = ['stars', 'sitemap', 'channels'];
  const id = await insertStar(newStar, names, appearance, actorId, async (tx, added) => {
    tags.push(...(await planAnniversaries(tx, [added])));
  });
  if (id === undefined) {
    const existingId = await findStarBySlug(slug);
    throw new Conflict('known', 'A star of this name is there already.', 'words.en.name', existingId);
  }
  await invalidate([...new Set(tags)]);
  return { id };
}

/** How the round sign is drawn, so that nobody takes the star for another of those that readers meet most. */
async function markStyleOf(name: string, { fandomColor }: EditableStar, id?: number): Promise<MarkStyle> {
  return chooseMark({ name, fandomColor }, await findPopularMarks(MARKS_COMPARED, id));
}

function readStar(input: StarEdit, slug: string, before: EditableStar['words']): EditableStar {
  const words: Partial<Record<Lang, StarWords>> = {};
  for (const language of languages) {
    const edited = input.words[language];
    if (!edited) {
      if (!before[language]) throw new BadInput(`words.${language}.name`, 'Is required.', 'required');
      words[language] = before[language];
      continue;
    }
    const field = `words.${language}`;
    const name = readLine(edited.name, `${field}.name`, 80);
    if (name === null) throw new BadInput(`${field}.name`, 'Is required.', 'required');
    words[language] = {
      name,
      agency: readLine(edited.agency, `${field}.agency`, 120),
      realName: readLine(edited.realName, `${field}.realName`, 120),
      nationality: readLine(edited.nationality, `${field}.nationality`, 80),
      fandomName: readLine(edited.fandomName, `${field}.fandomName`, 80),
      biography: readText(edited.biography, `${field}.biography`, 5000),
    };
  }
  return {
    slug,
    category: input.category,
    fandomColor: input.fandomColor.toUpperCase(),
    ...readDates(input),
    aliases: [...new Set((input.aliases ?? []).flatMap((alias) => readLine(alias, 'aliases', 80) ?? []))],
    words,
  };
}

/** Birth and debut, each of which may be unknown; a debut may be announced before its day. @throws BadInput */
function readDates(input: StarEdit): Pick<EditableStar, 'birthDate' | 'debutDate'> {
  const birthDate = readDay(input.birthDate, 'birthDate');
  const debutDate = readDay(input.debutDate, 'debutDate');
  if (birthDate !== null && birthDate > Temporal.Now.plainDateISO(earliestZone).toString())
    throw new BadInput('birthDate', 'Must not be in the future.', 'future');
  if (birthDate !== null && debutDate !== null && debutDate < birthDate)
    throw new BadInput('debutDate', 'Must not be before the birth.', 'before_birth');
  return { birthDate, debutDate };
}

/** A day that there is, or null. @throws BadInput */
function readDay(text: string | null | undefined, field: string): string | null {
  if (!text) return null;
  const day = new Date(`${text}T00:00:00Z`);
  const isDay = /^(?:19|20)\d\d-\d\d-\d\d$/.test(text) && day.toJSON()?.startsWith(text);
  if (!isDay) throw new BadInput(field, 'Must be a day such as 2020-07-28.', 'date');
  return text;
}

function searchWords({ words, aliases }: EditableStar, memberNames: readonly string[]): StarSearchWords {
  const name = words.ko?.name ?? words.en?.name ?? '';
  const sign = initials(name).join('');
  const terms = [
    ...Object.values(words).flatMap(({ name: translatedName, fandomName }) => [
      translatedName,
      fandomName ?? '',
    ]),
    ...aliases,
    ...memberNames,
    ...romanizations(name),
    sign,
  ];
  return { name, initials: sign, searchText: [...new Set(terms.filter(Boolean))].join(' ') };
}

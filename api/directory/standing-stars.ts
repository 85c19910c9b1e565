import { normalized } from '#content/normalize.ts';
import { type PartialDate, precisionOf } from '#content/partial-date.ts';
import type { StoredDocument } from '#db/queries/directory/document.ts';
import type { FactWriter } from '#db/queries/directory/import.ts';
import type { FormerStar } from '#db/schema/directory.ts';
import type { StarDocument } from './model.ts';

/** Who of the directory a star of a file is (decision M7). */

/** A star of the directory as an import is compared with it. */
export interface StandingStar {
  id: number;
  document: StoredDocument;
  /** All that it is called in other directories, as `kpopnet:…`: also what those were called that were merged into it. */
  externalNames: readonly string[];
  /** Who last wrote a field, by its path: what people wrote is left alone, and an import offers what it knows otherwise. */
  writers: ReadonlyMap<string, FactWriter>;
  /** What was offered and an editor declined: it is not offered again while it says the same. */
  declined: readonly { field: string; offered: unknown }[];
}

/** A star that an editor merged into another, as it was: a file may still have it. */
export interface MergedStar {
  former: FormerStar;
  /** The id of the other. */
  into: number;
}

/** The directory by everything by which a star is found. */
export class StandingStars {
  readonly #byId = new Map<number, StandingStar>();
  readonly #byKey = new Map<string, number>();
  readonly #byNames = new Map<string, StandingStar[]>();
  readonly #byName = new Map<string, number[]>();
  readonly #mergedBySlug = new Map<string, MergedStar>();
  readonly #mergedByNames = new Map<string, MergedStar[]>();

  constructor(directory: readonly StandingStar[], mergedStars: readonly MergedStar[]) {
    for (const star of directory) {
      this.#byId.set(star.id, star);
      for (const key of [star.document.slug, ...star.externalNames]) this.#byKey.set(key, star.id);
      for (const names of namesKeysOf(star))
        this.#byNames.set(names, [...(this.#byNames.get(names) ?? []), star]);
      for (const name of ownNames(star.document))
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), star.id]);
    }
    for (const merged of mergedStars) {
      // A star that has the slug since then is meant by it.
      if (!this.#byKey.has(merged.former.slug)) this.#mergedBySlug.set(merged.former.slug, merged);
      const names = namesKey(merged.former);
      if (names !== undefined)
        this.#mergedByNames.set(names, [...(this.#mergedByNames.get(names) ?? []), merged]);
    }
  }

  byId(id: number): StandingStar | undefined {
    return this.#byId.get(id);
  }

  /** Whether a star is called so in another directory only by what was another star before it was merged into this one. */
  isMergedName(name: string, id: number): boolean {
    const star = this.#byId.get(id);
    const [source, own] =
      Object.entries(star?.document.externalIds ?? {}).find(([each]) => name.startsWith(`${each}:`)) ?? [];
    const isOther = own !== undefined && `${source}:${own}` !== name && star?.externalNames.includes(name);
    return isOther === true || this.#mergedBySlug.get(name)?.into === id;
  }

  idOf(reference: string): number | undefined {
    return this.#byKey.get(reference) ?? this.#mergedBySlug.get(reference)?.into;
  }

  /**
   * The star into which the one of this document was merged: found by its slug, else by its names where nothing speaks against it.
   * A document that another directory's number tells apart is found by that alone.
   */
  idOfMerged(document: StarDocument): number | undefined {
    const bySlug = document.slug === undefined ? undefined : this.#mergedBySlug.get(document.slug);
    const names = namesKey(document);
    const byNames = names === undefined ? [] : (this.#mergedByNames.get(names) ?? []);
    const found =
      bySlug ?? byNames.find(({ former }) => agree(former, document) || haveNoBirthday(former, document));
    const star = found && this.#byId.get(found.into);
    return star && !haveOtherIds(star, document) ? star.id : undefined;
  }

  idsOf({ externalIds = {} }: StarDocument): number[] {
    const keys = Object.entries(externalIds).map(([source, id]) => `${source}:${id}`);
    return [...new Set(keys.flatMap((key) => this.#byKey.get(key) ?? []))];
  }

  /** A slug is of this directory alone: a star that another directory knows by another number is somebody else. */
  idOfSlug(document: StarDocument): number | undefined {
    const id = document.slug === undefined ? undefined : this.#byKey.get(document.slug);
    const star = id === undefined ? undefined : this.#byId.get(id);
    return star && !haveOtherIds(star, document) ? id : undefined;
  }

  /** The stars that nobody has claimed and that have all these names and no other facts, the oldest first. */
  idsOfNames(document: StarDocument, claimed: ReadonlySet<number | undefined>): number[] {
    const names = namesKey(document);
    const candidates = (names === undefined ? [] : (this.#byNames.get(names) ?? [])).filter(
      (star) =>
        !claimed.has(star.id) &&
        !haveOtherIds(star, document) &&
        (isSame(star.document, document) || wasImported(star, document)),
    );
    return candidates.map(({ id }) => id).sort((a, b) => a - b);
  }

  namesakes(document: StarDocument): number[] {
    return [...new Set(ownNames(document).flatMap((name) => this.#byName.get(name) ?? []))];
  }
}

const folded = (name: string) => normalized(name, 'NFKC').toLowerCase().replace(/\s+/g, '');

const ownNames = ({ words }: StarDocument): string[] => [
  ...new Set([words.ko, words.en].flatMap((own) => (own ? folded(own.name) : []))),
];

type Named = Pick<StarDocument, 'words' | 'category'>;

/** A star's Korean and English name as a key; where one is missing, only a star without it has the same. */
function namesKey({ words, category }: Named): string | undefined {
  const [ko, en] = [folded(words.ko?.name ?? ''), folded(words.en?.name ?? '')];
  if (ko === '' && en === '') return undefined;
  return `${category === 'K-Pop Group' ? 'group' : 'person'} ${ko} ${en}`;
}

/** Keys of a star: by all its names, and by that which an import wrote, where a person added the other since. */
function namesKeysOf({ document, writers }: StandingStar): string[] {
  const { ko, en } = document.words;
  const isOnlyImported = (own: string, other: string) =>
    writers.get(`words.${own}.name`) === 'import' && writers.get(`words.${other}.name`) === 'person';
  const imported = isOnlyImported('ko', 'en') ? { ko } : isOnlyImported('en', 'ko') ? { en } : undefined;
  const keys = [document, ...(imported ? [{ ...document, words: imported }] : [])].map(namesKey);
  return [...new Set(keys)].filter((key) => key !== undefined);
}

/** Whether a directory that knows the star gives the document another number. */
const haveOtherIds = ({ externalNames }: StandingStar, { externalIds = {} }: StarDocument): boolean =>
  Object.entries(externalIds).some(
    ([source, id]) =>
      externalNames.some((name) => name.startsWith(`${source}:`)) &&
      !externalNames.includes(`${source}:${id}`),
  );

type Told = Pick<StarDocument, 'category' | 'birthDate' | 'debutDate'>;

/** Whether nobody says on what day either was born. */
const haveNoBirthday = (one: Told, other: Told): boolean =>
  one.category === other.category && !isDay(one.birthDate) && !isDay(other.birthDate);

/** People are the same when they were born on the same day, groups when no date of theirs speaks against it. */
function agree(one: Told, other: Told): boolean {
  if (one.category !== 'K-Pop Group') return isDay(one.birthDate) && one.birthDate === other.birthDate;
  const [debut, otherDebut] = [one.debutDate, other.debutDate];
  return !debut || !otherDebut || debut.startsWith(otherDebut) || otherDebut.startsWith(debut);
}

/** Whether stars of the same names are the same by their dates. One name alone says too little of a group without a debut. */
function isSame(one: StarDocument, other: StarDocument): boolean {
  const isNamedOnce = !other.words.ko || !other.words.en;
  if (other.category === 'K-Pop Group' && isNamedOnce && !(one.debutDate && other.debutDate)) return false;
  return agree(one, other);
}

/**
 * Whether a star is one that an import brought, which has no day of birth in the file either: the same file again brings nobody twice.
 */
function wasImported({ document: standing, writers }: StandingStar, document: StarDocument): boolean {
  const isNamedByImport = (['ko', 'en'] as const).every(
    (lang) => !document.words[lang] || writers.get(`words.${lang}.name`) === 'import',
  );
  if (!isNamedByImport || standing.category !== document.category || isDay(document.birthDate)) return false;
  const born = standing.birthDate ?? '';
  const isSameBirth =
    writers.get('birthDate') === 'person'
      ? born.startsWith(document.birthDate ?? '')
      : born === (document.birthDate ?? '');
  const debut = writers.get('debutDate') === 'import' ? standing.debutDate : undefined;
  return isSameBirth && (!debut || !document.debutDate || debut === document.debutDate);
}

const isDay = (date: PartialDate | null | undefined): boolean => !!date && precisionOf(date) === 'day';

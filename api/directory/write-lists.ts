import type { Transaction } from '#db/client.ts';
import {
  findReferredStars,
  type StarList,
  type StarWithDocument,
  type StoredMember,
  type StoredSocialLink,
  starLists,
} from '#db/queries/directory/document.ts';
import {
  type ItemWrite,
  writeAchievements,
  writeMembers,
  writePhotos,
  writeSocialLinks,
  writeTimeline,
} from '#db/queries/directory/write-lists.ts';
import { lockShownPictures } from '#db/queries/shown-picture.ts';
import { BadInput } from '../errors.ts';
import { unavailablePicture } from '../media/unavailable-picture.ts';
import { listLimits } from './model.ts';
import { completed, listReaders, type StarInput } from './read-document.ts';

/** Members, photos, timeline, awards and accounts of a star: read against what stands, and written (`saveStar` calls both). */

/** What a change of a star says of its lists. */
export interface ListsOfStar {
  document: Pick<StarInput, StarList>;
  /** Ids of the entries of a list, in the order of the document's; without them entries are known by what they say. */
  itemIds?: Partial<Record<StarList, readonly (number | undefined)[]>>;
  /** What becomes of stars and pictures that are named and not there. */
  missing?: 'refuse' | 'leave-out';
}

/** A list as a change leaves it. */
export interface ReadList {
  list: StarList;
  items: ItemWrite<object>[];
  /** An entry is new, gone, another one or, where the order is the editor's, elsewhere. */
  isChanged: boolean;
}

/** Lists whose order an editor decides; the others stand by date or by followers. */
export const orderedLists: ReadonlySet<StarList> = new Set(['members', 'photos']);

/** For `JSON.stringify`: the same text in whichever order a file has the fields. */
const sortKeys = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** What an entry of a list is known by where no id says it. */
export function nameOfItem(list: StarList, item: object): string {
  const value = (name: string) => JSON.stringify(Reflect.get(item, name) ?? null, sortKeys);
  switch (list) {
    case 'members':
      return Reflect.has(item, 'star') ? value('star') : value('names');
    case 'photos':
      return value('picture');
    case 'timeline':
      return value('date') + value('type') + value('words');
    case 'achievements':
      return value('awardDate') + value('words');
    case 'socialLinks':
      return value('profileUrl');
  }
}

/**
 * Finds entries of a list by what they are known by.
 * @returns a function that gives the place of the next entry of a name, each place once, undefined when none is left
 */
export function makeMatcher<Name>(names: readonly Name[]): (name: Name) => number | undefined {
  const free = Map.groupBy(names.keys(), (place) => names[place]);
  return (name) => free.get(name)?.shift();
}

/** The lists of a change: each entry laid over what is stored of it. @throws BadInput */
export async function readLists(
  tx: Transaction,
  save: ListsOfStar,
  before: StarWithDocument | undefined,
): Promise<ReadList[]> {
  const lists: ReadList[] = [];
  for (const list of starLists) {
    const given = save.document[list];
    if (given === undefined) continue;
    const stored: readonly object[] = before?.document[list] ?? [];
    const storedIds = before?.itemIds[list] ?? [];
    const read = listReaders[list] as (item: unknown, at: string) => object;
    const givenIds = save.itemIds?.[list];
    const items = given.map((item, place) => ({ item: read(item, `${list}.${place}.`), place }));
    const takeById = makeMatcher(storedIds);
    const takeByName = makeMatcher(givenIds ? [] : stored.map((item) => nameOfItem(list, item)));
    const written = (await withReferences(tx, list, items, save, stored)).map(({ item, place }) => {
      const givenId = givenIds?.[place];
      const byId = givenId === undefined ? undefined : takeById(givenId);
      const known = givenIds ? byId : takeByName(nameOfItem(list, item));
      const standing = known === undefined ? undefined : stored[known];
      const whole = completed(list, standing, item);
      const id = known === undefined ? undefined : storedIds[known];
      return { id, item: whole, isChanged: !Bun.deepEquals(whole, standing) };
    });
    const isMoved = orderedLists.has(list) && written.some(({ id }, place) => id !== storedIds[place]);
    const isGone = written.filter(({ id }) => id !== undefined).length < storedIds.length;
    const isChanged = isGone || isMoved || written.some((item) => item.isChanged);
    lists.push({ list, items: written, isChanged });
  }
  const itemsOf = (name: StarList) => lists.find(({ list }) => list === name)?.items.map(({ item }) => item);
  refuseRepeatedLinks((itemsOf('socialLinks') ?? []) as StoredSocialLink[]);
  refuseRepeatedMembers((itemsOf('members') ?? []) as StoredMember[]);
  return lists;
}

/** No list gets longer than one that an import brings back. @throws BadInput */
export function refuseOverfull(list: StarList, length: number): void {
  const most = listLimits[list];
  if (length > most) throw new BadInput(list, `Must have at most ${most} entries.`, 'entries', most);
}

/** Who left and came back stands there once for each time; nobody is a member twice at once. @throws BadInput */
export function refuseRepeatedMembers(
  members: readonly { star?: string | null; isFormer?: boolean; until?: string | null }[],
): void {
  const seen = new Set<unknown>();
  for (const [place, { star, isFormer, until }] of members.entries()) {
    if (!star || isFormer || until) continue;
    if (seen.has(star))
      throw new BadInput(`members.${place}.star`, 'Is a member of this group already.', 'known_member');
    seen.add(star);
  }
}

/** No account stands there twice. @throws BadInput */
export function refuseRepeatedLinks(links: readonly { profileUrl: string }[]): void {
  const seen = new Set<unknown>();
  for (const [place, { profileUrl }] of links.entries()) {
    if (seen.has(profileUrl))
      throw new BadInput(`socialLinks.${place}.profileUrl`, 'This star has this account already.', 'known');
    seen.add(profileUrl);
  }
}

/**
 * Entries with the stars and pictures that they name, by the slugs and keys that the directory has for them.
 * @throws BadInput for one that is not there, and for a member without a name
 */
async function withReferences<Item extends object>(
  tx: Transaction,
  list: StarList,
  items: readonly { item: Item; place: number }[],
  { missing = 'refuse' }: ListsOfStar,
  stored: readonly object[],
): Promise<{ item: Item; place: number }[]> {
  const keyOf = (item: object): string | undefined => Reflect.get(Reflect.get(item, 'picture') ?? {}, 'key');
  const storedKeys = new Set(stored.flatMap((item) => keyOf(item) ?? []));
  const keys = items.flatMap(({ item }) => keyOf(item) ?? []).filter((key) => !storedKeys.has(key));
  const unavailable = await lockShownPictures(tx, keys);
  const references = items.flatMap(({ item }) => {
    const star: unknown = Reflect.get(item, 'star');
    return typeof star === 'string' ? [star] : [];
  });
  const referred = await findReferredStars(references, tx);
  return items.flatMap(({ item, place }) => {
    const key = keyOf(item);
    const reason = key !== undefined && unavailable.get(key);
    if (reason) {
      if (missing === 'leave-out') return [];
      throw unavailablePicture(`${list}.${place}.picture`, reason);
    }
    if (list !== 'members') return [{ item, place }];
    const given: unknown = Reflect.get(item, 'star');
    const star = typeof given === 'string' ? referred.get(given) : undefined;
    if (typeof given === 'string' && !star && missing === 'refuse')
      throw new BadInput(`${list}.${place}.star`, 'Is no star of the directory.', 'unknown');
    const names: object = Reflect.get(item, 'names') ?? {};
    if (Object.keys(names).length === 0)
      throw new BadInput(`${list}.${place}.names`, 'Needs a name.', 'required');
    return [{ item: { ...item, ...(given === undefined ? {} : { star: star?.slug ?? null }) }, place }];
  });
}

/** @returns ids of the entries in the order given @throws BadInput */
export async function writeList(
  tx: Transaction,
  id: number,
  list: StarList,
  items: ReadList['items'],
): Promise<number[]> {
  switch (list) {
    case 'members': {
      const members = items as ItemWrite<StoredMember>[];
      const slugs = members.flatMap(({ item }) => item.star ?? []);
      const referred = await findReferredStars(slugs, tx);
      if (members.some(({ item }) => item.star && referred.get(item.star)?.id === id))
        throw new BadInput('members', 'A group is no member of itself.', 'itself');
      return writeMembers(
        tx,
        id,
        members.map(({ item, ...rest }) => ({
          ...rest,
          item: { ...item, memberId: (item.star && referred.get(item.star)?.id) || null },
        })),
      );
    }
    case 'photos':
      return writePhotos(tx, id, items as Parameters<typeof writePhotos>[2]);
    case 'timeline':
      return writeTimeline(tx, id, items as Parameters<typeof writeTimeline>[2]);
    case 'achievements':
      return writeAchievements(tx, id, items as Parameters<typeof writeAchievements>[2]);
    case 'socialLinks':
      return writeSocialLinks(tx, id, items as Parameters<typeof writeSocialLinks>[2]);
  }
}

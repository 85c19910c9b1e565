import { database } from '#db/client.ts';
import {
  contentVersion,
  findStarDocument,
  type StarList,
  type StarWithDocument,
  starLists,
} from '#db/queries/directory/document.ts';
import { BadInput, ChangedSince, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { KeepAnswer } from '../plugins/idempotency.ts';
import { missingStar } from './missing-star.ts';
import { refuseOverfull } from './write-lists.ts';
import { lockedStar, saveStar } from './write-star.ts';

/** Members, photos, timeline, awards and accounts of a star, entry by entry. All of it goes through `saveStar`. */

/** An entry as it stands, with what names it: its id, and the version that a change sends back. */
export type StoredItem = { id: number; version: string; starId?: number | null } & Record<string, unknown>;

/** The entries of a list of a star, in their order. @throws NotFound */
export async function readItems(starId: number, list: StarList): Promise<{ items: StoredItem[] }> {
  const star = await findStarDocument(starId);
  if (!star) throw await missingStar(starId);
  return { items: itemsOf(star, list) };
}

/** All lists of a star. @throws NotFound */
export async function readLists(starId: number): Promise<Record<StarList, StoredItem[]>> {
  const star = await findStarDocument(starId);
  if (!star) throw await missingStar(starId);
  return Object.fromEntries(starLists.map((list) => [list, itemsOf(star, list)])) as Record<
    StarList,
    StoredItem[]
  >;
}

function itemsOf({ document, itemIds, memberIds }: StarWithDocument, list: StarList): StoredItem[] {
  return (document[list] ?? []).map((item, place) => ({
    ...item,
    ...(list === 'members' ? { starId: memberIds[place] ?? null } : {}),
    id: itemIds[list][place] ?? 0,
    version: contentVersion(item),
  }));
}

/** What an editor sends of an entry; `starId` may stand for the slug of a member's profile. */
type SentItem = object & { starId?: number | null; version?: string };

/**
 * Adds an entry: at the end of a list that has an order.
 * @param keepAnswer stores the answer in the transaction that adds it
 * @throws NotFound, BadInput
 */
export async function addItem(
  starId: number,
  list: StarList,
  item: SentItem,
  actorId: number,
  keepAnswer?: KeepAnswer<{ id: number }>,
): Promise<{ id: number }> {
  const added = (ids: readonly number[]) => ({ id: ids.at(-1) ?? 0 });
  const append = (entries: Entry[]) => {
    refuseOverfull(list, entries.length + 1);
    const entry = { item, id: undefined };
    return { entries: [...entries, entry], edited: entry };
  };
  return added(
    await editList(starId, list, actorId, append, async (tx, ids) => keepAnswer?.(tx, added(ids))),
  );
}

/** Changes what is given of an entry. @throws NotFound, BadInput; ChangedSince */
export async function changeItem(
  starId: number,
  list: StarList,
  itemId: number,
  { version, ...change }: SentItem,
  actorId: number,
): Promise<void> {
  await editList(starId, list, actorId, (entries, stored) => {
    const standing = itemNamed(entries, itemId);
    const current = stored.find(({ id }) => id === itemId);
    if (version !== undefined && version !== current?.version) throw new ChangedSince(current);
    const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const entry = { id: itemId, item: { ...standing.item, ...said } };
    return { entries: entries.map((each) => (each === standing ? entry : each)), edited: entry };
  });
}

/** Takes an entry out. @throws NotFound */
export async function removeItem(
  starId: number,
  list: StarList,
  itemId: number,
  actorId: number,
): Promise<void> {
  await editList(starId, list, actorId, (entries) => {
    const gone = itemNamed(entries, itemId);
    return { entries: entries.filter((each) => each !== gone) };
  });
}

/** Puts the entries of a list into another order. @throws NotFound, BadInput unless each is named once */
export async function orderItems(
  starId: number,
  list: StarList,
  ids: readonly number[],
  actorId: number,
): Promise<void> {
  await editList(starId, list, actorId, (entries) => {
    if (ids.length !== entries.length || new Set(ids).size !== ids.length)
      throw new BadInput('ids', 'Must name every entry once.', 'unknown');
    return {
      entries: ids.map((id) => {
        const entry = entries.find((each) => each.id === id);
        if (!entry) throw new BadInput('ids', 'Must name every entry once.', 'unknown');
        return entry;
      }),
    };
  });
}

interface Entry {
  id: number | undefined;
  item: SentItem;
}

function itemNamed(entries: readonly Entry[], id: number): Entry {
  const entry = entries.find((each) => each.id === id);
  if (!entry) throw new NotFound('Entry');
  return entry;
}

/**
 * @param keepAnswer stores the ids in the transaction that writes
 * @returns ids of the entries in the order that `edit` gave them
 */
async function editList(
  starId: number,
  list: StarList,
  actorId: number,
  edit: (entries: Entry[], stored: StoredItem[]) => { entries: Entry[]; edited?: Entry },
  keepAnswer?: KeepAnswer<readonly number[]>,
): Promise<number[]> {
  const { ids, tags } = await database().transaction(async (tx) => {
    const star = await lockedStar(tx, starId);
    const stored = star.document[list] ?? [];
    const before = stored.map((item, place): Entry => ({ id: star.itemIds[list][place], item }));
    const { entries, edited } = edit(before, itemsOf(star, list));
    const place = edited ? entries.indexOf(edited) : -1;
    const items = await Promise.all(
      entries.map(async (entry) => {
        const { starId: memberId, ...item } = entry.item;
        if (memberId === undefined) return item;
        if (memberId === null) return { ...item, star: null };
        const member = await findStarDocument(memberId, tx);
        if (!member) throw new BadInput('starId', 'Is no star of the directory.', 'unknown');
        const { slug, words } = member.document;
        return { ...item, star: slug, ...(isNameless(item) && { names: namesOf(words) }) };
      }),
    );
    const saved = await saveStar(tx, {
      id: starId,
      document: { [list]: items },
      itemIds: { [list]: entries.map(({ id }) => id) },
      actorId,
      action: 'star.edit',
      byPerson: true,
    }).catch((error: unknown) => {
      throw atItem(error, `${list}.${place}.`);
    });
    const ids = saved.itemIds[list] ?? [];
    await keepAnswer?.(tx, ids);
    return { ids, tags: saved.tags };
  });
  await invalidate(tags);
  return ids;
}

/** Whoever is a star here has its names. */
const isNameless = (item: object) => Object.keys(Object(Reflect.get(item, 'names'))).length === 0;
const namesOf = (words: StarWithDocument['document']['words']) =>
  Object.fromEntries(Object.entries(words).map(([language, own]) => [language, own.name]));

/** The same refusal, its field named as whoever sent one entry knows it. */
function atItem(error: unknown, start: string): unknown {
  if (!(error instanceof BadInput) || !error.field?.startsWith(start)) return error;
  return new BadInput(error.field.slice(start.length), error.message, error.code, error.more.most);
}

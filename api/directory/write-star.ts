import { placeholderOf } from '#content/art/ramp.ts';
import type { FactSource } from '#content/fact-source.ts';
import { normalized } from '#content/normalize.ts';
import { romanizations } from '#content/romanization.ts';
import type { Transaction } from '#db/client.ts';
import { isLockedByOthers } from '#db/database-errors.ts';
import type { AuditAction } from '#db/queries/admin/audit.ts';
import {
  findParents,
  findReferredStars,
  findStarDocument,
  type StarList,
  type StarWithDocument,
  type StoredDocument,
} from '#db/queries/directory/document.ts';
import {
  deleteTakenOffers,
  type Fact,
  findFacts,
  writeFacts,
  writeOffers,
} from '#db/queries/directory/facts.ts';
import { isImportRunning } from '#db/queries/directory/import.ts';
import {
  addExternalIds,
  findSlugs,
  findSlugsEver,
  insertStar,
  lockStar,
  type StarLook,
  writeAliases,
  writeProfile,
  writeStarRow,
  writeWords,
} from '#db/queries/directory/write.ts';
import { lockShownPictures } from '#db/queries/shown-picture.ts';
import { BadInput, Conflict } from '../errors.ts';
import { unavailablePicture } from '../media/unavailable-picture.ts';
import type { Tag } from '../tags.ts';
import { planAnniversaries } from './anniversaries.ts';
import { missingStar } from './missing-star.ts';
import { type ReadDocument, readOwnFields, type StarInput } from './read-document.ts';
import { recordChanges, type StarChange } from './record-changes.ts';
import { searchWords } from './search-words.ts';
import { applied, emptied, fieldsOf, refuseIncomplete } from './star-fields.ts';
import { chooseLook } from './star-look.ts';
import { type ListsOfStar, readLists, writeList } from './write-lists.ts';

/** A change of a star, whoever makes it: an editor, an import, a revision that is brought back. */
interface StarSave extends ListsOfStar {
  /** Undefined for a new star. */
  id: number | undefined;
  /** Only the fields in it are written; null empties one. */
  document: StarInput;
  /** null: an operator at the command line. */
  actorId: number | null;
  action: AuditAction;
  /** Where its fields are from, unless the document says so of one. */
  source?: FactSource;
  /** A person wrote it: an import will never overwrite it, but offer what it knows (decision M6). */
  byPerson: boolean;
  /** Refuses the change by throwing, once nobody else can write the star. */
  check?: (before: StarWithDocument) => Promise<void>;
  /** Facts that come with its fields, from a star that is merged into it: they say where a field is from and whether a person wrote it. */
  facts?: ReadonlyMap<string, Fact>;
  /** The star before parts of this change that were written already, as merging does. */
  earlier?: StoredDocument;
}

/** What a change came to. */
interface SavedStar {
  id: number;
  /** Fields by their paths, such as `words.ko.name`; empty when nothing was changed. */
  changedFields: string[];
  /** Fields that a person had written otherwise: they stay, and the import's value is offered. */
  offeredFields: string[];
  /** What is out of date; told by `invalidate` after the commit. */
  tags: Tag[];
  /** Ids of the entries of the lists that were written, in the order given. */
  itemIds: Partial<Record<StarList, number[]>>;
}

/** What is out of date once a star itself has changed. */
export const tagsOfStar = (id: number): Tag[] => [
  'stars',
  `star:${id}`,
  'feed',
  'events',
  'channels',
  'sitemap',
];

/**
 * The one way in which a star changes: rules, sources of facts, what a person wrote against what an import knows, the revision,
 * the audit log and the events that follow from its dates, in the caller's transaction. Its caller invalidates its `tags` after the commit.
 * @throws NotFound, BadInput
 */
export async function saveStar(tx: Transaction, save: StarSave): Promise<SavedStar> {
  const { change, ...saved } = await writeStar(tx, save);
  if (!change) return saved;
  await recordChanges(tx, [change]);
  const tags = [...saved.tags, ...(await planAnniversaries(tx, [saved.id]))];
  return { ...saved, tags: [...new Set(tags)] };
}

/**
 * The same for whoever writes many stars: recording the changes and planning the anniversaries are left to the caller, who does them
 * for many at once, in the same transaction.
 * @throws NotFound, BadInput
 */
export async function writeStar(
  tx: Transaction,
  save: StarSave,
): Promise<SavedStar & { change?: StarChange }> {
  const { document: input, actorId, action, byPerson } = save;
  const own = readOwnFields(input);
  const lock = byPerson ? lockedStar : lockStarWithDocument;
  const before = save.id === undefined ? undefined : await lock(tx, save.id);
  if (before) await save.check?.(before);
  const stored = before?.document;
  const lists = await readLists(tx, save, before);
  const current = new Map(stored ? fieldsOf(stored) : []);
  const facts = before ? await findFacts(before.id, tx) : new Map<string, Fact>();
  const sourceOf = (field: string) => own.sources?.[field] ?? save.source ?? null;
  const isPersons = (field: string) => {
    const fact = facts.get(field);
    // Without a fact it is from before sources were kept, when only people wrote.
    return before !== undefined && (fact ? fact.editedAt !== null : current.has(field));
  };

  const changes = new Map<string, unknown>();
  const offers: { field: string; offered: unknown; source: FactSource }[] = [];
  const take = (field: string, value: unknown) => {
    const source = sourceOf(field);
    if (byPerson || !isPersons(field)) changes.set(field, value);
    else if (emptied(value) !== null) offers.push({ field, offered: value, source: source ?? unnamed });
  };
  for (const [field, value] of fieldsOf(own))
    if (!Bun.deepEquals(emptied(value), emptied(current.get(field)))) take(field, value);
  for (const { list, items, isChanged } of lists)
    if (isChanged)
      take(
        list,
        items.map(({ item }) => item),
      );

  const changedSources = Object.entries(own.sources ?? {})
    .filter(([field]) => current.has(field) && !changes.has(field) && (byPerson || !isPersons(field)))
    .filter(([field, source]) => !Bun.deepEquals(facts.get(field)?.source ?? undefined, source))
    .map(([field]) => field);
  const newIds = withoutKnownIds(own, before);
  const changedFields = [
    ...changes.keys(),
    ...changedSources.map((field) => `sources.${field}`),
    ...Object.keys(newIds).map((source) => `externalIds.${source}`),
  ];
  if (before && offers.length > 0) await writeOffers(tx, before.id, offers);
  const saved = { changedFields, offeredFields: offers.map(({ field }) => field), itemIds: {} };
  if (before && changedFields.length === 0 && !save.earlier) return { ...saved, id: before.id, tags: [] };

  const after = applied(stored, changes);
  refuseIncomplete(after, changes);
  const look = before && (await changedLook(tx, before, after, byPerson));
  const { id, slug } = before
    ? { id: before.id, slug: before.document.slug }
    : await insertNew(tx, after, own.slug ?? undefined, byPerson);
  await writeOwnFields(tx, id, { ...after, slug }, changes, save, { stored, look });
  await addExternalIds(tx, id, newIds);
  const itemIds: SavedStar['itemIds'] = {};
  for (const { list, items } of lists)
    if (changes.has(list)) itemIds[list] = await writeList(tx, id, list, items);
  await writeFacts(
    tx,
    id,
    [...changes.keys(), ...changedSources].map((field) => ({
      field,
      source: sourceOf(field),
      editedAt: byPerson ? ('now' as const) : null,
      ...save.facts?.get(field),
    })),
  );
  if (before)
    await deleteTakenOffers(
      tx,
      id,
      [...changes].map(([field, value]) => ({ field, value })),
    );
  const change = { starId: id, actorId, action, before: save.earlier ?? stored, changedFields };
  return { ...saved, id, itemIds, tags: tagsOfStar(id), change };
}

/** Where an offer is from when the imported file does not say. */
const unnamed: FactSource = { name: 'import' };

/** Numbers in other directories that are not noted yet. */
function withoutKnownIds(own: ReadDocument, before: StarWithDocument | undefined) {
  const known = before?.externalNames ?? [];
  return Object.fromEntries(
    Object.entries(own.externalIds ?? {}).filter((entry) => !known.includes(entry.join(':'))),
  );
}

const importRunning = 'An import is writing this star: save it again when that is done.';

/** Does an editor's work on stars. @throws Conflict while an import keeps one of them */
export async function refuseDuringImport<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (isLockedByOthers(error) && (await isImportRunning()))
      throw new Conflict('import_running', importRunning);
    throw error;
  }
}

/** For a person: a star that nobody else can change before the transaction ends. @throws NotFound; Conflict while an import keeps it */
export const lockedStar = (
  tx: Transaction,
  id: number,
  how?: Parameters<typeof lockStar>[2],
): Promise<StarWithDocument> => refuseDuringImport(() => lockStarWithDocument(tx, id, how));

async function lockStarWithDocument(
  tx: Transaction,
  id: number,
  how?: Parameters<typeof lockStar>[2],
): Promise<StarWithDocument> {
  const star = (await lockStar(tx, id, how)) ? await findStarDocument(id, tx) : undefined;
  if (!star) throw await missingStar(id);
  return star;
}

async function writeOwnFields(
  tx: Transaction,
  id: number,
  after: StoredDocument,
  changes: ReadonlyMap<string, unknown>,
  { missing = 'refuse' }: StarSave,
  { stored, look }: { stored: StoredDocument | undefined; look: StarLook | undefined },
): Promise<void> {
  const pictures = (['hero', 'avatar'] as const).filter((field) => changes.has(field) && after[field]);
  const unavailable = await lockShownPictures(
    tx,
    pictures.flatMap((field) => after[field]?.key ?? []),
  );
  const checked = { ...after };
  for (const field of pictures) {
    const reason = unavailable.get(after[field]?.key ?? '');
    if (!reason) continue;
    if (missing === 'refuse') throw unavailablePicture(field, reason);
    checked[field] = stored?.[field];
  }
  await writeStarRow(tx, id, checked, await searchWords(tx, checked), look);
  await writeProfile(tx, id, checked, await parentId(tx, id, checked.parent, missing));
  if (!Bun.deepEquals(stored?.words, checked.words)) await writeWords(tx, id, checked.words);
  if (changes.has('aliases')) await writeAliases(tx, id, checked.aliases ?? []);
}

/** How a star looks with another name or colour; undefined: as before. */
async function changedLook(
  tx: Transaction,
  before: StarWithDocument,
  after: StoredDocument,
  isThorough: boolean,
): Promise<StarLook | undefined> {
  const { id, accent, document } = before;
  const namesOf = ({ words }: StoredDocument) => Object.values(words).map(({ name }) => name);
  const isSame =
    document.fandomColor === after.fandomColor && Bun.deepEquals(namesOf(document), namesOf(after));
  if (isSame) return undefined;
  const drawn = document.fandomColor === undefined ? accent : undefined;
  return chooseLook(tx, after, await searchWords(tx, after), { id, slug: document.slug, drawn, isThorough });
}

/**
 * The group that a star belongs to as a part.
 * @throws BadInput with `unknown`, `itself`, `no_group`, or `circle` when that group belongs to the star
 */
async function parentId(
  tx: Transaction,
  id: number,
  reference: string | undefined,
  missing: StarSave['missing'],
): Promise<number | null> {
  if (reference === undefined) return null;
  const parent = (await findReferredStars([reference], tx)).get(reference);
  const refusal = await refusalOfParent(tx, id, parent?.id);
  if (!refusal) return parent?.id ?? null;
  if (missing === 'leave-out') return null;
  throw new BadInput('parent', 'Is no group that the star could belong to.', refusal);
}

async function refusalOfParent(tx: Transaction, id: number, parent: number | undefined) {
  if (parent === undefined) return 'unknown';
  if (parent === id) return 'itself';
  const above = await findParents(tx, parent);
  if (above.some((each) => each.id === id)) return 'circle';
  return above[0]?.category === 'K-Pop Group' ? undefined : 'no_group';
}

/** Adds a star under a slug of its own: namesakes get `-2`, `-3` … @throws BadInput */
async function insertNew(
  tx: Transaction,
  star: StoredDocument,
  wished: string | undefined,
  isThorough: boolean,
): Promise<{ id: number; slug: string }> {
  const base = wished ?? slugOf(star);
  const names = await searchWords(tx, star);
  const { category } = star;
  const look = await chooseLook(tx, star, names, { slug: base, isThorough });
  const placeholder = placeholderOf(look.accent);
  // Somebody else may take the slug in between; the next one is free then.
  for (;;) {
    // An export brings a star back under its own one; any other star of that name is somebody else.
    const taken = await (wished === undefined ? findSlugsEver : findSlugs)(tx, base);
    let slug = base;
    for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
    const id = await insertStar(tx, { ...names, slug, category, look, placeholder });
    if (id !== undefined) return { id, slug };
  }
}

/** The slug of a new star: of its English name, else of its Korean one in Latin letters. */
function slugOf({ words }: StoredDocument): string {
  const candidates = [words.en?.name, ...romanizations(words.ko?.name ?? ''), 'star'];
  for (const name of candidates) {
    const slug = normalized(name ?? '', 'NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 50)
      .replace(/^-+|-+$/g, '');
    // Digits alone are the number of a star.
    if (/[a-z]/.test(slug)) return slug;
  }
  return 'star';
}

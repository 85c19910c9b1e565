import { placeholderOf } from '#content/art/ramp.ts';
import { initials } from '#content/art/sign.ts';
import type { FactSource } from '#content/fact-source.ts';
import { type Lang, languages } from '#content/locales.ts';
import { romanizations } from '#content/romanization.ts';
import type { Transaction } from '#db/client.ts';
import { type AuditAction, recordDecisions } from '#db/queries/admin/audit.ts';
import {
  findParents,
  findReferredStars,
  findShownPictures,
  findStarDocument,
  findStarDocuments,
  type StarList,
  type StarWithDocument,
  type StoredDocument,
  type StoredMember,
  type StoredWords,
  starLists,
} from '#db/queries/directory/document.ts';
import {
  deleteTakenOffers,
  type Fact,
  findFacts,
  writeFacts,
  writeOffers,
} from '#db/queries/directory/facts.ts';
import { addRevisions } from '#db/queries/directory/revisions.ts';
import {
  addExternalIds,
  findGroups,
  findHiddenStars,
  findSlugs,
  findSlugsEver,
  type ItemWrite,
  insertStar,
  lockStar,
  type StarLook,
  type StarSearchWords,
  writeAchievements,
  writeAliases,
  writeMembers,
  writePhotos,
  writeProfile,
  writeSearchWords,
  writeSocialLinks,
  writeStarRow,
  writeTimeline,
  writeWords,
} from '#db/queries/directory/write.ts';
import { BadInput } from '../errors.ts';
import type { Tag } from '../tags.ts';
import { planAnniversaries } from './anniversaries.ts';
import { missingStar } from './missing-star.ts';
import {
  completed,
  listReaders,
  type ReadDocument,
  readOwnFields,
  refuseImpossibleDates,
  type StarInput,
} from './read-document.ts';
import { chooseLook } from './star-look.ts';

/** A change of a star, whoever makes it: an editor, an import, a revision that is brought back. */
interface StarSave {
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
  /** Ids of the entries of a list, in the order of the document's; without them entries are known by what they say. */
  itemIds?: Partial<Record<StarList, readonly (number | undefined)[]>>;
  /** The star before parts of this change that were written already, as merging does. */
  earlier?: StoredDocument;
  /** What becomes of stars and pictures that are named and not there. */
  missing?: 'refuse' | 'leave-out';
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

/** What a star was before a change, which is to be kept. */
export interface StarChanged {
  starId: number;
  actorId: number | null;
  action: AuditAction;
  before: StoredDocument | undefined;
  changedFields: readonly string[];
}

/**
 * The one way in which a star changes: rules, sources of facts, what a person wrote against what an import knows, the revision,
 * the audit log and the events that follow from its dates, in the caller's transaction. Its caller invalidates its `tags` after the commit.
 * @throws NotFound, BadInput
 */
export async function saveStar(tx: Transaction, save: StarSave): Promise<SavedStar> {
  const { change, ...saved } = await writeStar(tx, save);
  if (!change) return saved;
  await keepChanges(tx, [change]);
  const tags = [...saved.tags, ...(await planAnniversaries(tx, [saved.id]))];
  return { ...saved, tags: [...new Set(tags)] };
}

/** Keeps the revisions of these stars, each once, and notes in the audit log who changed them. */
export async function keepChanges(tx: Transaction, changes: readonly StarChanged[]): Promise<void> {
  const stars = await findStarDocuments(
    changes.map(({ starId }) => starId),
    tx,
  );
  const documents = new Map(stars.map(({ id, document }) => [id, document]));
  await addRevisions(
    tx,
    changes.map(({ starId, actorId, action, before }) => {
      return { starId, actorId, action, before, document: documents.get(starId) };
    }),
  );
  await recordDecisions(
    tx,
    changes.map(({ starId, actorId, action, before, changedFields }) => {
      const details = before ? { fields: changedFields } : undefined;
      return { actorId, action, subject: 'star', subjectId: starId, details };
    }),
  );
}

/**
 * The same for whoever writes many stars: keeping the changes and planning the anniversaries are left to the caller, who does
 * them once for all, in the same transaction.
 * @throws NotFound, BadInput
 */
export async function writeStar(
  tx: Transaction,
  save: StarSave,
): Promise<SavedStar & { change?: StarChanged }> {
  const { document: input, actorId, action, byPerson } = save;
  const own = readOwnFields(input);
  const before = save.id === undefined ? undefined : await lockedStar(tx, save.id);
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
    [...changes.keys(), ...changedSources].map((field) => ({ field, source: sourceOf(field), byPerson })),
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

/** A star that nobody else can change before the transaction ends. @throws NotFound */
export async function lockedStar(
  tx: Transaction,
  id: number,
  how?: Parameters<typeof lockStar>[2],
): Promise<StarWithDocument> {
  const star = (await lockStar(tx, id, how)) ? await findStarDocument(id, tx) : undefined;
  if (!star) throw await missingStar(id);
  return star;
}

const notFields: ReadonlySet<string> = new Set(['slug', 'sources', 'externalIds']);

/** A document as its fields, by the paths that facts have: words are a field per language and word. */
export function fieldsOf(
  document: {
    [Field in keyof StoredDocument]?: StoredDocument[Field] | null;
  },
): [string, unknown][] {
  return Object.entries(document).flatMap(([name, value]): [string, unknown][] => {
    if (notFields.has(name) || value === undefined) return [];
    if (name !== 'words') return [[name, value]];
    return Object.entries(document.words ?? {}).flatMap(([language, own]) =>
      Object.entries(own ?? {})
        .filter(([, text]) => text !== undefined)
        .map(([word, text]): [string, unknown] => [`words.${language}.${word}`, text]),
    );
  });
}

/** An empty list is no list. */
const emptied = (value: unknown): unknown =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;

/** The document with its changes. */
function applied(stored: StoredDocument | undefined, changes: ReadonlyMap<string, unknown>): StoredDocument {
  const words: Partial<Record<Lang, StoredWords>> = structuredClone(stored?.words ?? {});
  const fields: Record<string, unknown> = {};
  for (const [field, value] of changes) {
    const [start, language, word] = field.split('.');
    if (start !== 'words' || !language || !word) fields[field] = emptied(value) ?? undefined;
    else {
      const own = words[language as Lang] ?? { name: '' };
      words[language as Lang] = { ...own, [word]: value ?? undefined };
    }
  }
  const base: StoredDocument = stored ?? {
    slug: '',
    category: 'Idol',
    activity: 'active',
    words: {},
  };
  const withWords = Object.entries(words).filter(([, own]) => Object.values(own).some(Boolean));
  return { ...base, ...fields, words: Object.fromEntries(withWords) };
}

/** @throws BadInput for what no star can be without, and for dates that do not fit */
function refuseIncomplete(after: StoredDocument, changes: ReadonlyMap<string, unknown>): void {
  if (!after.words.ko?.name && !after.words.en?.name)
    throw new BadInput('words.ko.name', 'Needs a Korean or an English name.', 'required');
  for (const language of languages)
    if (after.words[language] && !after.words[language].name)
      throw new BadInput(`words.${language}.name`, 'Is required.', 'required');
  if (['birthDate', 'debutDate', 'endDate'].some((field) => changes.has(field))) refuseImpossibleDates(after);
}

interface ReadList {
  list: StarList;
  items: ItemWrite<object>[];
  /** An entry is new, gone, another one or, where the order is the editor's, elsewhere. */
  isChanged: boolean;
}

/** Lists whose order an editor decides; the others stand by date or by followers. */
const orderedLists: ReadonlySet<StarList> = new Set(['members', 'photos']);

/** What an entry of a list is known by where no id says it. */
export function nameOfItem(list: StarList, item: object): string {
  const value = (name: string) => JSON.stringify(Reflect.get(item, name) ?? null);
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

/** The lists of a change: each entry laid over what is stored of it. @throws BadInput */
async function readLists(
  tx: Transaction,
  save: StarSave,
  before: StarWithDocument | undefined,
): Promise<ReadList[]> {
  const lists: ReadList[] = [];
  for (const list of starLists) {
    const given = save.document[list];
    if (given === undefined) continue;
    const stored: readonly object[] = before?.document[list] ?? [];
    const storedIds = before?.itemIds[list] ?? [];
    const free = new Set(storedIds.keys());
    const take = (matches: (index: number) => boolean) => {
      const found = [...free].find(matches);
      if (found !== undefined) free.delete(found);
      return found;
    };
    const read = listReaders[list] as (item: unknown, at: string) => object;
    const givenIds = save.itemIds?.[list];
    const items = given.map((item, place) => ({ item: read(item, `${list}.${place}.`), place }));
    const written = (await withReferences(tx, list, items, save, stored)).map(({ item, place }) => {
      const known = givenIds
        ? take((index) => storedIds[index] === givenIds[place])
        : take((index) => nameOfItem(list, stored[index] ?? {}) === nameOfItem(list, item));
      const standing = known === undefined ? undefined : stored[known];
      const whole = completed(list, standing, item);
      const id = known === undefined ? undefined : storedIds[known];
      return { id, item: whole, isChanged: !Bun.deepEquals(whole, standing) };
    });
    const isMoved = orderedLists.has(list) && written.some(({ id }, place) => id !== storedIds[place]);
    const isChanged = free.size > 0 || isMoved || written.some((item) => item.isChanged);
    lists.push({ list, items: written, isChanged });
  }
  refuseRepeatedLinks(lists);
  refuseRepeatedMembers(lists);
  return lists;
}

/** Who left and came back stands there once for each time; nobody is a member twice at once. */
function refuseRepeatedMembers(lists: readonly ReadList[]): void {
  const seen = new Set<unknown>();
  const members = (lists.find(({ list }) => list === 'members')?.items ?? []) as ItemWrite<StoredMember>[];
  for (const [place, { item }] of members.entries()) {
    if (!item.star || item.isFormer || item.until) continue;
    if (seen.has(item.star))
      throw new BadInput(`members.${place}.star`, 'Is a member of this group already.', 'known_member');
    seen.add(item.star);
  }
}

function refuseRepeatedLinks(lists: readonly ReadList[]): void {
  const seen = new Set<unknown>();
  const links = lists.find(({ list }) => list === 'socialLinks')?.items ?? [];
  for (const [place, { item }] of links.entries()) {
    const address: unknown = Reflect.get(item, 'profileUrl');
    if (seen.has(address))
      throw new BadInput(`socialLinks.${place}.profileUrl`, 'This star has this account already.', 'known');
    seen.add(address);
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
  { missing = 'refuse' }: StarSave,
  stored: readonly object[],
): Promise<{ item: Item; place: number }[]> {
  const keyOf = (item: object): string | undefined => Reflect.get(Reflect.get(item, 'picture') ?? {}, 'key');
  const storedKeys = new Set(stored.flatMap((item) => keyOf(item) ?? []));
  const keys = items.flatMap(({ item }) => keyOf(item) ?? []).filter((key) => !storedKeys.has(key));
  const shown = await findShownPictures(keys, tx);
  const references = items.flatMap(({ item }) => {
    const star: unknown = Reflect.get(item, 'star');
    return typeof star === 'string' ? [star] : [];
  });
  const referred = await findReferredStars(references, tx);
  return items.flatMap(({ item, place }) => {
    const key = keyOf(item);
    if (key !== undefined && !storedKeys.has(key) && !shown.has(key)) {
      if (missing === 'leave-out') return [];
      throw new BadInput(`${list}.${place}.picture`, 'Is no picture that can be shown.', 'unknown');
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

async function writeList(
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

async function writeOwnFields(
  tx: Transaction,
  id: number,
  after: StoredDocument,
  changes: ReadonlyMap<string, unknown>,
  { missing = 'refuse' }: StarSave,
  { stored, look }: { stored: StoredDocument | undefined; look: StarLook | undefined },
): Promise<void> {
  const pictures = (['hero', 'avatar'] as const).filter((field) => changes.has(field) && after[field]);
  const shown = await findShownPictures(
    pictures.flatMap((field) => after[field]?.key ?? []),
    tx,
  );
  const checked = { ...after };
  for (const field of pictures) {
    if (shown.has(after[field]?.key ?? '')) continue;
    if (missing === 'refuse') throw new BadInput(field, 'Is no picture that can be shown.', 'unknown');
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
    const slug = (name ?? '')
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 50)
      .replace(/^-+|-+$/g, '');
    if (slug !== '') return slug;
  }
  return 'star';
}

/** Writes anew what the groups of a star are found by, once it is hidden or shown. */
export async function writeSearchWordsOfGroups(tx: Transaction, member: number): Promise<void> {
  for (const { id, document } of await findStarDocuments(await findGroups(tx, member), tx))
    await writeSearchWords(tx, id, await searchWords(tx, document));
}

/** What a star is found by; a member who is hidden gives no name away. */
async function searchWords(
  tx: Transaction,
  { words, aliases = [], members = [] }: StoredDocument,
): Promise<StarSearchWords> {
  const hidden = await findHiddenStars(
    tx,
    members.flatMap(({ star }) => star ?? []),
  );
  const name = words.ko?.name ?? words.en?.name ?? '';
  const sign = initials(name).join('');
  const terms = [
    ...Object.values(words).flatMap(({ name: translatedName, fandomName }) => [
      translatedName,
      fandomName ?? '',
    ]),
    ...aliases,
    ...members.flatMap(({ star, names }) => (hidden.has(star ?? '') ? [] : Object.values(names))),
    ...romanizations(name),
    sign,
  ];
  return { name, initials: sign, searchText: [...new Set(terms.filter(Boolean))].join(' ') };
}

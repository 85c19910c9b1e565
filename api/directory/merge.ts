import { database, type Transaction } from '#db/client.ts';
import { recordDecision } from '#db/queries/admin/audit.ts';
import { type StoredDocument, type StoredWords, starLists } from '#db/queries/directory/document.ts';
import { findFacts, writeFacts } from '#db/queries/directory/facts.ts';
import { countReferences, deleteStarRow, moveEverything } from '#db/queries/directory/merge.ts';
import {
  bringBackPastAnniversaries,
  findChannelId,
  setHidden,
  takeBackPastAnniversaries,
} from '#db/queries/directory/visibility.ts';
import { lockStar } from '#db/queries/directory/write.ts';
import type { FormerStar } from '#db/schema/directory.ts';
import { publishState } from '../community/live/live.ts';
import { BadInput, Conflict, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { Tag } from '../tags.ts';
import { planAnniversaries } from './anniversaries.ts';
import { listLimits } from './model.ts';
import type { StarInput } from './read-document.ts';
import { writeSearchWordsOfGroups } from './search-words.ts';
import { refuseOverfull } from './write-lists.ts';
import { lockedStar, refuseDuringImport, saveStar, tagsOfStar } from './write-star.ts';

/** A transaction for an editor. @throws Conflict while an import keeps one of the stars */
const editorTransaction = <Done>(work: (tx: Transaction) => Promise<Done>): Promise<Done> =>
  refuseDuringImport(() => database().transaction(work));

/** Hides a star from readers, who get 404, or shows it again. It may be so already. @throws NotFound; Conflict while an import keeps it */
export async function hideStar(id: number, isHidden: boolean, actorId: number): Promise<void> {
  const eventTags = await editorTransaction(async (tx) => {
    if (!(await lockStar(tx, id))) throw new NotFound('Star');
    if (!(await setHidden(tx, id, isHidden))) return [];
    await writeSearchWordsOfGroups(tx, id);
    const anniversaries = isHidden
      ? await takeBackPastAnniversaries(tx, id)
      : await bringBackPastAnniversaries(tx, id);
    await recordDecision(tx, {
      actorId,
      action: isHidden ? 'star.hide' : 'star.show',
      subject: 'star',
      subjectId: id,
      details: { anniversaries },
    });
    const planned = await planAnniversaries(tx, [id]);
    return [...planned, ...anniversaries.map((event) => `event:${event}` as const)];
  });
  await invalidate([...new Set<Tag>([...tagsOfStar(id), `channel:${id}`, 'talk', ...eventTags])]);
  // Its streams end.
  const channelId = await findChannelId(id);
  if (channelId !== undefined) publishState(channelId);
}

/**
 * Merges a star that is there twice into the other: all that refers to it, in one transaction. Its names become spellings of the
 * other, fields and words that the other lacks are taken over with where they are from and whether a person wrote them, and its number
 * leads there for ever.
 * @throws NotFound; BadInput for itself, and where a list would get longer than a star may have it; Conflict while an import keeps one of them
 */
export async function mergeStar(id: number, into: number, actorId: number): Promise<void> {
  if (id === into) throw new BadInput('into', 'Must be another star.', 'unknown');
  const changedTags = await editorTransaction(async (tx) => {
    // In the order of ids, so that two merges cannot wait for each other.
    const first = await lockStar(tx, Math.min(id, into), { isLeaving: id < into });
    const second = await lockStar(tx, Math.max(id, into), { isLeaving: id > into });
    if (!first || !second) {
      const hasSource = id < into ? first : second;
      if (!hasSource) throw new NotFound('Star');
      throw new BadInput('into', 'Is no star of the directory.', 'unknown');
    }
    const source = await lockedStar(tx, id);
    const { document: earlier, hiddenAt } = await lockedStar(tx, into);
    const facts = await findFacts(id, tx);
    await moveEverything(tx, id, into, formerOf(source.document));
    const anniversaries = await showPastAnniversaries(tx, into, {
      were: source.hiddenAt === null,
      are: hiddenAt === null,
    });
    await writeFacts(
      tx,
      into,
      starLists.flatMap((field) => {
        const fact = field in earlier ? undefined : facts.get(field);
        return fact ? [{ field, ...fact }] : [];
      }),
    );
    // What both say is said by the merge.
    facts.delete('aliases');
    const { document } = await lockedStar(tx, into);
    for (const list of starLists) {
      const length = document[list]?.length ?? 0;
      if (length > (earlier[list]?.length ?? 0)) refuseOverfull(list, length);
    }
    const taken = lacking(source.document, document);
    const own = new Set(Object.values({ ...document.words, ...taken.words }).map(({ name }) => name));
    const { aliases: standing = [] } = earlier;
    // Its names come first: where there is no room for all, they are of more use than how else the two were written.
    const names = [
      ...Object.values(source.document.words).map(({ name }) => name),
      ...standing,
      ...(source.document.aliases ?? []),
    ].filter((name) => !own.has(name));
    const aliases = [...new Set(names)].slice(0, Math.max(listLimits.aliases, standing.length));
    const { tags } = await saveStar(tx, {
      id: into,
      document: { ...taken, aliases },
      facts,
      actorId,
      action: 'star.merge',
      byPerson: true,
      missing: 'leave-out',
      earlier,
    });
    if ((source.hiddenAt === null) !== (hiddenAt === null)) await writeSearchWordsOfGroups(tx, into);
    const details = { into, merged: source.document, anniversaries };
    await recordDecision(tx, { actorId, action: 'star.merge', subject: 'star', subjectId: id, details });
    return [...tags, ...anniversaries.map((event) => `event:${event}` as const)];
  });
  const tags: Tag[] = [...tagsOfStar(id), `channel:${id}`, `channel:${into}`, 'talk'];
  await invalidate([...new Set([...tags, ...changedTags])]);
}

const formerOf = ({ slug, category, words, birthDate, debutDate }: StoredDocument): FormerStar => ({
  slug,
  category,
  words: Object.fromEntries(Object.entries(words).map(([lang, { name }]) => [lang, { name }])),
  ...(birthDate && { birthDate }),
  ...(debutDate && { debutDate }),
});

/** Past anniversaries that came with a merged star are shown as long as the star is, whose they are now. @returns ids of those that changed */
async function showPastAnniversaries(
  tx: Transaction,
  into: number,
  shown: { were: boolean; are: boolean },
): Promise<number[]> {
  if (shown.were === shown.are) return [];
  return shown.are ? bringBackPastAnniversaries(tx, into) : takeBackPastAnniversaries(tx, into);
}

/** What a star takes over where it says nothing of it itself. */
const takenOver = ['fandomColor', 'monthlyListeners', 'totalAlbumSales', 'hero', 'avatar'] as const;

/** The same between two people or two groups: a person who stands there as a group by mistake was not born as one. */
const takenOverWithinKind = ['birthDate', 'debutDate', 'endDate', 'height', 'bloodType', 'mbti'] as const;

/** What the other star says that this one says nothing of. */
function lacking(
  other: StoredDocument,
  document: StoredDocument,
): Omit<StarInput, 'words'> & Pick<StoredDocument, 'words'> {
  const isSameKind = (other.category === 'K-Pop Group') === (document.category === 'K-Pop Group');
  const fields = Object.fromEntries(
    [...takenOver, ...(isSameKind ? takenOverWithinKind : [])]
      .filter((field) => !(field in document) && field in other)
      .map((field) => [field, Reflect.get(other, field)]),
  ) as Partial<StoredDocument>;
  const hasParent = document.parent !== undefined || other.parent === document.slug;
  return {
    ...fields,
    ...(!hasParent && other.parent !== undefined && { parent: other.parent }),
    words: lackingWords(other.words, document.words, isSameKind),
  };
}

/** Words of the other star beside those that stand: a language that is not there is taken over with its name. */
function lackingWords(
  others: StoredDocument['words'],
  words: StoredDocument['words'],
  isSameKind: boolean,
): StoredDocument['words'] {
  const complete = ([language, { realName, ...other }]: [string, StoredWords]) => [
    language,
    { ...(isSameKind && realName !== undefined && { realName }), ...other, ...Reflect.get(words, language) },
  ];
  return Object.fromEntries(Object.entries(others).map(complete));
}

/** What refers to a star, each kind with how many: it moves when the star is merged, and keeps it from being deleted. */
export const readReferences = (id: number): Promise<Record<string, number>> =>
  database().transaction((tx) => countReferences(tx, id));

/** Deletes a star that nothing refers to. @throws NotFound; Conflict (`in_use`) with what does in `current` */
export async function deleteStar(id: number, actorId: number): Promise<void> {
  await database().transaction(async (tx) => {
    const { document } = await lockedStar(tx, id, { isLeaving: true });
    const references = await countReferences(tx, id);
    const counts = Object.entries(references).map(([what, count]) => `${what} (${count})`);
    if (counts.length > 0)
      throw new Conflict('in_use', `Is referred to by ${counts.join(', ')}.`, undefined, {
        current: references,
      });
    await deleteStarRow(tx, id);
    const details = { deleted: document };
    await recordDecision(tx, { actorId, action: 'star.delete', subject: 'star', subjectId: id, details });
  });
  await invalidate(tagsOfStar(id));
}

import { database, type Transaction } from '#db/client.ts';
import { findReferredStars, type StoredDocument, starLists } from '#db/queries/directory/document.ts';
import { findNewestNumber, findRevisions, type StarRevision } from '#db/queries/directory/revisions.ts';
import { pagination } from '../admin/paging.ts';
import { NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { Revision, RevisionList } from './calls-model.ts';
import { withoutMerged } from './compare.ts';
import { noOptionals, type StarInput } from './read-document.ts';
import { fieldsOf } from './star-fields.ts';
import { lockedStar, saveStar } from './write-star.ts';

/** Revisions on a page of a star's history. */
const pageSize = 100;

/** Who changed what of a star and when, newest first. Empty while nobody has. */
export async function readRevisions(starId: number, page = 1): Promise<RevisionList> {
  // They are numbered without gaps, so that the newest says how many there are and where a page begins.
  const total = await findNewestNumber(starId);
  const rows = await findRevisions(starId, { limit: pageSize + 1, from: total - (page - 1) * pageSize });
  return {
    revisions: rows.slice(0, pageSize).map((row, index) => headOf(row, rows[index + 1])),
    pagination: pagination(page, pageSize, total),
  };
}

/** A star as it was after a change. @throws NotFound */
export async function readRevision(starId: number, number: number): Promise<Revision> {
  const [revision, before] = await findRevisions(starId, { limit: 2, from: number });
  if (revision?.number !== number) throw new NotFound('Revision');
  return { ...headOf(revision, before), document: documentOf(revision) };
}

/**
 * Makes a star what it was: its own fields and its lists, as a new revision. Stars and pictures that are gone by now are left out.
 * @throws NotFound
 */
export async function restoreRevision(starId: number, number: number, actorId: number): Promise<void> {
  const [revision] = await findRevisions(starId, { limit: 1, from: number });
  if (revision?.number !== number) throw new NotFound('Revision');
  const { tags } = await database().transaction(async (tx) => {
    const { document: standing } = await lockedStar(tx, starId);
    return saveStar(tx, {
      id: starId,
      document: wholeOf(await withStarsOfNow(tx, documentOf(revision), standing.slug), standing),
      actorId,
      action: 'star.restore',
      byPerson: true,
      missing: 'leave-out',
    });
  });
  await invalidate(tags);
}

/**
 * The same with what its group was merged into since, and without members that are one star with another of them by now. One that was
 * merged into the group itself stays without a profile.
 */
async function withStarsOfNow(
  tx: Transaction,
  { members = [], parent, ...document }: StoredDocument,
  ownSlug: string,
): Promise<StoredDocument> {
  const references = [...members, { star: parent }].flatMap(({ star }) => star ?? []);
  const referred = await findReferredStars(references, tx);
  const slugOf = (reference: string) => referred.get(reference)?.slug;
  const others = members.map(({ star, ...member }) =>
    star === undefined || slugOf(star) === ownSlug ? member : { ...member, star },
  );
  return {
    ...document,
    ...(parent !== undefined && { parent: slugOf(parent) ?? parent }),
    members: withoutMerged(others, slugOf, (reference) => slugOf(reference) !== reference),
  };
}

/** What was written by `saveStar` alone. */
const documentOf = ({ document }: StarRevision) => document as StoredDocument;

function headOf(revision: StarRevision, before: StarRevision | undefined): RevisionList['revisions'][number] {
  const { number, action, createdAt, actor } = revision;
  const now = new Map(fieldsOf(documentOf(revision)));
  const then = new Map(before ? fieldsOf(documentOf(before)) : []);
  const changed = [...new Set([...then.keys(), ...now.keys()])].filter(
    (field) => !Bun.deepEquals(now.get(field), then.get(field)),
  );
  return { number, action, at: createdAt.toISOString(), actor, changed };
}

/** A document in which what is not known is null, so that writing it takes away what was added since. */
function wholeOf(
  { slug: _slug, externalIds: _ids, ...document }: StoredDocument,
  standing: StoredDocument,
): StarInput {
  const emptyWords = {
    agency: null,
    realName: null,
    nationality: null,
    fandomName: null,
    biography: null,
  };
  return {
    fandomColor: null,
    birthDate: null,
    debutDate: null,
    endDate: null,
    parent: null,
    height: null,
    bloodType: null,
    mbti: null,
    monthlyListeners: null,
    totalAlbumSales: null,
    hero: null,
    avatar: null,
    aliases: [],
    ...document,
    ...Object.fromEntries(
      starLists.map((list) => [
        list,
        (document[list] ?? []).map((item) => ({ ...noOptionals[list], ...item })),
      ]),
    ),
    words: {
      ...Object.fromEntries(Object.keys(standing.words).map((language) => [language, null])),
      ...Object.fromEntries(
        Object.entries(document.words).map(([language, own]) => [language, { ...emptyWords, ...own }]),
      ),
    },
  };
}

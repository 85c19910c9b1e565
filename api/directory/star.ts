import { defaultLanguage } from '#content/locales.ts';
import { database } from '#db/client.ts';
import { findNamesakes } from '#db/queries/directory/choose.ts';
import {
  findStarDocument,
  type Reader,
  type StarWithDocument,
  starLists,
} from '#db/queries/directory/document.ts';
import { declineOffer, findFacts, findOffers } from '#db/queries/directory/facts.ts';
import { ChangedSince, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { KeepAnswer } from '../plugins/idempotency.ts';
import type { EditableStar, NewStar, NewStarAnswer, StarChange } from './calls-model.ts';
import { missingStar } from './missing-star.ts';
import { saveStar } from './write-star.ts';

/** A star as its editor sees it: its own fields, where they are from and what is offered for them. @throws NotFound */
export async function readEditableStar(id: number): Promise<EditableStar> {
  const star = await findStarDocument(id);
  if (!star) throw await missingStar(id);
  return toEditable(star, database());
}

/** Declines what an import offers for a field of a star. @throws NotFound */
export async function declineStarOffer(starId: number, offerId: number, actorId: number): Promise<void> {
  if (!(await declineOffer(starId, offerId, actorId))) throw new NotFound('Offer');
}

/**
 * Adds a star, a namesake of others too.
 * @param keepAnswer stores the answer in the transaction that adds it
 * @returns its id and those whose name it has
 * @throws BadInput
 */
export async function addStar(
  input: NewStar,
  actorId: number,
  keepAnswer?: KeepAnswer<NewStarAnswer>,
): Promise<NewStarAnswer> {
  const { answer, tags } = await database().transaction(async (tx) => {
    const by = { actorId, action: 'star.add' as const, byPerson: true };
    const { id, tags } = await saveStar(tx, { id: undefined, document: input, ...by });
    const found = await findNamesakes(id, defaultLanguage, tx);
    const namesakes = found.map(({ id, slug, name, category }) => ({ id, slug, name, category }));
    const answer = { id, namesakes };
    await keepAnswer?.(tx, answer);
    return { answer, tags };
  });
  await invalidate(tags);
  return answer;
}

/**
 * Changes the fields of a star that are given; in a language that is given, the words that are given.
 * @returns the version that stands now
 * @throws NotFound, BadInput; ChangedSince when it is not the version that the editor had read
 */
export async function changeStar(
  id: number,
  { version, ...document }: StarChange,
  actorId: number,
): Promise<{ version: string }> {
  const { standing, tags } = await database().transaction(async (tx) => {
    const check = async (before: StarWithDocument) => {
      if (version !== undefined && version !== before.version)
        throw new ChangedSince(await toEditable(before, tx));
    };
    const saved = await saveStar(tx, {
      id,
      document,
      actorId,
      action: 'star.edit',
      byPerson: true,
      check,
    });
    return { standing: await findStarDocument(id, tx), tags: saved.tags };
  });
  await invalidate(tags);
  return { version: standing?.version ?? '' };
}

/** The star's own fields, those that nothing is known of as null. */
async function toEditable(
  { id, version, hiddenAt, accent, document }: StarWithDocument,
  reader: Reader,
): Promise<EditableStar> {
  const own = Object.fromEntries(
    Object.entries(document).filter(([field]) => !starLists.some((list) => list === field)),
  );
  const facts = await findFacts(id, reader);
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
    externalIds: {},
    ...(own as Omit<typeof document, (typeof starLists)[number]>),
    id,
    version,
    hiddenAt: hiddenAt?.toISOString() ?? null,
    accent,
    facts: Object.fromEntries(
      [...facts].map(([field, { source, editedAt }]) => [
        field,
        { source, editedAt: editedAt?.toISOString() ?? null },
      ]),
    ),
    offers: await findOffers(id, reader),
  };
}

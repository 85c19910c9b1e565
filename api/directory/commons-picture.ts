import { Temporal } from 'temporal-polyfill';
import { database } from '#db/client.ts';
import type { StarWithDocument } from '#db/queries/directory/document.ts';
import { BadInput } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import { addFetchedPicture } from '../media/library.ts';
import { commonsName, commonsRefusals, findCommonsPicture } from './commons.ts';
import { readEditableStar } from './star.ts';
import type { CommonsPicture, TakenPicture } from './wikidata-model.ts';
import { fetchWikiPicture, wikiClient } from './wikimedia.ts';
import { lockedStar, saveStar } from './write-star.ts';

type Place = TakenPicture['place'];

/**
 * Takes a picture of Commons into the library, with its author and licence, and shows it with a star: as its round or its large
 * picture where none is set, else among its photos. One that the star shows already stays where it is.
 * @throws NotFound; BadInput for a licence that is not free, and for what is gone; PictureRefused, Conflict and Unavailable as
 * uploads and look-ups do
 */
export async function takeCommonsPicture(
  starId: number,
  file: string,
  actorId: number,
): Promise<TakenPicture> {
  const { words } = await readEditableStar(starId);
  const answer = await findCommonsPicture(wikiClient(), file);
  if ('refused' in answer) throw refused(answer.refused);
  const { picture } = answer;
  const added = await addFetchedPicture(
    async () => {
      const bytes = await fetchWikiPicture(commonsName, picture.url);
      if (!bytes) throw refused('missing');
      return bytes;
    },
    {
      actorId,
      alt: Object.fromEntries(Object.entries(words).map(([language, { name }]) => [language, name])),
      credit: picture.credit,
      licence: picture.licence,
      creditUrl: picture.page,
    },
  );
  return { ...added, place: await showPicture(starId, added.key, picture, actorId) };
}

const refused = (reason: keyof typeof commonsRefusals) =>
  new BadInput('file', commonsRefusals[reason], reason);

/** Where the picture that is taken next is shown: nothing that stands makes way for it. */
export function freePlace(star: { avatar?: object | null; hero?: object | null }): Place {
  if (!star.avatar) return 'avatar';
  return star.hero ? 'photos' : 'hero';
}

function placeOf(
  { avatar, hero, photos = [] }: StarWithDocument['document'],
  key: string,
): Place | undefined {
  if (avatar?.key === key) return 'avatar';
  if (hero?.key === key) return 'hero';
  return photos.some(({ picture }) => picture.key === key) ? 'photos' : undefined;
}

async function showPicture(
  starId: number,
  key: string,
  { page, credit }: CommonsPicture,
  actorId: number,
): Promise<Place> {
  const readOn = Temporal.Now.plainDateISO('UTC').toString();
  const source = { name: commonsName, url: page, readOn };
  const { place, tags } = await database().transaction(async (tx) => {
    const { document, itemIds } = await lockedStar(tx, starId);
    const standing = placeOf(document, key);
    if (standing) return { place: standing, tags: [] };
    const place = freePlace(document);
    const photos = document.photos ?? [];
    const change =
      place === 'photos'
        ? {
            document: {
              photos: [
                ...photos,
                { picture: { key }, category: 'profile' as const, photographer: credit, words: {} },
              ],
            },
            itemIds: { photos: [...itemIds.photos, undefined] },
            // One source for all of them: of others it says nothing.
            ...(photos.length === 0 && { source }),
          }
        : { document: { [place]: { key } }, source };
    const by = { actorId, action: 'star.edit' as const, byPerson: true };
    const saved = await saveStar(tx, { id: starId, ...change, ...by });
    return { place, tags: saved.tags };
  });
  await invalidate(tags);
  return place;
}

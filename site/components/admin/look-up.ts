import { Value } from '@sinclair/typebox/value';
import { freePlace } from '#api/directory/commons-picture.ts';
import { readItems } from '#api/directory/lists.ts';
import { readEditableStar } from '#api/directory/star.ts';
import { readItem, searchItems } from '#api/directory/wikidata.ts';
import { type CommonsPicture, type Item, type ItemMatch, Offer } from '#api/directory/wikidata-model.ts';
import { ApiError } from '#api/errors.ts';
import { isLang, type Lang } from '#content/locales.ts';
import { findPicturePages } from '#db/queries/admin/pictures.ts';
import { callApiFor } from '../../lib/accounts/forms.ts';

/** What stands in the field of an offer: nothing, the same, something else; or it cannot be written at all. */
type Standing = 'free' | 'same' | 'other' | 'nameless' | 'elsewhere';

export interface OfferRow {
  /** Of a picture, its field is where it would stand. */
  offer: Offer;
  standing: Standing;
}

/** What a look-up found: items of a name, or one item with its offers, or why it found nothing. */
export interface LookUp {
  matches?: readonly ItemMatch[];
  item?: Item;
  rows?: readonly OfferRow[];
  /** Code of the API. */
  problem?: string;
}

/** Looks up what an editor asks for: an item by its number, items by anything else. */
export async function lookUp(starId: number, text: string, lang: Lang): Promise<LookUp> {
  try {
    if (!/^q\d+$/i.test(text)) return await searchItems(text, lang);
    const item = await readItem(text, lang);
    const standing = await standingOf(starId);
    const place = freePlace(await readEditableStar(starId));
    const rows = item.offers.map((offer) => ({
      offer: isPicture(offer.value) ? { ...offer, field: place } : offer,
      standing: standing(offer),
    }));
    return { item, rows };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.code };
    throw error;
  }
}

/** A picture of Commons, which no other value looks like. */
export const isPicture = (value: Offer['value']): value is CommonsPicture =>
  typeof value !== 'string' && 'file' in value;

/** How each offer compares with the star as it is now. */
async function standingOf(starId: number): Promise<(offer: Offer) => Standing> {
  const star = await readEditableStar(starId);
  const { items: members } = await readItems(starId, 'members');
  const { items: links } = await readItems(starId, 'socialLinks');
  const { items: photos } = await readItems(starId, 'photos');
  const keys = [star.avatar, star.hero, ...photos.map(({ picture }) => picture)].flatMap((picture) => {
    const key: unknown = Reflect.get(Object(picture), 'key');
    return typeof key === 'string' ? key : [];
  });
  const picturePages = await findPicturePages(keys);
  const accounts = new Set(links.map(({ profileUrl }) => profileUrl));
  const memberNames = members.flatMap(({ names }) => Object.values(Object(names)));
  const compare = (standing: unknown, value: unknown): Standing => {
    if (standing === undefined || standing === null || standing === '') return 'free';
    return standing === value ? 'same' : 'other';
  };
  return ({ field, value, of }) => {
    if (of) return of.starId === null ? 'elsewhere' : 'free';
    if (typeof value !== 'string') {
      if ('names' in value) {
        const isThere = Object.values(value.names).some((name) => memberNames.includes(name));
        return isThere ? 'same' : 'free';
      }
      if ('profileUrl' in value) return accounts.has(value.profileUrl) ? 'same' : 'free';
      return picturePages.has(value.page) ? 'same' : 'free';
    }
    const [, language, word] = field.match(/^words\.(\w+)\.(\w+)$/) ?? [];
    if (isLang(language) && word !== undefined) {
      const words = star.words[language];
      if (!words && word !== 'name') return 'nameless';
      return compare(words && Reflect.get(words, word), value);
    }
    if (field === 'aliases') return star.aliases?.includes(value) ? 'same' : 'free';
    if (field === 'externalIds.wikidata') return compare(star.externalIds?.wikidata, value);
    return compare(Reflect.get(star, field), value);
  };
}

/**
 * Takes one value by the calls that change a star, which keep its source. A field that says something by now keeps it.
 * @param json the offer, as the page sent it with its button
 * @returns undefined when it cannot be taken
 */
export async function takeOffer(request: Request, starId: number, json: string) {
  const offer = offerOf(json);
  if (!offer || (await standingOf(starId))(offer) !== 'free') return undefined;
  const { field, value, source, of } = offer;
  const id = of?.starId ?? starId;
  if (typeof value !== 'string') {
    if ('names' in value)
      return callApiFor(request, 'post', '/api/admin/stars/:id/members', { params: { id }, body: value });
    return 'profileUrl' in value
      ? callApiFor(request, 'post', '/api/admin/stars/:id/social-links', { params: { id }, body: value })
      : callApiFor(request, 'post', '/api/admin/stars/:id/commons-picture', {
          params: { id },
          body: { file: value.file },
        });
  }
  const star = await readEditableStar(id);
  const { version } = star;
  const change = (body: object) =>
    callApiFor(request, 'put', '/api/admin/stars/:id', {
      params: { id },
      body: { ...body, version, sources: { ...star.sources, [field]: source } },
    });
  const [, language, word] = field.match(/^words\.(\w+)\.(\w+)$/) ?? [];
  if (isLang(language) && word !== undefined)
    return change({ words: { [language]: { ...star.words[language], [word]: value } } });
  if (field === 'aliases') return change({ aliases: [...(star.aliases ?? []), value] });
  return field === 'externalIds.wikidata'
    ? change({ externalIds: { wikidata: value } })
    : change({ [field]: value });
}

function offerOf(json: string): Offer | undefined {
  try {
    const offer: unknown = JSON.parse(json);
    return Value.Check(Offer, offer) ? offer : undefined;
  } catch {
    return undefined;
  }
}

import { Temporal } from 'temporal-polyfill';
import { type Lang, languages } from '#content/locales.ts';
import { findStarsByExternalIds } from '#db/queries/directory/external-ids.ts';
import { config } from '../config.ts';
import { BadInput, NotFound } from '../errors.ts';
import { type Found, readOffers, referredItems } from './offers.ts';
import { descriptionOf, type ItemId, isItemId, labelOf, lineOf, own } from './wikibase.ts';
import type { Item, ItemMatch } from './wikidata-model.ts';
import { type AskWiki, wikiClient } from './wikimedia.ts';

const languageCodes = [...languages, 'mul'].join('|');
/** As many items as Wikidata answers at once, and as many times as we ask for names that an item refers to. */
const itemsAtOnce = 50;
const maxReferredItems = 150;
const maxMatches = 20;

const wikidata = () => ({ name: 'Wikidata', baseUrl: config().wikidataBaseUrl });
const addressOf = (id: ItemId) => `${config().wikidataBaseUrl}/wiki/${id}`;

/**
 * Items of Wikidata by a name in any language; by a number or the address of its page that item alone.
 * @throws BadInput; Unavailable in words
 */
export async function searchItems(q: string, language: Lang): Promise<{ matches: ItemMatch[] }> {
  const text = q.trim();
  if (text === '') throw new BadInput('q', 'Is required.', 'required');
  const ask = wikiClient();
  const id = itemIdIn(text);
  const matches =
    id === undefined ? await searchNames(ask, text, language) : await matchOf(ask, id, language);
  const stars = await findStarsByExternalIds(
    'wikidata',
    matches.map((match) => match.id),
  );
  return {
    matches: matches.map((match) => ({
      ...match,
      url: addressOf(match.id),
      starId: stars.get(match.id) ?? null,
    })),
  };
}

type Match = Pick<ItemMatch, 'label' | 'description'> & { id: ItemId };

/** `q42`, or the last part of an address such as `https://www.wikidata.org/wiki/Q42#P31`. */
function itemIdIn(text: string): ItemId | undefined {
  const id = text.match(/^(?:https?:\/\/\S*\/)?(q\d+)(?:[?#]\S*)?$/i)?.[1]?.toUpperCase();
  return isItemId(id) ? id : undefined;
}

async function searchNames(ask: AskWiki, text: string, language: Lang): Promise<Match[]> {
  const answer = await ask(wikidata(), {
    action: 'wbsearchentities',
    search: text,
    // Names of other languages are found by English, to which Wikidata falls back.
    language: /\p{Script=Hangul}/u.test(text) ? 'ko' : 'en',
    uselang: language,
    type: 'item',
    limit: String(maxMatches),
  });
  const found = own(answer, 'search');
  if (!Array.isArray(found)) return [];
  return found.slice(0, maxMatches).flatMap((each) => {
    const id = own(each, 'id');
    if (!isItemId(id)) return [];
    return {
      id,
      label: lineOf(own(each, 'label')) ?? id,
      description: lineOf(own(each, 'description'), 300) ?? null,
    };
  });
}

async function matchOf(ask: AskWiki, wantedId: ItemId, language: Lang): Promise<Match[]> {
  const entity = (await readItems(ask, [wantedId], 'labels|descriptions')).get(wantedId);
  if (entity === undefined) return [];
  const id = idOf(entity) ?? wantedId;
  return [{ id, label: nameOf(entity, language) ?? id, description: descriptionIn(entity, language) }];
}

/**
 * What Wikidata says of an item, as offers for the fields of a star's document. What an item refers to is named in every
 * language that Wikidata knows of ours; a picture is asked of Commons and offered under a free licence only.
 * @param timeout milliseconds for one answer
 * @throws NotFound; Unavailable in words
 */
export async function readItem(number: string, language: Lang, timeout?: number): Promise<Item> {
  const wantedId = itemIdIn(number);
  if (wantedId === undefined) throw new NotFound('Item of Wikidata');
  const ask = wikiClient(timeout);
  const entity = (await readItems(ask, [wantedId], 'labels|aliases|descriptions|claims')).get(wantedId);
  if (entity === undefined) throw new NotFound('Item of Wikidata');
  const id = idOf(entity) ?? wantedId;
  const today = Temporal.Now.plainDateISO('UTC').toString();
  const referred = await readItems(ask, referredItems(entity).slice(0, maxReferredItems), 'labels');
  const found: Found = {
    id,
    entity,
    referred,
    stars: await findStarsByExternalIds('wikidata', [id, ...referred.keys()]),
    source: { name: 'Wikidata', url: addressOf(id), readOn: today },
    today,
  };
  return {
    id,
    redirectedFrom: id === wantedId ? null : wantedId,
    label: nameOf(entity, language) ?? id,
    description: descriptionIn(entity, language),
    url: addressOf(id),
    starId: found.stars.get(id) ?? null,
    ...(await readOffers(ask, found)),
  };
}

/** Entities by the number that was asked for, also where they were merged into another. @throws Unavailable */
async function readItems(
  ask: AskWiki,
  ids: readonly ItemId[],
  props: string,
): Promise<ReadonlyMap<ItemId, unknown>> {
  const items = new Map<ItemId, unknown>();
  for (let first = 0; first < ids.length; first += itemsAtOnce) {
    const asked = ids.slice(first, first + itemsAtOnce);
    const answer = await ask(wikidata(), {
      action: 'wbgetentities',
      ids: asked.join('|'),
      redirects: 'yes',
      props: `info|${props}`,
      languages: languageCodes,
    });
    const entities = own(answer, 'entities');
    const all = Object.values(Object(entities));
    for (const id of asked) {
      const entity =
        own(entities, id) ??
        all.find((each) => own(own(each, 'redirects'), 'from') === id) ??
        (asked.length === 1 ? all[0] : undefined);
      if (isItemId(own(entity, 'id')) && own(entity, 'missing') === undefined) items.set(id, entity);
    }
  }
  return items;
}

function idOf(entity: unknown): ItemId | undefined {
  const id = own(entity, 'id');
  return isItemId(id) ? id : undefined;
}

const nameOf = (entity: unknown, language: Lang): string | undefined =>
  labelOf(entity, language) ?? labelOf(entity, 'en') ?? labelOf(entity, 'ko');

const descriptionIn = (entity: unknown, language: Lang): string | null =>
  descriptionOf(entity, language) ?? descriptionOf(entity, 'en') ?? null;

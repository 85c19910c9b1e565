import type { FactSource } from '#content/fact-source.ts';
import { type Lang, languages } from '#content/locales.ts';
import { socialPlatformEntry, socialPlatforms } from '#content/social-platforms.ts';
import { ApiError } from '../errors.ts';
import { parseAddress } from '../web-address.ts';
import { commonsName, commonsRefusals, findCommonsPicture } from './commons.ts';
import type { MemberDocument } from './model.ts';
import {
  aliasesOf,
  bestAndEndedStatements,
  bestStatements,
  dateOf,
  type ItemId,
  isOver,
  itemOf,
  labelOf,
  lineOf,
  periodOf,
  type Statement,
  textOf,
} from './wikibase.ts';
import type { Item, Offer } from './wikidata-model.ts';
import type { AskWiki } from './wikimedia.ts';

/** An item as it was found, with the items that it refers to and who of them is a star here. */
export interface Found {
  id: ItemId;
  entity: unknown;
  referred: ReadonlyMap<ItemId, unknown>;
  stars: ReadonlyMap<string, number>;
  source: FactSource;
  /** `YYYY-MM-DD` */
  today: string;
}

type Member = typeof MemberDocument.static;
type Property = `P${number}`;

const hasPart: Property = 'P527';
const memberOf: Property = 'P463';
const officialSite: Property = 'P856';
const image: Property = 'P18';

/** Words that are the name of an item: the record label, the country. */
const namedFields = { agency: 'P264', nationality: 'P27' } as const satisfies Record<string, Property>;

/** A group's debut is when it was founded or began to work: an editor sees both. */
const dateFields = [
  ['birthDate', 'P569'],
  ['debutDate', 'P2031'],
  ['debutDate', 'P571'],
] as const satisfies readonly (readonly [string, Property])[];

/** The items whose names are needed to say what an item says, those of most use first. */
export function referredItems(entity: unknown): ItemId[] {
  const statements = [
    ...Object.values(namedFields).flatMap((property) => bestStatements(entity, property)),
    ...[hasPart, memberOf].flatMap((property) => bestAndEndedStatements(entity, property)),
  ];
  return [...new Set(statements.flatMap((statement) => itemOf(statement) ?? []))];
}

/** What an item says, field by field; a picture is asked of Commons, and the rest is offered without it when that is away. */
export async function readOffers(ask: AskWiki, found: Found): Promise<Pick<Item, 'offers' | 'withheld'>> {
  const offers = [
    ...offerNames(found),
    ...Object.entries(namedFields).flatMap(([field, property]) => offerNamesOfItems(found, field, property)),
    ...dateFields.flatMap(([field, property]) => offerDates(found, field, property)),
    ...offerMembers(found),
    ...offerMemberships(found),
    ...offerAccounts(found),
    ...offerSites(found),
  ];
  const picture = await offerPicture(ask, found);
  return {
    offers: distinct([...offers, ...picture.offers]),
    withheld: picture.withheld,
  };
}

/** Two statements, or two properties, may say the same. */
function distinct(offers: readonly Offer[]): Offer[] {
  const keyOf = ({ field, value, of }: Offer) =>
    JSON.stringify([field, of?.star, typeof value === 'string' ? value : { ...value, source: null }]);
  return [...Map.groupBy(offers, keyOf).values()].flatMap((same) => same.slice(0, 1));
}

const sourceOf = ({ source }: Found, property: Property | null): FactSource =>
  property === null ? source : { ...source, url: `${source.url}#${property}` };

function offer(found: Found, field: string, property: Property | null, value: Offer['value']): Offer {
  return { field, value, property, source: sourceOf(found, property) };
}

function offerNames(found: Found): Offer[] {
  const { id, entity } = found;
  return [
    offer(found, 'externalIds.wikidata', null, id),
    ...languages.flatMap((language) => {
      const name = labelOf(entity, language);
      return name === undefined ? [] : offer(found, `words.${language}.name`, null, name);
    }),
    ...aliasesOf(entity, [...languages, 'mul'])
      .slice(0, 50)
      .map((alias) => offer(found, 'aliases', null, alias)),
  ];
}

/** Statements that hold today: whose agency it was is not what it is. */
const current = ({ today }: Found, statements: readonly Statement[]): Statement[] =>
  statements.filter((statement) => !isOver(periodOf(statement), today));

function offerNamesOfItems(found: Found, field: string, property: Property): Offer[] {
  return current(found, bestStatements(found.entity, property)).flatMap((statement) => {
    const id = itemOf(statement);
    const item = id && found.referred.get(id);
    return languages.flatMap((language) => {
      const name = labelOf(item, language);
      return name === undefined ? [] : offer(found, `words.${language}.${field}`, property, name);
    });
  });
}

const offerDates = (found: Found, field: string, property: Property): Offer[] =>
  bestStatements(found.entity, property).flatMap((statement) => {
    const date = dateOf(statement);
    return date === undefined ? [] : offer(found, field, property, date);
  });

/** A member as a group's document has it, with its profile if it is a star here; undefined when nothing says what it is called. */
function memberOfStatement(
  found: Found,
  statement: Statement,
  property: Property,
  [id, entity]: readonly [ItemId, unknown],
): Member | undefined {
  const names: Partial<Record<Lang, string>> = {};
  for (const language of languages) {
    const name = labelOf(entity, language);
    if (name !== undefined) names[language] = name;
  }
  if (Object.keys(names).length === 0) return undefined;
  const period = periodOf(statement);
  return {
    star: found.stars.has(id) ? `wikidata:${id}` : null,
    names,
    since: period.since ?? null,
    until: period.until ?? null,
    isFormer: isOver(period, found.today),
    source: sourceOf(found, property),
  };
}

const offerMembers = (found: Found): Offer[] =>
  bestAndEndedStatements(found.entity, hasPart).flatMap((statement) => {
    const id = itemOf(statement);
    const member = id && memberOfStatement(found, statement, hasPart, [id, found.referred.get(id)]);
    return member ? { ...offer(found, 'members', hasPart, member), item: id } : [];
  });

/** A person's memberships: each is an entry in the document of its group. */
const offerMemberships = (found: Found): Offer[] =>
  bestAndEndedStatements(found.entity, memberOf).flatMap((statement) => {
    const groupId = itemOf(statement);
    const group = groupId && found.referred.get(groupId);
    const name = labelOf(group, 'en') ?? labelOf(group, 'ko');
    const member = memberOfStatement(found, statement, memberOf, [found.id, found.entity]);
    if (groupId === undefined || name === undefined || !member) return [];
    const of = { star: `wikidata:${groupId}`, starId: found.stars.get(groupId) ?? null, name };
    return { ...offer(found, 'members', memberOf, member), item: found.id, of };
  });

const offerAccounts = (found: Found): Offer[] =>
  socialPlatforms.flatMap((platform) => {
    const { account } = socialPlatformEntry(platform);
    if (!account) return [];
    const { property, isHandle } = account;
    return current(found, bestStatements(found.entity, property)).flatMap((statement) => {
      const id = textOf(statement)?.trim().replace(/^@/, '') ?? '';
      if (!account.id.test(id)) return [];
      const name = labelOf(found.entity, 'en') ?? labelOf(found.entity, 'ko') ?? id;
      return offer(found, 'socialLinks', property, {
        platform,
        profileUrl: account.address(id),
        displayName: isHandle ? `@${id}` : name,
        platformUserId: isHandle ? null : id,
        isOfficial: true,
        source: sourceOf(found, property),
      });
    });
  });

const offerSites = (found: Found): Offer[] =>
  current(found, bestStatements(found.entity, officialSite)).flatMap((statement) => {
    const text = lineOf(textOf(statement), 500);
    const url = text === undefined ? undefined : parseAddress(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return [];
    return offer(found, 'socialLinks', officialSite, {
      platform: 'website',
      profileUrl: url.href,
      displayName: url.hostname.replace(/^www\./, ''),
      isOfficial: true,
      source: sourceOf(found, officialSite),
    });
  });

async function offerPicture(ask: AskWiki, found: Found): Promise<Pick<Item, 'offers' | 'withheld'>> {
  const [statement] = bestStatements(found.entity, image);
  const fileName = statement && lineOf(textOf(statement), 240);
  // Such signs are in no title; a bar would make two of the name.
  if (fileName === undefined || /[|#<>[\]{}]/.test(fileName)) return { offers: [], withheld: [] };
  const withhold = (code: Item['withheld'][number]['code'], error: string) => ({
    offers: [],
    withheld: [{ field: 'avatar', property: image, code, error }],
  });
  try {
    const answer = await findCommonsPicture(ask, fileName);
    if ('refused' in answer) return withhold(answer.refused, commonsRefusals[answer.refused]);
    const source = { name: commonsName, url: answer.picture.page, readOn: found.today };
    return { offers: [{ field: 'avatar', value: answer.picture, property: image, source }], withheld: [] };
  } catch (error) {
    if (error instanceof ApiError) return withhold('unavailable', error.message);
    throw error;
  }
}

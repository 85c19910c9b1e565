import { Value } from '@sinclair/typebox/value';
import { t } from 'elysia';
import type { Lang } from '#content/locales.ts';
import { isBefore, isPartialDate, type PartialDate } from '#content/partial-date.ts';
import { hasUnsafeCharacters, normalizeText } from '../accounts/names.ts';
import { integer, oneOf } from '../shapes.ts';

/**
 * Reads an item of Wikidata as its data model means it (https://www.mediawiki.org/wiki/Wikibase/DataModel/JSON). The answer is of
 * anybody's making: what has not the form that it should have is not there.
 */

const Snak = t.Object({
  snaktype: oneOf(['value', 'somevalue', 'novalue']),
  datavalue: t.Optional(t.Object({ type: t.String(), value: t.Unknown() })),
});
type Snak = typeof Snak.static;

const Statement = t.Object({
  mainsnak: Snak,
  rank: oneOf(['preferred', 'normal', 'deprecated']),
  qualifiers: t.Optional(t.Unknown()),
});
export type Statement = typeof Statement.static;

const Time = t.Object({ time: t.String(), precision: integer(), calendarmodel: t.Optional(t.String()) });

export type ItemId = `Q${number}`;
const itemIdPattern = /^Q[1-9]\d{0,9}$/;
export const isItemId = (text: unknown): text is ItemId =>
  typeof text === 'string' && itemIdPattern.test(text);

/** A property of an object that is its own. */
export function own(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A line that may be shown and kept; undefined when it may not. */
export function lineOf(text: unknown, maxLength = 120): string | undefined {
  if (typeof text !== 'string' || text.length > 4 * maxLength) return undefined;
  const line = normalizeText(text);
  return line === '' || [...line].length > maxLength || hasUnsafeCharacters(line) ? undefined : line;
}

/** What an item is called in a language, else in all languages (`mul`). */
export function labelOf(entity: unknown, language: Lang): string | undefined {
  const labels = own(entity, 'labels');
  return lineOf(own(own(labels, language), 'value')) ?? lineOf(own(own(labels, 'mul'), 'value'));
}

export const descriptionOf = (entity: unknown, language: Lang): string | undefined =>
  lineOf(own(own(own(entity, 'descriptions'), language), 'value'), 300);

/** What it is called besides, in the languages named, each name once. */
export function aliasesOf(entity: unknown, codes: readonly string[]): string[] {
  const names = codes.flatMap((code) => {
    const aliases = own(own(entity, 'aliases'), code);
    return Array.isArray(aliases) ? aliases.flatMap((alias) => lineOf(own(alias, 'value'), 80) ?? []) : [];
  });
  return [...new Set(names)];
}

/** All statements of a property that are not deprecated. */
function statementsOf(entity: unknown, property: string): Statement[] {
  const statements = own(own(entity, 'claims'), property);
  return Array.isArray(statements)
    ? statements.filter(
        (statement): statement is Statement =>
          Value.Check(Statement, statement) && statement.rank !== 'deprecated',
      )
    : [];
}

/** The statements of a property that count: the preferred ones where there are any, else the normal ones. */
export function bestStatements(entity: unknown, property: string): Statement[] {
  const statements = statementsOf(entity, property);
  const preferred = statements.filter(({ rank }) => rank === 'preferred');
  return preferred.length > 0 ? preferred : statements;
}

/** The same of a property that tells a history: what ended is passed over by those preferred for being current, and still true. */
export function bestAndEndedStatements(entity: unknown, property: string): Statement[] {
  const best = bestStatements(entity, property);
  return statementsOf(entity, property).filter(
    (statement) => best.includes(statement) || periodOf(statement).hasEnd,
  );
}

/** The value of a snak that says one: "no value" and "unknown value" are none. */
function snakValue({ snaktype, datavalue }: Snak, type: string): unknown {
  return snaktype === 'value' && datavalue?.type === type ? datavalue.value : undefined;
}

export const textOf = ({ mainsnak }: Statement): string | undefined => {
  const text = snakValue(mainsnak, 'string');
  return typeof text === 'string' ? text : undefined;
};

export const itemOf = ({ mainsnak }: Statement): ItemId | undefined => {
  const id = own(snakValue(mainsnak, 'wikibase-entityid'), 'id');
  return isItemId(id) ? id : undefined;
};

export const dateOf = ({ mainsnak }: Statement): PartialDate | undefined => dateOfSnak(mainsnak);

/** A date as precisely as it is known: of a decade or a century nothing can be written down, nor of the Julian calendar. */
function dateOfSnak(snak: Snak): PartialDate | undefined {
  const value = snakValue(snak, 'time');
  if (!Value.Check(Time, value) || /\/Q1985786$/.test(value.calendarmodel ?? '')) return undefined;
  const [, year, month, day] = value.time.match(/^\+0*(\d{4})-(\d\d)-(\d\d)T/) ?? [];
  const parts = value.precision >= 11 ? [year, month, day] : value.precision === 10 ? [year, month] : [year];
  const date = parts.join('-');
  return value.precision >= 9 && isPartialDate(date) ? date : undefined;
}

const startTime = 'P580';
const endTime = 'P582';

function qualifiersOf({ qualifiers }: Statement, property: string): Snak[] {
  const snaks = own(qualifiers, property);
  return Array.isArray(snaks) ? snaks.filter((snak): snak is Snak => Value.Check(Snak, snak)) : [];
}

/** The value of a qualifier that is text. */
export function qualifierText(statement: Statement, property: string): string | undefined {
  return qualifiersOf(statement, property)
    .map((snak) => snakValue(snak, 'string'))
    .find((text): text is string => typeof text === 'string');
}

export interface Period {
  since: PartialDate | undefined;
  until: PartialDate | undefined;
  /** It has ended or will, whether or not it is known when. */
  hasEnd: boolean;
}

/** From when until when a statement holds: "no value" as its end says that it goes on; who came back has come twice and left once. */
export function periodOf(statement: Statement): Period {
  const starts = qualifiersOf(statement, startTime).filter(({ snaktype }) => snaktype !== 'novalue');
  const ends = qualifiersOf(statement, endTime).filter(({ snaktype }) => snaktype !== 'novalue');
  const hasEnd = ends.length > 0 && ends.length >= starts.length;
  const dates = (snaks: readonly Snak[]) => snaks.flatMap((snak) => dateOfSnak(snak) ?? []).sort();
  return { since: dates(starts)[0], until: hasEnd ? dates(ends).at(-1) : undefined, hasEnd };
}

/** Whether a period has ended on a day, `YYYY-MM-DD`; one that ends in the month or year of that day has. */
export const isOver = ({ hasEnd, until }: Period, today: string): boolean =>
  hasEnd && (until === undefined || !isBefore(today, until));

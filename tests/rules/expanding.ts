import { keepsNobodyWaiting } from '#db/apply-migrations.ts';

/**
 * What is wrong with a migration of a database that is in use: it may keep those who read and write a table waiting only for a moment,
 * and the release before goes on with what it leaves behind (quality §Safe 16). What is not known to be harmless is refused.
 * @param text of the file
 * @returns the statements, each with what to do instead
 */
export function faultsOf(text: string): string[] {
  const statements = text
    .split('--> statement-breakpoint')
    .map(withoutRemarks)
    .filter((statement) => statement !== '');
  if (statements.some(keepsNobodyWaiting)) return faultsBesideWriters(statements);
  const own: Made = {
    tables: new Set(statements.flatMap((statement) => tableMadeBy(statement) ?? [])),
    constraints: new Set(statements.flatMap((statement) => constraintAddedBy(statement) ?? [])),
  };
  return statements.flatMap((statement) => told(statement, faultOf(statement, own)));
}

interface Made {
  tables: ReadonlySet<string>;
  constraints: ReadonlySet<string>;
}

const name = '(?:"?public"?\\.)?"?(\\w+)"?';
const tableMadeBy = (statement: string) =>
  new RegExp(`^create (?:unlogged )?table (?:if not exists )?${name}`, 'i').exec(statement)?.[1];
const constraintAddedBy = (statement: string) => / add constraint "?(\w+)"?/i.exec(statement)?.[1];

const told = (statement: string, fault: string | undefined) =>
  fault === undefined ? [] : [`${statement.slice(0, 100)}: ${fault}`];

/** In one line, without comments and without the bodies of functions. */
const withoutRemarks = (statement: string): string =>
  statement
    .replace(/\$(\w*)\$.*?\$\1\$/gs, '$$$$')
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

function faultsBesideWriters(statements: readonly string[]): string[] {
  return statements.flatMap((statement, place) => {
    if (!keepsNobodyWaiting(statement))
      return told(statement, 'what takes long without keeping anybody waiting is a migration of its own');
    const made = /^create (?:unique )?index concurrently "?(\w+)"?/i.exec(statement)?.[1];
    const before = statements[place - 1] ?? '';
    const isMadeAnew = new RegExp(`^drop index concurrently if exists "?${made}"?;?$`, 'i').test(before);
    if (made === undefined || isMadeAnew) return [];
    return told(
      statement,
      `put DROP INDEX CONCURRENTLY IF EXISTS "${made}" before it: a try that failed leaves half of it`,
    );
  });
}

/** What begins like one of these is over at once and takes nothing away. */
const harmless = [
  /^create (?:unlogged )?table\b(?!.* as (?:select|with|table)\b)/i,
  /^create (?:or replace )?(?:function|procedure|view|trigger)\b/i,
  /^create (?:sequence|type|schema|extension)\b/i,
  /^(?:comment on|grant)\b/i,
  /^alter table \S+ alter column \S+ (?:drop not null|set default)\b/i,
  /^alter table \S+ set \(/i,
  /^alter type \S+ add value\b/i,
  /^alter function \S+ .*\bset\b/i,
];

function faultOf(statement: string, own: Made): string | undefined {
  if (harmless.some((shape) => shape.test(statement))) return undefined;
  const target = new RegExp(`^(?:alter table|insert into) (?:only )?${name}`, 'i').exec(statement)?.[1];
  if (target !== undefined && own.tables.has(target)) return undefined;
  if (/^alter table/i.test(statement)) return faultOfChange(statement, own);
  const indexed = new RegExp(`^create (?:unique )?index .*? on (?:only )?${name}`, 'i').exec(statement)?.[1];
  if (indexed !== undefined)
    return own.tables.has(indexed)
      ? undefined
      : 'nobody can write the table while it is made: CONCURRENTLY, in a migration of its own';
  if (/^insert into \S+ (?:\(.*?\) )?values\b/i.test(statement)) return undefined;
  if (/^(?:insert|update|delete|with|do|select)\b/i.test(statement))
    return 'rows that are there are filled in by a job, a few at a time';
  if (/^(?:drop|truncate|alter)\b/i.test(statement)) return 'the release before may use it';
  return 'it is not known to be harmless';
}

function faultOfChange(statement: string, own: Made): string | undefined {
  // Several changes in one statement: each of them.
  const changes = statement
    .replace(/^alter table (?:if exists )?(?:only )?\S+ /i, '')
    .replace(/;$/, '')
    .split(/,(?![^(]*\))\s*/);
  return changes.map((change) => faultOfOneChange(change, own)).find((fault) => fault !== undefined);
}

function faultOfOneChange(change: string, own: Made): string | undefined {
  if (/^add constraint\b/i.test(change))
    return /\bnot valid$/i.test(change) || /\busing index\b/i.test(change)
      ? undefined
      : 'every row is looked at while nobody can write: NOT VALID, and VALIDATE CONSTRAINT in a later migration';
  const dropped = /^drop constraint (?:if exists )?"?(\w+)"?/i.exec(change)?.[1];
  if (dropped !== undefined && own.constraints.has(dropped)) return undefined;
  if (!/^add column\b/i.test(change)) return 'the release before may use it, or every row is written anew';
  if (/\bgenerated\b|\breferences\b|\bcheck\b|\bunique\b|\bprimary key\b|\bserial\b/i.test(change))
    return 'every row is written or looked at: a plain column, filled in by a job';
  if (/\bdefault\b.*\b(?:random|gen_random_uuid|clock_timestamp|nextval|timeofday)\b/i.test(change))
    return 'the default is another one for each row, so every row is written anew';
  if (/\bnot null\b/i.test(change) && !/\bdefault\b/i.test(change))
    return 'the release before does not fill it in: NOT NULL needs a DEFAULT';
  return undefined;
}

import { describe, expect, test } from 'bun:test';
import { generateDrizzleJson } from 'drizzle-kit/api';
import { faultsOf } from './expanding.ts';
import { filesOf } from './sources.ts';

/** Ids of snapshots are drawn at random. */
const withoutIds = (snapshot: object) => ({ ...JSON.parse(JSON.stringify(snapshot)), id: '', prevId: '' });

test('the newest migration leads to the tables that db/schema writes: `bun run migrations` makes the next one', async () => {
  const [newest, ...older] = filesOf('db/migrations/meta/*_snapshot.json');
  expect(older.map(({ path }) => path)).toEqual([]);
  const modules = await Promise.all(filesOf('db/schema/*.ts').map(({ path }) => import(`#${path}`)));
  const written = { ...modules.flatMap((module) => Object.values(module)) };
  expect(withoutIds(generateDrizzleJson(written, undefined, undefined, 'snake_case'))).toEqual(
    withoutIds(JSON.parse(newest?.text ?? '{}')),
  );
});

/** Of before the first release: nobody used a database while these ran. */
const newestBeforeRelease = '0011';
/** What the rule refuses and somebody has thought about: the file, and why nobody is kept waiting and the release before goes on. */
const considered: Readonly<Record<string, string>> = {
  '0012_partitions':
    'tables become parts of new ones of their names: nothing is rewritten or read (what its locks cost stands in decision D13)',
  '0019_lock_counters_in_order':
    'a table that came with the migration before and has a row for each star that was followed in the last minute of an import; the release before names no key of it',
  '0021_planned_starts_of_before':
    'birthdays and anniversaries alone, two columns that the release before does not know: what is edited in that second waits for it',
  '0023_adopted_anniversaries':
    'locks the rows of birthdays and anniversaries that were taken back, which nobody edits, and changes no column that pages show',
};

describe('a migration of a database that is in use', () => {
  const files = filesOf('db/migrations/*.sql').map(({ path, text }) => ({
    tag: path.replace(/^.*\/|\.sql$/g, ''),
    text,
  }));
  const isLater = (tag: string) => tag.slice(0, 4) > newestBeforeRelease;

  test('keeps nobody waiting, and leaves to the release before what it uses', () => {
    const faults = files
      .filter(({ tag }) => isLater(tag) && !(tag in considered))
      .flatMap(({ tag, text }) => faultsOf(text).map((fault) => `${tag}: ${fault}`));
    expect(faults).toEqual([]);
  });

  test('is considered by hand only where the rule refuses it', () => {
    const known = files.filter(({ text }) => faultsOf(text).length > 0).map(({ tag }) => tag);
    expect(Object.keys(considered).filter((tag) => !known.includes(tag))).toEqual([]);
    // Those of before would have been refused.
    expect(known).toContain('0009_drawn_colours');
  });

  const index = 'CREATE INDEX CONCURRENTLY "stars_new" ON "stars" USING btree ("name");';
  for (const refused of [
    'ALTER TABLE "stars" DROP COLUMN "name";',
    'ALTER TABLE "stars" RENAME COLUMN "name" TO "title";',
    'ALTER TABLE "stars" RENAME TO "idols";',
    'ALTER TABLE "stars" ALTER COLUMN "id" SET DATA TYPE bigint;',
    'ALTER TABLE "stars" ALTER COLUMN "name" SET NOT NULL;',
    'ALTER TABLE "stars" ADD COLUMN "motto" text NOT NULL;',
    'ALTER TABLE "stars" ADD COLUMN "motto" text, ADD COLUMN "song" text NOT NULL;',
    'ALTER TABLE "stars" ADD COLUMN "drawn" uuid DEFAULT gen_random_uuid();',
    'ALTER TABLE "stars" ADD COLUMN "motto_key" text GENERATED ALWAYS AS (lower("motto")) STORED;',
    'ALTER TABLE "stars" ADD CONSTRAINT "stars_motto" CHECK (motto <> \'\');',
    'ALTER TABLE "stars" ADD CONSTRAINT "stars_agency" FOREIGN KEY ("agency_id") REFERENCES "agencies"("id");',
    'ALTER TABLE "stars" DROP CONSTRAINT "stars_slug";',
    'CREATE INDEX "stars_new" ON "stars" USING btree ("name");',
    'CREATE UNIQUE INDEX "stars_new" ON "stars" ("name");',
    'DROP INDEX "stars_slug";',
    'DROP TABLE "stars";',
    'DROP FUNCTION byeol_fold(text);',
    'TRUNCATE "stars";',
    'UPDATE "stars" SET "name" = upper("name");',
    'INSERT INTO "stars" SELECT * FROM "idols";',
    'DO $$ BEGIN UPDATE stars SET name = 1; END $$;',
    'CREATE TABLE "idols" AS SELECT * FROM "stars";',
    'LOCK TABLE "stars";',
    index,
    `DROP INDEX CONCURRENTLY IF EXISTS "stars_old";--> statement-breakpoint\n${index}`,
    `ALTER TABLE "stars" ADD COLUMN "motto" text;--> statement-breakpoint\nDROP INDEX CONCURRENTLY IF EXISTS "stars_new";--> statement-breakpoint\n${index}`,
    'ALTER TABLE "stars" ADD CONSTRAINT "stars_motto" CHECK (motto <> \'\') NOT VALID;--> statement-breakpoint\nALTER TABLE "stars" VALIDATE CONSTRAINT "stars_motto";',
  ]) {
    test(`would be refused: ${refused}`, () => expect(faultsOf(refused)).not.toEqual([]));
  }

  for (const taken of [
    'ALTER TABLE "stars" ADD COLUMN "motto" text;',
    'ALTER TABLE "stars" ADD COLUMN "motto" text DEFAULT \'\' NOT NULL, ADD COLUMN "since" timestamp with time zone DEFAULT now() NOT NULL;',
    'ALTER TABLE "stars" ALTER COLUMN "name" DROP NOT NULL;',
    'CREATE TABLE "songs" ("id" integer);--> statement-breakpoint\nALTER TABLE "songs" ADD CONSTRAINT "songs_star" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade;--> statement-breakpoint\nCREATE INDEX "songs_star" ON "songs" USING btree ("star_id");',
    'ALTER TABLE "stars" ADD CONSTRAINT "stars_agency" FOREIGN KEY ("agency_id") REFERENCES "agencies"("id") NOT VALID;',
    'ALTER TABLE "stars" DROP CONSTRAINT "stars_kind";--> statement-breakpoint\nALTER TABLE "stars" ADD CONSTRAINT "stars_kind" CHECK (kind in (1, 2, 3)) NOT VALID;',
    '-- Why.\nCREATE OR REPLACE FUNCTION byeol_x() RETURNS void LANGUAGE sql AS $$ UPDATE stars SET name = 1; DROP TABLE x $$;',
    'CREATE OR REPLACE TRIGGER x AFTER INSERT ON stars FOR EACH ROW EXECUTE FUNCTION byeol_x();',
    'ALTER TABLE "stars" VALIDATE CONSTRAINT "stars_motto";',
    `DROP INDEX CONCURRENTLY IF EXISTS "stars_new";--> statement-breakpoint\n-- Why.\n${index}`,
  ]) {
    test(`would be taken: ${taken}`, () => expect(faultsOf(taken)).toEqual([]));
  }
});

import { expect, test } from 'bun:test';
import { generateDrizzleJson } from 'drizzle-kit/api';
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

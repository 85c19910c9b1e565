import { expect, test } from 'bun:test';
import { generateDrizzleJson } from 'drizzle-kit/api';
import { filesOf } from './sources.ts';

test('the newest migration leads to the tables that db/schema writes', async () => {
  const [newest, ...older] = filesOf('db/migrations/meta/*_snapshot.json');
  expect(older.map(({ path }) => path)).toEqual([]);
  const modules = await Promise.all(filesOf('db/schema/*.ts').map(({ path }) => import(`#${path}`)));
  const exported = modules.flatMap((module) => Object.values(module));
  const { id, prevId, ...written } = generateDrizzleJson({ ...exported }, undefined, undefined, 'snake_case');
  expect(JSON.parse(newest?.text ?? '{}')).toMatchObject(JSON.parse(JSON.stringify(written)));
});

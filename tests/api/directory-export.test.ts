import { expect, test } from 'bun:test';
import { exportDirectory, exportFormats } from '#api/directory/export.ts';
import { applyImport, previewImport } from '#api/directory/import.ts';
import type { StarDocument } from '#api/directory/model.ts';
import { countOutcomes } from '#api/directory/plan.ts';
import { readDirectoryFile } from '#api/directory/read-file.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';

useDatabase({ demo: true });

const starsOf = (text: string) =>
  new Map((JSON.parse(text) as { stars: StarDocument[] }).stars.map((star) => [star.slug, star]));

test('the demo as JSON and as CSV makes the same directory on an empty site', async () => {
  const before = await exportDirectory('byeol');
  expect(before.count).toBeGreaterThan(20);
  const files = await Promise.all(exportFormats.map((format) => exportDirectory(format)));
  for (const { text } of files) {
    await connection()`truncate stars restart identity cascade`;
    const { rows } = readDirectoryFile(new TextEncoder().encode(text));
    const { rows: taken } = await applyImport(rows, { actorId: null, rowByRow: false });
    expect(taken.flatMap(({ reasons, missingPictures }) => [...reasons, ...missingPictures])).toEqual([]);
    expect(starsOf((await exportDirectory('byeol')).text)).toEqual(starsOf(before.text));
    expect(countOutcomes(await previewImport(rows))).toEqual({
      add: 0,
      change: 0,
      same: before.count,
      refuse: 0,
    });
  }
}, 120_000);

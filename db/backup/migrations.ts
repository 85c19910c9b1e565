import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Journal {
  entries: { idx: number; tag: string }[];
}

/** Gives `action` a folder with the first migrations of another, as a release had them that knew no more. */
export async function withMigrationsUpTo<T>(
  folder: string,
  count: number,
  action: (folder: string) => Promise<T>,
): Promise<T> {
  const older = await mkdtemp(join(tmpdir(), 'byeol-migrations-'));
  try {
    const journal: Journal = JSON.parse(await readFile(join(folder, 'meta/_journal.json'), 'utf8'));
    const entries = journal.entries.slice(0, count);
    await mkdir(join(older, 'meta'));
    await writeFile(join(older, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) await cp(join(folder, `${tag}.sql`), join(older, `${tag}.sql`));
    return await action(older);
  } finally {
    await rm(older, { recursive: true, force: true });
  }
}

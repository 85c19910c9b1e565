import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import type { EmbeddedPostgres } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { seedVolume } from '#db/seed/volume.ts';

/** Where the databases of the bench are kept from run to run. */
export const dataDir = '.data/bench';

/** The address of a database of so many articles, which is filled on its first use. */
export async function benchDatabase(cluster: EmbeddedPostgres, articles: number): Promise<string> {
  const url = cluster.url(`bench_${articles}`);
  await createDatabase(url);
  await migrateDatabase(url, { dataDir });
  openDatabase(url);
  await seedForBench(articles);
  await closeDatabase();
  return url;
}

/** Fills the open database once: a database of that scale that is there already is used again. */
export async function seedForBench(scale: number): Promise<void> {
  const [row] = await connection()<{ n: number }[]>`select count(*)::int as n from articles`;
  if ((row?.n ?? 0) >= scale) return;
  await seedVolume(scale, (message) => process.stdout.write(`\r${message.padEnd(70)}`));
  process.stdout.write('\n');
}

import { connection } from '#db/client.ts';
import { seedVolume } from '#db/seed/volume.ts';

/** Fills the open database once: a database of that scale that is there already is used again. */
export async function seedForBench(scale: number): Promise<void> {
  const [row] = await connection()<{ n: number }[]>`select count(*)::int as n from articles`;
  if ((row?.n ?? 0) >= scale) return;
  await seedVolume(scale, (message) => process.stdout.write(`\r${message.padEnd(70)}`));
  process.stdout.write('\n');
}

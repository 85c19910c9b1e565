import { sql } from 'drizzle-orm';
import { database } from '../client.ts';
import { pictures } from '../schema/media.ts';
import { seedArticles } from './articles.ts';
import { seedCommunity } from './community.ts';
import { readDemoWorld } from './content.ts';
import { koreanDay } from './dates.ts';
import { seedEvents } from './events.ts';
import { seedFans } from './fans.ts';
import { hasContent } from './has-content.ts';
import { demoPictures } from './pictures.ts';
import { insertRows } from './rows.ts';
import { seedStars } from './stars.ts';

interface DemoOptions {
  /** The seeding day, from which the demo's dates count. */
  now: Date;
  /** Sanitised HTML of an article's Markdown; handed in, because the rule lives in api. */
  renderMarkdown(markdown: string): string;
  progress(message: string, done: number, total: number): void;
}

/** Any fixed number: two processes that find the database empty fill it one after the other. */
const seedLock = 20_250_922;

/**
 * Fills an empty, migrated database with the demo world of `content` (decision P2), in one transaction: after a crash
 * it is still empty and the next start does it again.
 * @returns false when there was something already and nothing was done
 */
export async function seedDemo({ now, renderMarkdown, progress }: DemoOptions): Promise<boolean> {
  const world = readDemoWorld();
  const beginning = { now, today: koreanDay(now) };
  const steps = ['pictures', 'stars', 'articles', 'fans', 'channels', 'events', 'statistics'];
  const begin = (step: string) => progress(step, steps.indexOf(step), steps.length);
  const seeded = await database().transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`set local lock_timeout = 0`);
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`);
    if (await hasContent(tx)) return false;
    begin('pictures');
    await insertRows(tx, pictures, demoPictures(world));
    begin('stars');
    const starIds = await seedStars(tx, world);
    begin('articles');
    const articlesByOrder = await seedArticles(tx, world, starIds, beginning, renderMarkdown);
    begin('fans');
    const fans = await seedFans(tx, world, starIds, beginning);
    begin('channels');
    await seedCommunity(tx, world, starIds, fans, beginning);
    begin('events');
    await seedEvents(tx, world, { starIds, articles: articlesByOrder, fans }, beginning);
    begin('statistics');
    await tx.execute(sql`analyze`);
    return true;
  });
  if (seeded) progress('done', steps.length, steps.length);
  return seeded;
}

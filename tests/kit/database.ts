import { afterAll, beforeAll } from 'bun:test';
import { acceptStreams, endStreams } from '#api/community/live/live.ts';
import { getConfig, setConfig } from '#api/config.ts';
import { stopJobs } from '#api/jobs/jobs.ts';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { cloneDatabase } from './cluster.ts';

/**
 * Gives a test file a database of its own, open for `database()` while its tests run, then dropped.
 * `demo`: with the demo world of today, the fan and the admin of `demoAccounts`. `patient`: statements wait two minutes for a lock, where
 * a slow machine may keep one for longer than the product waits.
 * @returns its address, once the tests run
 */
export function useDatabase({ demo = false, patient = false }: { demo?: boolean; patient?: boolean } = {}): {
  readonly url: string;
} {
  let clone: Awaited<ReturnType<typeof cloneDatabase>> | undefined;
  beforeAll(async () => {
    clone = await cloneDatabase(demo ? 'demo' : 'empty');
    setConfig({ ...getConfig({ NODE_ENV: 'test' }), databaseUrl: clone.url });
    openDatabase(patient ? `${clone.url}?lock_timeout=120000&statement_timeout=120000` : clone.url);
  }, 300_000);
  afterAll(async () => {
    await stopJobs();
    // What listens in this process would follow to the next database that is opened, and hold on to it.
    await endStreams();
    acceptStreams();
    await closeDatabase();
    await clone?.drop();
    setConfig(getConfig({ NODE_ENV: 'test' }));
  }, 120_000);
  return {
    get url() {
      if (!clone) throw new Error('the database is there while tests run');
      return clone.url;
    },
  };
}

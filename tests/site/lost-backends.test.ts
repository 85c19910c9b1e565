import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { bearer, sending } from '#tests/kit/call.ts';
import { makeChannel, makeFan } from '#tests/kit/make.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';

setDefaultTimeout(300_000);

let server: TestServer;
beforeAll(async () => {
  await ensureBuilt();
  server = await startTestServer({ world: 'empty', settings: { JOBS: 'off' } });
}, 300_000);
afterAll(() => server?.stop());

test('what is said to be sent is there, once, though the database loses its connections all the time', async () => {
  openDatabase(server.databaseUrl);
  const fans = await Promise.all(Array.from({ length: 8 }, () => makeFan()));
  const star = await makeChannel({ members: fans.map(({ id }) => id) });
  await closeDatabase();
  const enemy = postgres(server.databaseUrl, { max: 1 });
  let isOver = false;
  let ended = 0;
  const ending = (async () => {
    // Growing pauses: on a busy machine nothing may ever be stored between two ends that follow so soon.
    for (let pause = 120; !isOver; pause *= 1.06) {
      const rows = await enemy`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'byeol' and pid <> pg_backend_pid()`;
      ended += rows.length;
      await Bun.sleep(pause);
    }
  })();
  let refused = 0;
  /** Sends as the page does: what is not known to be stored is sent again with the same key. */
  const send = async (token: string, content: string) => {
    const clientId = crypto.randomUUID();
    for (;;) {
      const message = sending({ content, clientId });
      const { status } = await fetch(`${server.url}/api/community/channels/${star}/messages`, {
        ...message,
        headers: { ...message.headers, ...bearer(token) },
      });
      if (status === 200) return;
      expect(status === 429 || status >= 500).toBe(true);
      if (status >= 500) refused += 1;
      await Bun.sleep(100);
    }
  };
  const texts: string[] = [];
  const talk = async ({ token, id }: { token: string; id: number }) => {
    for (let n = 1; n <= 3 || refused === 0; n += 1) {
      texts.push(`${id}-${n}`);
      await send(token, `${id}-${n}`);
    }
  };
  await Promise.all(fans.map(talk));
  isOver = true;
  await ending;
  expect(ended).toBeGreaterThan(0);
  const stored = await enemy<{ content: string }[]>`select content from messages`;
  expect(stored.map(({ content }) => content).sort()).toEqual(texts.sort());
  await enemy.end();
});

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { postgresTransport } from '#db/bus/postgres.ts';
import { BusSubscriptions, type Transport } from '#db/bus/subscriptions.ts';
import { valkeyTransport } from '#db/bus/valkey.ts';
import { connection, openDatabase } from '#db/client.ts';
import { freePort } from '#db/embedded/postmaster.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { servePubSub } from '#tests/kit/pub-sub.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(120_000);
const own = useDatabase();

/** A way to the database on which everything can fall silent without an end, as when a machine loses its power. */
const pairs = new Set<[Socket, Socket]>();
const door = createServer((near) => {
  const far = connect(Number(new URL(own.url).port), '127.0.0.1');
  const pair: [Socket, Socket] = [near, far];
  pairs.add(pair);
  for (const end of pair) end.on('error', () => end.destroy());
  near.pipe(far).pipe(near);
});
const silence = () => {
  for (const pair of pairs)
    for (const end of pair) {
      end.unpipe();
      end.pause();
    }
  pairs.clear();
};
afterAll(() => {
  for (const pair of pairs) for (const end of pair) end.destroy();
  door.close();
});

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

test('what is sent to a Valkey that has fallen silent is given up, and the next goes over another connection', async () => {
  const target = await freePort();
  const stop = servePubSub(target);
  let isSilent = false;
  const between = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const end of [near, far]) end.on('error', () => end.destroy());
    near.on('close', () => far.destroy());
    near.on('data', (data) => isSilent || far.write(data));
    far.on('data', (data) => near.write(data));
    // Those that come from now on are heard.
    isSilent = false;
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  const { publish, close } = valkeyTransport(`redis://127.0.0.1:${portOf(between)}`);
  // Sending has a limit, which a slow machine may reach.
  await until(() =>
    publish('byeol_test', 'before').then(
      () => true,
      () => false,
    ),
  );
  isSilent = true;
  const both = await Promise.all(['one', 'two'].map((word) => publish('byeol_test', word).catch(String)));
  for (const said of both) expect(said).toContain('Error');
  await publish('byeol_test', 'after');
  await close();
  between.close();
  await stop();
});

test('a line that ends without a word is noticed, and opened anew', async () => {
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
  const behind = new URL(own.url);
  behind.port = String(portOf(door));
  let questions = 0;
  let silencedLine = 0;
  let lines = 0;
  const silenced: Transport = {
    ...postgresTransport,
    async connect(onMessage, onLost) {
      openDatabase(behind.href, 2);
      const opening = postgresTransport.connect(onMessage, onLost);
      openDatabase(own.url, 2);
      lines += 1;
      const number = lines;
      const line = await opening;
      return {
        ...line,
        // Only a line that is silent leaves a question without an answer: a slow machine may take longer than the pause of this test.
        async ping() {
          questions += 1;
          const answer = line.ping();
          answer.catch(() => {});
          if (number === silencedLine) await answer;
        },
      };
    },
  };
  const bus = new BusSubscriptions(silenced, 200);
  const heard: string[] = [];
  let ready = 0;
  const end = await bus.add('byeol_test', {
    onMessage: (payload) => void heard.push(payload),
    onReady: () => {
      ready += 1;
    },
  });
  const say = (word: string) => connection().notify('byeol_test', word);
  await say('before');
  await until(() => heard.includes('before'));
  silencedLine = lines;
  silence();
  await say('meanwhile');
  await until(() => ready === 2 && bus.isConnected);
  await say('after');
  await until(() => heard.includes('after'));
  expect(heard).toEqual(['before', 'after']);
  // What is where it was is left alone.
  const asked = questions;
  await until(() => questions >= asked + 4);
  expect(ready).toBe(2);
  bus.reopen();
  expect(bus.isConnected).toBe(false);
  await until(() => ready === 3 && bus.isConnected);
  await say('elsewhere');
  await until(() => heard.includes('elsewhere'));
  await end();
});

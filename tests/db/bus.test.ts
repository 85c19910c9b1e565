import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, createServer, type Socket } from 'node:net';
import { postgresTransport } from '#db/bus/postgres.ts';
import { BusSubscriptions, type Transport } from '#db/bus/subscriptions.ts';
import { connection, openDatabase } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(60_000);
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

test('a line that ends without a word is noticed, and opened anew', async () => {
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
  const address = door.address();
  const behind = new URL(own.url);
  behind.port = String(typeof address === 'object' && address ? address.port : 0);
  const silenced: Transport = {
    ...postgresTransport,
    async connect(onMessage, onLost) {
      openDatabase(behind.href, 2);
      const line = postgresTransport.connect(onMessage, onLost);
      openDatabase(own.url, 2);
      return line;
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
  silence();
  await say('meanwhile');
  await until(() => ready === 2 && bus.isConnected);
  await say('after');
  await until(() => heard.includes('after'));
  expect(heard).toEqual(['before', 'after']);
  // What is where it was is left alone.
  await Bun.sleep(1_000);
  expect(ready).toBe(2);
  bus.reopen();
  expect(bus.isConnected).toBe(false);
  await until(() => ready === 3 && bus.isConnected);
  await say('elsewhere');
  await until(() => heard.includes('elsewhere'));
  await end();
});

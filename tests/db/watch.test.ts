import { expect, setDefaultTimeout, test } from 'bun:test';
import { Watch } from '#db/watch.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(120_000);

const message = (type: string, ...parts: (string | Buffer)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
};

/** As PgBouncer lets somebody in; no question comes to a connection of PostgreSQL. */
const welcome = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('S', 'server_version\0', '18.4\0'),
  message('Z', 'I'),
]);

/** Watches over a server that answers nothing, whether it lets somebody in or not. */
async function watchSilent(letsIn: boolean) {
  const welcomed = new WeakSet();
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        if (letsIn && !welcomed.has(socket)) socket.write(welcome);
        welcomed.add(socket);
      },
    },
  });
  const heard: string[] = [];
  const watch = new Watch({
    urls: [`postgres://byeol:secret@127.0.0.1:${server.port}/byeol`],
    ask: (sql) => sql`select 1`,
    onAnswer: () => heard.push('answer'),
    onLost: () => heard.push('lost'),
    onQueued: () => heard.push('queued'),
  });
  const running = watch.run();
  return {
    heard,
    async end() {
      watch.end();
      await running;
      server.stop(true);
    },
  };
}

test('a pooler that lets us in and has no connection for our question is there', async () => {
  const { heard, end } = await watchSilent(true);
  await until(() => heard.includes('queued'), 60_000);
  await end();
});

test('one that takes connections and says nothing is lost', async () => {
  const { heard, end } = await watchSilent(false);
  await until(() => heard.includes('lost'), 60_000);
  expect(heard).not.toContain('queued');
  await end();
});

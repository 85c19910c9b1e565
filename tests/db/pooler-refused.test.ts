import { expect, test } from 'bun:test';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { whyUnreachable } from '#db/database-errors.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { failure } from '#site/lib/http/answer-request.ts';
import { refusal } from '#tests/kit/backups.ts';
import { call } from '#tests/kit/call.ts';
import { recordLog } from '#tests/kit/log-lines.ts';

/** As PgBouncer refuses, and closes. */
const refusalOfPooler = (reason: string) => {
  const text = ['SFATAL', 'C08P01', `M${reason}`, '', ''].join('\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
};

/** A pooler that refuses everybody. */
function refuseAll(reason: string) {
  const asked: string[] = [];
  const pooler = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, startup) {
        asked.push(startup.toString());
        socket.end(refusalOfPooler(reason));
      },
    },
  });
  return { asked, pooler, url: `postgres://byeol:secret@127.0.0.1:${pooler.port}/byeol` };
}

test('an address of the database that leads to a pooler is told, and which setting is to lead past it', async () => {
  // A setting that belongs to a session.
  const { asked, pooler, url } = refuseAll('unsupported startup parameter: bytea_output');
  const said = `leads to a pooler at 127.0.0.1:${pooler.port}/byeol, which says "unsupported startup parameter: bytea_output"`;
  expect(await refusal(migrateDatabase(url))).toBe(
    `DATABASE_URL ${said}: set DATABASE_DIRECT_URL to the address of the database itself, past the pooler.`,
  );
  expect(await refusal(migrateDatabase(url, { setting: 'DATABASE_DIRECT_URL' }))).toBe(
    `DATABASE_DIRECT_URL ${said}: it must lead past the pooler, to the database itself, and DATABASE_URL to the pooler.`,
  );
  // No PgBouncer takes it, whichever others it knows.
  expect(asked.every((startup) => startup.includes('bytea_output'))).toBeTrue();
  pooler.stop(true);
});

test('what a pooler refuses while the site runs is 503 with Retry-After, and told in the log', async () => {
  const { pooler, url } = refuseAll('query_wait_timeout');
  openDatabase(url, 2, url);
  const log = recordLog();
  const { status, headers, json } = await call('/api/articles/1');
  log.stop();
  await closeDatabase(0);
  pooler.stop(true);
  expect([status, headers.get('retry-after'), json]).toEqual([
    503,
    '5',
    { error: 'The service is temporarily unavailable.', code: 'unavailable' },
  ]);
  expect(log.text()).toContain('query_wait_timeout');
});

test('so it is where no call was made of a request', async () => {
  const { pooler, url } = refuseAll('query_wait_timeout');
  openDatabase(url, 2, url);
  const error: unknown = await connection()`select 1`.catch((refused: unknown) => refused);
  await closeDatabase(0);
  pooler.stop(true);
  const log = recordLog();
  const { status, headers } = failure(error);
  log.stop();
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(log.text()).toContain('query_wait_timeout');
});

test('a command says what a pooler refuses with', () => {
  const error = Object.assign(new Error('no such database: byeol'), {
    code: '08P01',
    severity_local: 'FATAL',
  });
  expect(whyUnreachable(error, 'postgres://byeol:secret@127.0.0.1:6432/byeol')).toBe(
    'The pooler at 127.0.0.1:6432/byeol refuses, and says "no such database: byeol": check DATABASE_URL.',
  );
});

import { expect, test } from 'bun:test';
import { migrateDatabase } from '#db/migrate.ts';
import { refusal } from '#tests/kit/backups.ts';

/** As PgBouncer refuses a setting that belongs to a session, and closes. */
const refusalOfPooler = () => {
  const text = ['SFATAL', 'C08P01', 'Munsupported startup parameter: bytea_output', '', ''].join('\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
};

test('an address of the database that leads to a pooler is told, and which setting is to lead past it', async () => {
  const asked: string[] = [];
  const pooler = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, startup) {
        asked.push(startup.toString());
        socket.end(refusalOfPooler());
      },
    },
  });
  const url = `postgres://byeol:secret@127.0.0.1:${pooler.port}/byeol`;
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

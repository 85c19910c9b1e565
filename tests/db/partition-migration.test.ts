import { expect, test } from 'bun:test';
import postgres from 'postgres';
import { withMigrationsUpTo } from '#db/backup/migrations.ts';
import { connection } from '#db/client.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { until } from '#tests/kit/until.ts';

const own = useDatabase();

/** Migrations there were before tables became partitioned. */
const migrationsBefore = 12;
const rates = '30, 60, 30, 60';
const send = (clientId: string, content: string) =>
  JSON.stringify([{ place: 0, starId: 1, userId: 1, clientId, content }]);

test('a site that is there already goes on with its messages, keys, reports, decisions and numbers, and is not stopped meanwhile', async () => {
  const url = `${own.url}_before`;
  await createDatabase(url);
  const [sql, reader] = [1, 1].map(() => postgres(url, { max: 1, onnotice: () => {} }));
  if (!sql || !reader) throw new Error('two connections');
  try {
    await withMigrationsUpTo('db/migrations', migrationsBefore, (folder) => migrateDatabase(url, { folder }));
    await sql`insert into users (username, username_key) values ('a', 'a')`;
    await sql`insert into stars (slug, name, category, fandom_color, initials, search_text)
      values ('minji', '민지', 'Idol', '#FF4B1F', 'ㅁㅈ', '')`;
    await sql`insert into channels (star_id) values (1)`;
    await sql`insert into channel_members (channel_id, user_id) values (1, 1)`;
    const store = (clientId: string, content: string) =>
      sql.unsafe<{ verdict: string; id: string }[]>(
        `select verdict, message_id as id from byeol_store_messages($1::text::jsonb, ${rates})`,
        [send(clientId, content)],
      );
    for (const [n, content] of ['one', 'two', 'three'].entries()) await store(`key-${n}`, content);
    const remove = (id: number) => sql<{ event: string }[]>`
      update messages set deleted_at = now(), deleted_event_id = nextval('messages_id_seq') where id = ${id}
      returning deleted_event_id as event`;
    expect((await remove(1))[0]?.event).toBe('4');
    await sql`insert into message_reports (message_id, reporter_id, reason) values (2, 1, 'spam')`;
    await sql`insert into audit_log (action, subject, subject_id) values ('message.delete', 'message', 1)`;

    // Something long reads messages: whoever comes while the migration waits for it is answered all the same, each time that it tries.
    const { promise: isRead, resolve: endReading } = Promise.withResolvers<void>();
    const { promise: isReading, resolve: beginReading } = Promise.withResolvers<void>();
    const reading = reader.begin(async (tx) => {
      await tx`select from messages`;
      beginReading();
      await isRead;
    });
    await isReading;
    const migrated = migrateDatabase(url);
    for (const _ of [1, 2]) {
      await until(async () => {
        const tries = await sql`select from pg_locks
          where relation = 'messages'::regclass and mode = 'AccessExclusiveLock' and not granted
            and database = (select oid from pg_database where datname = current_database())`;
        return tries.length === 1;
      });
      expect(await sql`select id from messages order by id desc limit 1`).toHaveLength(1);
    }
    endReading();
    await Promise.all([reading, migrated]);

    expect([...(await store('key-1', 'two'))]).toEqual([{ verdict: 'known', id: '2' }]);
    const lastDeletion = async () =>
      (await sql<{ id: string }[]>`select last_deletion_id as id from channels`)[0]?.id;
    expect(await lastDeletion()).toBe('4');
    expect([...(await store('key-3', 'four'))]).toEqual([{ verdict: 'stored', id: '5' }]);
    // As processes of the release before do it.
    expect((await remove(3))[0]?.event).toBe(await lastDeletion());
    const stored = await sql<{ content: string; part: string }[]>`
      select content, tableoid::regclass::text as part from messages order by id`;
    expect(stored.map(({ content, part }) => `${content} ${part}`)).toEqual(
      ['one', 'two', 'three', 'four'].map((content) => `${content} messages_first`),
    );
    const [decision] = await sql<{ id: number }[]>`
      insert into audit_log (action, subject) values ('event.edit', 'event') returning id`;
    expect(decision?.id).toBe(2);
    await sql`delete from messages where id = 2`;
    expect((await sql`select from message_reports`).length).toBe(0);
    expect((await sql`select from pg_constraint where conname like '%_bound'`).length).toBe(0);
  } finally {
    await Promise.all([sql.end(), reader.end()]);
    await connection().unsafe(`drop database "${new URL(url).pathname.slice(1)}" with (force)`);
  }
}, 120_000);

import type postgres from 'postgres';
import { connection } from '#db/client.ts';
import { makeParts, messageSeries } from '#db/partitions/by-id.ts';

/** Channels, members and months over which the messages of the bench are spread. */
const channels = 200;
const people = 2_000;
const months = 24;
/** A channel in which little is said: a message in 20,000. */
const quietEvery = 20_000;
/** Ids of a part: about as many parts at twenty million as a site has with a billion messages. */
const idsOfPart = 800_000;
const rowsAtOnce = 1_000_000;

/** Messages that the author whose data is exported wrote, whatever others did. */
export const ownMessages = 500;

/** Who and where is measured; made once per database. */
export interface Room {
  busyStar: number;
  quietStar: number;
  emptyStar: number;
  author: number;
  senders: number[];
}

/** Channels with members; the first is busy, the second quiet, the author is the first account. */
export async function makeRooms(): Promise<Room> {
  const sql = connection();
  await sql`insert into users (username, username_key) select 'fan_' || n, 'fan_' || n from generate_series(1, ${people}) n
    on conflict do nothing`;
  await sql`insert into stars (slug, name, category, fandom_color, initials, search_text)
    select 'bench-' || n, '벤치 ' || n, 'Idol', '#3355FF', 'ㅂㅊ', '벤치' from generate_series(1, ${channels + 1}) n
    on conflict do nothing`;
  await sql`insert into channels (star_id) select id from stars order by id on conflict do nothing`;
  await sql`insert into channel_members (channel_id, user_id) select c.id, u.id from channels c, users u where c.id <= 2
    on conflict do nothing`;
  const stars = await sql<{ id: number }[]>`select star_id as id from channels order by id`;
  const fans = await sql<{ id: number }[]>`select id from users order by id`;
  const [author = 0, ...senders] = fans.map(({ id }) => id);
  return {
    busyStar: stars[0]?.id ?? 0,
    quietStar: stars[1]?.id ?? 0,
    emptyStar: stars.at(-1)?.id ?? 0,
    author,
    senders,
  };
}

/** Adds messages until there are `count` of the `most` that will be, spread over two years, the newest of all just now. */
export async function fillTo(count: number, most: number): Promise<void> {
  const sql = connection();
  const [last] = await sql<{ id: string | null }[]>`select max(id) as id from messages`;
  const first = Number(last?.id ?? 0) + 1;
  if (first > count) return;
  const isLarge = count - first > rowsAtOnce / 10;
  const indexes = isLarge ? await putIndexesAside(sql) : [];
  for (let from = first; from <= count; from += rowsAtOnce) {
    const to = Math.min(count, from + rowsAtOnce - 1);
    await makeParts({ ...messageSeries, least: idsOfPart, most: idsOfPart }, to);
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`
        insert into messages (id, channel_id, user_id, content, created_at) overriding system value
        select id, case when id % ${quietEvery}::int = 0 then 2 when id % 4 = 0 then 1
            else 3 + (hashint8(id) & 2147483647) % ${channels - 2}::int end,
          case when id % ${Math.max(1, Math.floor(count / ownMessages))}::int = 0 then 1
            else 2 + (hashint8(id * 7) & 2147483647) % ${people - 1}::int end,
          'message ' || id || repeat(' 사랑해', (id % 8)::int),
          now() - ${months}::int * interval '30 days' * ((${most}::float8 - id) / ${most})
        from generate_series(${from}::bigint, ${to}::bigint) id`;
    });
    await sql`select setval(pg_get_serial_sequence('messages', 'id'), ${to}::bigint)`;
  }
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local maintenance_work_mem = '512MB'`;
    for (const index of indexes) await tx.unsafe(index);
  });
  const apart = await sql.reserve();
  await apart`set statement_timeout = 0`;
  await apart`vacuum analyze messages`;
  await apart`set statement_timeout = 15000`;
  apart.release();
}

/** Building an index once is faster than keeping it. @returns statements that bring them back */
async function putIndexesAside(sql: postgres.Sql): Promise<string[]> {
  const names = ['messages_channel', 'messages_author', 'messages_deletions'];
  const rows = await sql<{ name: string; back: string }[]>`
    select indexname as name, indexdef as back from pg_indexes where indexname = any(${names})`;
  for (const { name } of rows) await sql.unsafe(`drop index ${name}`);
  return rows.map(({ back }) => back.replace(' ON ONLY ', ' ON '));
}

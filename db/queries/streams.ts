import { type SQL, sql } from 'drizzle-orm';

/** A process that was not seen for so long holds no streams any more: it writes every two seconds. */
export const processLifeSeconds = 6;

/** Distinct people with an open stream in a channel, over all processes that live (decision C3). */
export const presentPeople = (channel: SQL) => sql`(
  select count(distinct o.person)::int from open_streams o
  join stream_processes p on p.id = o.process_id and p.seen_at > now() - make_interval(secs => ${processLifeSeconds})
  where o.channel_id = ${channel})`;

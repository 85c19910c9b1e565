import postgres from 'postgres';
import { connection, databaseUrl } from '../client.ts';
import type { Transport } from './subscriptions.ts';

/** LISTEN/NOTIFY. A payload has at most 8,000 bytes. */
export const postgresTransport: Transport = {
  async publish(channel, payload) {
    await connection().notify(channel, payload);
  },

  async connect(onMessage, onLost) {
    // Not `sql.listen`: it tries once to come back after its connection was lost, then is deaf for good.
    const options = {
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: 5,
      fetch_types: false,
      onnotice: () => {},
      onnotify: onMessage,
      onclose: onLost,
      connection: { application_name: 'byeol-bus' },
    };
    const sql = postgres(databaseUrl(), options);
    try {
      await sql`select 1`;
    } catch (error) {
      await sql.end({ timeout: 0 });
      throw error;
    }
    return {
      async listen(channel) {
        await sql`listen ${sql(channel)}`;
      },
      ping: () => sql`select 1`,
      close: () => sql.end({ timeout: 1 }),
    };
  },

  close: () => Promise.resolve(),
};

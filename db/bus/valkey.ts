import { RedisClient } from 'bun';
import { StartupError } from '../embedded/startup-error.ts';
import type { Transport } from './subscriptions.ts';

/** Our own loops connect again: Bun's gives up after some tries and does not say what was missed meanwhile. */
const options = { autoReconnect: false, enableOfflineQueue: false, connectionTimeout: 5_000 };

/** Valkey or Redis by `redis://`, `rediss://` or `valkey://`, with Bun's own client. */
export function valkeyTransport(url: string): Transport {
  const address = url.replace(/^valkey:/, 'redis:');
  let sender: Promise<RedisClient> | undefined;

  async function open(): Promise<RedisClient> {
    const client = new RedisClient(address, options);
    client.onclose = () => {
      sender = undefined;
    };
    await client.connect();
    return client;
  }

  return {
    async publish(channel, payload) {
      sender ??= open();
      try {
        await (await sender).publish(channel, payload);
      } catch (error) {
        sender = undefined;
        throw error;
      }
    },

    async connect(onMessage, onLost) {
      const client = new RedisClient(address, { ...options, enableOfflineQueue: true });
      try {
        await client.connect();
      } catch {
        throw new StartupError(
          `The bus at ${new URL(url).host} does not answer, or refuses the user or the password: check BUS_URL.`,
        );
      }
      client.onclose = onLost;
      return {
        async listen(channel) {
          await client.subscribe(channel, (payload, from) => onMessage(from, payload));
        },
        ping: () => client.ping(),
        async close() {
          client.onclose = null;
          client.close();
        },
      };
    },

    async close() {
      const closing = sender;
      sender = undefined;
      await closing?.then((client) => client.close()).catch(() => {});
    },
  };
}

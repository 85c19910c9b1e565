import { RedisClient } from 'bun';
import { StartupError } from '../embedded/startup-error.ts';
import type { Transport } from './subscriptions.ts';

/** Our own loops connect again: Bun's gives up after some tries and does not say what was missed meanwhile. */
const options = { autoReconnect: false, enableOfflineQueue: false, connectionTimeout: 5_000 };
/** Milliseconds within which what is sent has arrived: a connection that ended without a word is noticed by nothing else. */
const sendWithin = 5_000;

/** Valkey or Redis by `redis://`, `rediss://` or `valkey://`, with Bun's own client. */
export function valkeyTransport(url: string): Transport {
  const address = url.replace(/^valkey:/, 'redis:');
  let sender: Promise<RedisClient> | undefined;

  const forget = (gone: Promise<RedisClient>) => {
    if (sender === gone) sender = undefined;
  };

  function open(): Promise<RedisClient> {
    const client = new RedisClient(address, options);
    const opening = client.connect().then(() => client);
    client.onclose = () => forget(opening);
    return opening;
  }

  return {
    async publish(channel, payload) {
      sender ??= open();
      const own = sender;
      const sent = own.then((client) => client.publish(channel, payload));
      const { promise: late, reject } = Promise.withResolvers<never>();
      const limit = setTimeout(() => reject(new Error('the bus does not answer')), sendWithin);
      try {
        await Promise.race([sent, late]);
      } catch (error) {
        forget(own);
        own.then((client) => client.close()).catch(() => {});
        throw error;
      } finally {
        clearTimeout(limit);
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

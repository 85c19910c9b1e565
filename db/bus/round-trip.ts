import { publish, subscribe } from '../bus.ts';

const channel = 'byeol_ping';

/**
 * How long a message of this process takes to come back to it over the bus, in milliseconds, publishing included; undefined when it
 * does not within `timeout`. Its own clock alone tells, so that those of machines need not agree.
 */
export async function measureBus(timeout = 2_000): Promise<number | undefined> {
  const ping = crypto.randomUUID();
  const heard = Promise.withResolvers<number>();
  const listening = subscribe(channel, (payload) => {
    if (payload === ping) heard.resolve(performance.now());
  });
  const measured = (async () => {
    await listening;
    const sentAt = performance.now();
    await publish(channel, ping);
    return (await heard.promise) - sentAt;
  })();
  const unsubscribe = () => void listening.then((end) => end()).catch(() => {});
  try {
    return await Promise.race([measured, Bun.sleep(timeout).then(() => undefined)]);
  } catch {
    return undefined;
  } finally {
    measured.catch(() => {});
    unsubscribe();
  }
}

import { postgresTransport } from './bus/postgres.ts';
import { BusSubscriptions, type Transport } from './bus/subscriptions.ts';
import { valkeyTransport } from './bus/valkey.ts';

export type Unsubscribe = () => Promise<void>;

interface Bus {
  url: string | undefined;
  transport: Transport;
  subscriptions: BusSubscriptions;
}

const makeBus = (transport: Transport, url?: string): Bus => ({
  url,
  transport,
  subscriptions: new BusSubscriptions(transport),
});

let current = makeBus(postgresTransport);

/**
 * Chooses how the processes of this site reach each other, before anything listens.
 * @param url of Valkey or Redis; undefined: LISTEN/NOTIFY of the open database
 */
export function chooseBus(url: string | undefined): void {
  if (url !== current.url)
    current = url === undefined ? makeBus(postgresTransport) : makeBus(valkeyTransport(url), url);
}

/** False while this process may miss what the others publish. */
export const isBusConnected = (): boolean => current.subscriptions.isConnected;

/** Hears the database where it is now, if that is how processes reach each other. */
export function followDatabase(): void {
  if (current.transport === postgresTransport) current.subscriptions.reopen();
}

/** Lets go of the connection over which this process publishes. */
export async function closeBus(): Promise<void> {
  await current.transport.close();
}

/**
 * Sends a payload to every process that listens, this one included. At most 8,000 bytes; callers send ids, not contents.
 * It is a hint and may be lost: what matters is in a table.
 */
export async function publish(channel: string, payload: string): Promise<void> {
  await current.transport.publish(channel, payload);
}

/**
 * Calls `onMessage` for every payload of `channel` from any process. A lost connection is opened again for as long as it takes;
 * `onReady` runs each time, so that a listener can catch up on what it missed.
 */
export async function subscribe(
  channel: string,
  onMessage: (payload: string) => void,
  onReady: () => void = () => {},
): Promise<Unsubscribe> {
  return current.subscriptions.add(channel, { onMessage, onReady });
}

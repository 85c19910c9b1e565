import { connection } from './client.ts';

export type Unsubscribe = () => Promise<void>;

/**
 * Sends a payload to every process that listens, this one included, by PostgreSQL NOTIFY.
 * At most 8,000 bytes; callers send ids, not contents.
 */
export async function publish(channel: string, payload: string): Promise<void> {
  await connection().notify(channel, payload);
}

/**
 * Calls `onMessage` for every payload of `channel` from any process. postgres.js keeps one connection for all listeners
 * and listens again after it was lost; `onReady` runs each time, so that a listener can catch up on what it missed.
 */
export async function subscribe(
  channel: string,
  onMessage: (payload: string) => void,
  onReady: () => void = () => {},
): Promise<Unsubscribe> {
  const { unlisten } = await connection().listen(channel, onMessage, onReady);
  return unlisten;
}

/** What the browser knows of the channel of this page: shared by its header and the chat. */
import { atom } from 'nanostores';
import type { ChannelAnswer } from '#api/community/model.ts';
import { isLang } from '#content/locales.ts';
import { CallFailed, callApi, serverNow } from '../client/api.ts';
import { token } from './session.ts';

export const starId = Number(document.querySelector<HTMLElement>('[data-channel]')?.dataset.channel);
const params = { starId };
const language = isLang(document.documentElement.lang) ? document.documentElement.lang : 'ko';

/** The channel and what it is to the visitor; undefined until the server said so. */
export const details = atom<ChannelAnswer | undefined>(undefined);
/** The last question for the details failed. */
export const detailsFailed = atom(false);

let request: AbortController | undefined;

/** Asks for the channel. The first visit makes it (decision C1); a question before this one no longer counts. */
export async function refreshDetails(): Promise<void> {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  try {
    const answer = await callApi('get', '/api/community/channels/:starId', {
      params,
      query: { language },
      signal,
    });
    if (signal.aborted) return;
    detailsFailed.set(false);
    details.set(answer);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof CallFailed && error.status === 401) token.set(undefined);
    else detailsFailed.set(true);
  } finally {
    if (!signal.aborted) request = undefined;
  }
}

/** Asks for the channel again where that failed; a question that is on its way goes on. */
export function retryDetails(): void {
  if (detailsFailed.get() && !request) void refreshDetails();
}

/** Changes what is known of the channel, once something is. */
function change(channel: Partial<ChannelAnswer['channel']>): void {
  const current = details.get();
  if (current) details.set({ ...current, channel: { ...current.channel, ...channel } });
}

/** Counts that the stream brought. */
export const setCounts = ({ memberCount, activeUsers }: { memberCount: number; activeUsers: number }) =>
  change({ memberCount, activeUsers });

/**
 * A change moves the time of the fan's next message by the difference, at most to one pause from now; switched off, nobody waits.
 */
export function setSlowMode(slowModeSeconds: number): void {
  const { channel, viewer } = details.get() ?? {};
  if (channel && viewer?.nextMessageAt && slowModeSeconds !== channel.slowModeSeconds) {
    const at = Math.min(
      Date.parse(viewer.nextMessageAt) + (slowModeSeconds - channel.slowModeSeconds) * 1000,
      serverNow() + slowModeSeconds * 1000,
    );
    setNextMessageAt(slowModeSeconds === 0 ? null : new Date(at).toISOString());
  }
  change({ slowModeSeconds });
}

/** When slow mode lets this fan say the next thing. */
export function setNextMessageAt(nextMessageAt: string | null): void {
  const current = details.get();
  if (current?.viewer) details.set({ ...current, viewer: { ...current.viewer, nextMessageAt } });
}

/**
 * Joins or leaves, then asks for the channel anew (§4).
 * @throws what `callApi` throws
 */
export async function setMembership(joining: boolean): Promise<void> {
  const options = { params, idempotent: true };
  const { isMember, memberCount } = joining
    ? await callApi('post', '/api/community/channels/:starId/join', options)
    : await callApi('post', '/api/community/channels/:starId/leave', options);
  change({ isMember, memberCount });
  const current = details.get();
  if (current?.viewer) details.set({ ...current, viewer: { ...current.viewer, isMember } });
  await refreshDetails();
}

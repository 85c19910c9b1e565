import type { NewMute, NewReport } from '#api/community/model.ts';
import type { Lang } from '#content/locales.ts';
import { callApi } from '../../client/api.ts';
import { setSlowMode } from '../../stores/channel.ts';
import type { ChatRoom } from './chat-room.ts';

/** What a reader does with messages and people (decision C4). Every one of them does the same when it arrives twice. */

/** @throws what `callApi` throws, like all of these */
export async function deleteMessage(room: ChatRoom, id: number): Promise<void> {
  await callApi('delete', '/api/community/channels/:starId/messages/:id', {
    params: { starId: room.starId, id },
    idempotent: true,
  });
  room.markDeleted(id);
}

export async function reportMessage(room: ChatRoom, id: number, body: NewReport): Promise<void> {
  await callApi('post', '/api/community/channels/:starId/messages/:id/reports', {
    params: { starId: room.starId, id },
    body,
    idempotent: true,
  });
}

export async function mute(room: ChatRoom, body: NewMute): Promise<void> {
  await callApi('post', '/api/community/channels/:starId/mutes', {
    params: { starId: room.starId },
    body,
    idempotent: true,
  });
}

export const readMutes = (room: ChatRoom) =>
  callApi('get', '/api/community/channels/:starId/mutes', { params: { starId: room.starId } });

export async function unmute(room: ChatRoom, userId: number): Promise<void> {
  await callApi('delete', '/api/community/channels/:starId/mutes/:userId', {
    params: { starId: room.starId, userId },
    idempotent: true,
  });
}

export async function changeSlowMode(room: ChatRoom, seconds: number): Promise<void> {
  await callApi('put', '/api/community/channels/:starId/slow-mode', {
    params: { starId: room.starId },
    body: { seconds },
    idempotent: true,
  });
  setSlowMode(seconds);
}

export const readReports = (language: Lang) =>
  callApi('get', '/api/community/reports', { query: { status: 'open', language } });

/** One decision is on all open reports of the same message. */
export const decideReport = (id: number, decision: 'remove' | 'dismiss') =>
  callApi('post', '/api/community/reports/:id/decide', { params: { id }, body: { decision } });

import type { NewMute, NewReport } from '#api/community/model.ts';
import { callApi } from '../../client/api.ts';
import type { Room } from './room.ts';

/** What a reader does with messages and people (decision C4). Every one of them does the same when it arrives twice. */

/** @throws what `callApi` throws, like all of these */
export async function deleteMessage(room: Room, id: number): Promise<void> {
  await callApi('delete', '/api/community/channels/:starId/messages/:id', {
    params: { starId: room.starId, id },
    idempotent: true,
  });
  room.forgetWords(id);
}

export async function reportMessage(room: Room, id: number, body: NewReport): Promise<void> {
  await callApi('post', '/api/community/channels/:starId/messages/:id/reports', {
    params: { starId: room.starId, id },
    body,
    idempotent: true,
  });
}

export async function mute(room: Room, body: NewMute): Promise<void> {
  await callApi('post', '/api/community/channels/:starId/mutes', {
    params: { starId: room.starId },
    body,
    idempotent: true,
  });
}

export const readMutes = (room: Room) =>
  callApi('get', '/api/community/channels/:starId/mutes', { params: { starId: room.starId } });

export async function unmute(room: Room, userId: number): Promise<void> {
  await callApi('delete', '/api/community/channels/:starId/mutes/:userId', {
    params: { starId: room.starId, userId },
    idempotent: true,
  });
}

export async function setSlowMode(room: Room, seconds: number): Promise<void> {
  await callApi('put', '/api/community/channels/:starId/slow-mode', {
    params: { starId: room.starId },
    body: { seconds },
    idempotent: true,
  });
}

export const readReports = () => callApi('get', '/api/community/reports', { query: { status: 'open' } });

export async function decideReport(id: number, decision: 'remove' | 'dismiss'): Promise<void> {
  await callApi('post', '/api/community/reports/:id/decide', { params: { id }, body: { decision } });
}

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageAnswer } from '#api/community/model.ts';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { findPostmaster } from '#db/embedded/postmaster.ts';
import { type EmbeddedPostgres, startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { type Chance, chance } from '#db/seed/random.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { bearer, sending } from '#tests/kit/call.ts';
import { contention } from '#tests/kit/contention.ts';
import { makeChannel, makeFan } from '#tests/kit/make.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { type Listening, listenTo, textsOf } from '#tests/kit/sse.ts';
import { startBus, type TestBus } from '#tests/kit/valkey.ts';

/** Two processes on one PostgreSQL of their own, which a test may kill. */
let folder: string;
let postgres: EmbeddedPostgres;
let bus: TestBus;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'byeol-chat-'));
  postgres = await startEmbedded(folder);
  await createDatabase(postgres.url());
  await migrateDatabase(postgres.url());
  openDatabase(postgres.url());
  bus = await startBus();
}, 360_000);

afterAll(async () => {
  await bus.kill();
  await closeDatabase();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}, 300_000);

type Fan = Awaited<ReturnType<typeof makeFan>>;

const path = (star: number) => `/api/community/channels/${star}`;
/** Each fan comes from a network of its own. */
const headersOf = ({ id, token }: Fan) => ({ ...bearer(token), 'x-forwarded-for': `10.9.0.${id % 250}` });

async function listen(server: TestServer, star: number, fan?: Fan, lastEventId?: number): Promise<Listening> {
  const answer = await fetch(`${server.url}${path(star)}/stream?after=0`, {
    headers: {
      ...(fan ? headersOf(fan) : {}),
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  });
  if (answer.status !== 200 || !answer.body) throw new Error(`stream: ${answer.status}`);
  return listenTo(answer.body);
}

const send = (server: TestServer, star: number, fan: Fan, content: string, clientId?: string) => {
  const init = sending({ content, ...(clientId ? { clientId } : {}) });
  return fetch(`${server.url}${path(star)}/messages`, {
    ...init,
    headers: { ...init.headers, ...headersOf(fan) },
  });
};

const present = (count: number) => (event: { data: Record<string, unknown> }) =>
  event.data.activeUsers === count;

for (const busKind of ['PostgreSQL', 'Valkey'] as const) {
  describe(`two processes over ${busKind}`, () => {
    const servers: TestServer[] = [];
    const settings = () => ({
      TRUSTED_PROXIES: '127.0.0.1,::1',
      ...(busKind === 'Valkey' ? { BUS_URL: bus.url } : {}),
    });
    const start = (extraSettings: Record<string, string> = {}) =>
      startTestServer({ settings: { ...settings(), ...extraSettings }, databaseUrl: postgres.url() });
    const firstServer = () => servers[0] as TestServer;
    const secondServer = () => servers[1] as TestServer;

    beforeAll(async () => {
      servers.push(...(await Promise.all([start(), start()])));
    }, 300_000);
    afterAll(async () => {
      for (const server of servers) await server.stop();
    }, 300_000);

    test('bring what is said to one to the readers of the other within a second', async () => {
      const fans = await Promise.all(Array.from({ length: 8 }, () => makeFan()));
      const [first, ...others] = fans as [Fan, ...Fan[]];
      const star = await makeChannel({ members: fans.map(({ id }) => id) });
      const listening = await listen(secondServer(), star);
      await listening.until(({ event }) => event === 'hello');
      const bring = async (text: string, fan: Fan) => {
        const startedAt = performance.now();
        expect((await send(firstServer(), star, fan, text)).status).toBe(200);
        await listening.until(({ data }) => data.content === text);
        return performance.now() - startedAt;
      };
      // Two processes that have just started run much of this for the first time.
      await bring('먼저', first);
      const times: number[] = [];
      for (const [n, fan] of others.entries()) times.push(await bring(`${n}`, fan));
      // The machine may stall under one or two of them, not under most.
      const [, , , median = 0] = times.sort((one, another) => one - another);
      expect(median).toBeLessThan(1_000 * contention());
      await listening.close();
    }, 300_000);

    test('count the people of both, and of one when the other is killed', async () => {
      const fans = await Promise.all([makeFan(), makeFan(), makeFan()]);
      const [first, second, third] = fans as [Fan, Fan, Fan];
      const star = await makeChannel({ members: fans.map(({ id }) => id) });
      const listening = await listen(firstServer(), star, first);
      await listen(secondServer(), star, first);
      await listen(secondServer(), star, second);
      await listen(secondServer(), star, third);
      await listening.until(present(3));
      const port = new URL(secondServer().url).port;
      // Before the kill: who is slow to come back from it may have missed what it brings about.
      const eventsBefore = listening.events.length;
      await secondServer().kill();
      await listening.until((event) => present(1)(event) && listening.events.indexOf(event) >= eventsBefore);
      servers[1] = await start({ PORT: port });
      await listening.close();
    }, 300_000);

    test('lose and double nothing when one is killed under load and what carries the messages falls', async () => {
      const fans = await Promise.all(Array.from({ length: 12 }, () => makeFan()));
      const star = await makeChannel({ members: fans.map(({ id }) => id) });
      const messagesPerFan = 14;
      const expected = fans.flatMap((_, fan) =>
        Array.from({ length: messagesPerFan }, (__, n) => `${fan}-${n}`),
      );
      const acknowledged: string[] = [];
      const breakdown = Promise.withResolvers<void>();

      const talking = fans.map(async (fan, number) => {
        const luck = chance(`fan ${number}`);
        for (let n = 0; n < messagesPerFan; n += 1) {
          // However slow the machine is, somebody talks on when what carries the messages falls.
          if (n === messagesPerFan - 3) await breakdown.promise;
          acknowledged.push(await sendUntilStored(fan, star, `${number}-${n}`, luck));
          await Bun.sleep(luck.int(0, 600));
        }
      });
      const reading = Promise.all(
        Array.from({ length: 4 }, (_, n) =>
          follow(star, fans[n] as Fan, expected.length, chance(`reader ${n}`)),
        ),
      );
      const whenAcknowledged = async (share: number) => {
        while (acknowledged.length < expected.length * share) await Bun.sleep(10);
      };

      await whenAcknowledged(0.2);
      const port = new URL(firstServer().url).port;
      await firstServer().kill();
      await whenAcknowledged(0.4);
      servers[0] = await start({ PORT: port });
      await breakDown(busKind);
      breakdown.resolve();
      await Promise.all(talking);
      const readTexts = await reading;

      const stored = await connection()<{ id: number; content: string }[]>`
        select m.id::int as id, m.content from messages m join channels c on c.id = m.channel_id
        where c.star_id = ${star} order by m.id`;
      const texts = stored.map(({ content }) => content);
      expect(texts.toSorted()).toEqual(expected.toSorted());
      expect(acknowledged.toSorted()).toEqual(expected.toSorted());
      for (const reader of readTexts) expect(reader).toEqual(texts);
    }, 300_000);

    async function breakDown(kind: 'PostgreSQL' | 'Valkey'): Promise<void> {
      if (kind === 'PostgreSQL') {
        process.kill(findPostmaster(join(folder, 'postgres'))?.pid ?? 0, 'SIGKILL');
      } else {
        await bus.kill();
        await Bun.sleep(1_000);
        await bus.start();
      }
    }

    /** Sends as the island does: the same key again until an answer says that it is stored. */
    async function sendUntilStored(fan: Fan, star: number, content: string, luck: Chance): Promise<string> {
      const key = crypto.randomUUID();
      for (let attempt = 0; attempt < 1_000; attempt += 1) {
        const server = luck.next() < 0.5 ? firstServer() : secondServer();
        const answer = await send(server, star, fan, content, key).catch(() => undefined);
        if (answer?.status === 200) {
          // Sometimes the answer is lost, and the client asks again.
          if (luck.next() < 0.2) await send(secondServer(), star, fan, content, key).catch(() => undefined);
          return ((await answer.json()) as MessageAnswer).message.content;
        }
        const wait = Number(answer?.headers.get('retry-after') ?? 0);
        if (answer && answer.status < 500 && answer.status !== 429) throw new Error(await answer.text());
        await Bun.sleep(Math.min(wait, 1) * 1_000 + luck.int(50, 150));
      }
      throw new Error(`${content} was never stored`);
    }

    /** Reads the whole talk over connections that are cut again and again, at whichever process answers. */
    async function follow(star: number, fan: Fan, count: number, luck: Chance): Promise<string[]> {
      const texts: string[] = [];
      let last = 0;
      /** Connections in a row that brought nothing before they were cut: the next one is left alone for longer. */
      let barren = 0;
      const deadline = Date.now() + 270_000;
      while (texts.length < count) {
        if (Date.now() > deadline) throw new Error(`read ${texts.length} of ${count}`);
        const server = luck.next() < 0.5 ? firstServer() : secondServer();
        const listening = await listen(server, star, fan, last).catch(() => undefined);
        if (!listening) {
          await Bun.sleep(100);
          continue;
        }
        const cut = Bun.sleep(luck.int(200, 1_700) * (1 + barren));
        const allRead = listening.until(() => texts.length + textsOf(listening).length >= count);
        await Promise.race([cut, listening.ended, allRead.catch(() => undefined)]);
        await listening.close();
        barren = textsOf(listening).length === 0 ? barren + 1 : 0;
        texts.push(...textsOf(listening));
        last = listening.events.findLast(({ id }) => id !== undefined)?.id ?? last;
      }
      return texts;
    }

    test('tell their streams to reconnect and take no others while they stop', async () => {
      const fan = await makeFan();
      const star = await makeChannel({ members: [fan.id] });
      const listening = await listen(firstServer(), star, fan);
      await listening.until(({ event }) => event === 'hello');
      await firstServer().stop();
      await listening.ended;
      expect(listening.events.at(-1)?.event).toBe('reconnect');
      servers.shift();
    }, 300_000);
  });
}

import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { closeDatabase, openDatabase } from '#db/client.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { contention } from '#tests/kit/contention.ts';
import { makeArticle, makeChannel } from '#tests/kit/make.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { listenTo } from '#tests/kit/sse.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(300_000);

let server: TestServer;
const callers: Caller[] = [];

beforeAll(() => ensureBuilt(), 300_000);

afterEach(() => {
  for (const caller of callers.splice(0)) caller.hangUp();
});

/** A connection on which one request after the other is sent, byte by byte as written here. */
class Caller {
  readonly #socket: Socket;
  #text = '';
  asked = 0;
  /** Status and `Connection` of the whole answers. */
  readonly answers: { status: number; says: string | undefined }[] = [];
  isConnected = false;
  isClosed = false;
  fault = '';

  constructor(
    readonly name: string,
    /** What it asks next; nothing more when undefined. */
    private readonly next: () => string | undefined = () => undefined,
  ) {
    const { port } = new URL(server.url);
    this.#socket = connect(Number(port), '127.0.0.1', () => {
      this.isConnected = true;
      this.#askNext();
    });
    this.#socket.on('data', (part) => this.#hear(part.toString('latin1')));
    this.#socket.on('error', ({ message }) => (this.fault = message));
    this.#socket.on('close', () => (this.isClosed = true));
    callers.push(this);
  }

  ask(path: string): void {
    this.asked += 1;
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: ko\r\n\r\n`);
  }

  /** What came of an answer that is not whole. */
  get incompleteAnswer(): string {
    return this.#text;
  }

  hangUp(): void {
    this.#socket.destroy();
  }

  #hear(text: string): void {
    this.#text += text;
    const end = this.#text.indexOf('\r\n\r\n');
    const head = this.#text.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    if (end < 0 || this.#text.length < end + 4 + length) return;
    const says = /^connection: (.*)/im.exec(head)?.[1];
    this.answers.push({ status: Number(head.split(' ')[1]), says });
    this.#text = this.#text.slice(end + 4 + length);
    if (says !== 'close') this.#askNext();
  }

  #askNext(): void {
    const path = this.next();
    if (path !== undefined) this.ask(path);
  }
}

const once = (path: string) => {
  const paths = [path];
  return () => paths.shift();
};

describe('a server that is told to stop', () => {
  for (const round of [1, 2, 3]) {
    test(`answers whole whatever it has accepted, and says first that it stops (${round})`, async () => {
      server = await startTestServer();
      openDatabase(server.databaseUrl);
      const articles: number[] = [];
      for (let count = 0; count < 60; count += 1)
        articles.push(await makeArticle({ rewrites: { ko: '제목' } }));
      const star = await makeChannel({});
      await closeDatabase();
      const unvisitedArticle = () => articles.pop() ?? 0;

      const stream = await fetch(`${server.url}/api/community/channels/${star}/stream`);
      if (!stream.body) throw new Error('no stream');
      const listening = listenTo(stream.body);
      await listening.until(({ event }) => event === 'hello');

      // Connections of long ago, of now, and in the middle of the stop.
      const early = Array.from({ length: 6 }, (_, n) => new Caller(`early ${n}`));
      const busy = Array.from(
        { length: 8 },
        (_, n) => new Caller(`busy ${n}`, () => (n % 2 ? '/ko' : '/api/stars')),
      );
      await Bun.sleep(1_500);
      const silent = Array.from({ length: 12 }, (_, n) => new Caller(`silent ${n}`));
      await until(() => silent.every(({ isConnected }) => isConnected));
      const slow = Array.from(
        { length: 24 },
        (_, n) =>
          new Caller(`slow ${n}`, once(`${n % 2 ? '/ko/article/' : '/api/articles/'}${unvisitedArticle()}`)),
      );
      await until(() => slow.every(({ asked }) => asked === 1));

      // What the server has closed by now has been idle for its sixteen seconds, on a machine that stalled.
      const idle = [...early, ...silent].filter(({ isClosed }) => !isClosed);
      const began = performance.now();
      const stopped = server.stop();
      const probes: Caller[] = [];
      const isTold = () => probes.some(({ answers }) => answers.some(({ status }) => status === 503));
      while (!isTold() && probes.length < 500) {
        probes.push(new Caller(`probe ${probes.length}`, once('/readyz')));
        await Bun.sleep(10);
      }
      for (const [n, caller] of idle.entries()) if (n % 2) caller.ask(`/ko/article/${unvisitedArticle()}`);

      expect(await stopped).toBe(0);
      expect(performance.now() - began).toBeLessThan(20_000 * contention());
      await until(() => callers.every(({ isClosed }) => isClosed));

      const served = [...early, ...busy, ...silent, ...slow];
      // Who asked has a whole answer for each question; who did not has not a byte.
      expect(
        served
          .filter(
            ({ asked, answers, incompleteAnswer }) => answers.length !== asked || incompleteAnswer !== '',
          )
          .map(({ name, asked, answers, incompleteAnswer, fault }) => ({
            name,
            asked,
            whole: answers.length,
            incompleteAnswer,
            fault,
          })),
      ).toEqual([]);
      expect(new Set(served.flatMap(({ answers }) => answers.map(({ status }) => status)))).toEqual(
        new Set([200]),
      );
      expect(served.filter(({ fault }) => fault !== '').map(({ name, fault }) => [name, fault])).toEqual([]);
      expect(busy.map(({ answers }) => answers.at(-1)?.says)).toEqual(busy.map(() => 'close'));
      expect(isTold()).toBe(true);
      await listening.ended;
      expect(listening.events.at(-1)?.event).toBe('reconnect');
    });
  }

  test('cuts nobody of those who ask again and again, each time on a new connection', async () => {
    server = await startTestServer();
    const { port } = new URL(server.url);
    const counts = { whole: 0, refused: 0, cut: 0 };
    /** One question on its own connection: whole, never connected, or cut. */
    const askOnce = (path: string) =>
      new Promise<keyof typeof counts>((resolve) => {
        let isConnected = false;
        let text = '';
        const socket = connect(Number(port), '127.0.0.1', () => {
          isConnected = true;
          socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        });
        socket.on('data', (part) => (text += part.toString('latin1')));
        socket.on('error', () => {});
        socket.on('close', () => {
          const isWhole = text.startsWith('HTTP/1.1 ') && text.includes('\r\n\r\n');
          resolve(isConnected ? (isWhole ? 'whole' : 'cut') : 'refused');
        });
      });
    let isOver = false;
    const askers = ['/ko', '/en', '/api/stars', '/readyz'].flatMap((path) =>
      Array.from({ length: 6 }, async () => {
        while (!isOver && counts.refused < 24) counts[await askOnce(path)] += 1;
      }),
    );
    await until(() => counts.whole > 200, 60_000);
    expect(await server.stop()).toBe(0);
    isOver = true;
    await Promise.all(askers);
    expect(counts.cut).toBe(0);
    expect(counts.refused).toBeGreaterThan(0);
  });
});

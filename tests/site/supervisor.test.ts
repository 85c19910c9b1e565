import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { getConfig } from '#api/config.ts';
import { poolSizeOf } from '#db/client.ts';
import type { ServingProcess } from '#site/launch/processes/serving-process.ts';
import { processCount, shareOf } from '#site/launch/processes/share.ts';
import { Supervisor } from '#site/launch/processes/supervisor.ts';
import type { Place } from '#site/lib/http/shared-port.ts';
import { until } from '#tests/kit/until.ts';

/** A process that comes up, ends and is killed when the test says so. */
class Stub implements ServingProcess {
  readonly #serves = Promise.withResolvers<string>();
  readonly #left = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<string>();
  readonly serves = this.#serves.promise;
  readonly left = this.#left.promise;
  readonly ended = this.#ended.promise;
  place: Place | undefined;
  metricsPort: number;
  hasEnded = false;

  constructor(
    readonly pid: number,
    readonly inheritedPort?: number,
  ) {
    this.#serves.promise.catch(() => {});
    this.metricsPort = inheritedPort ?? 9_000 + pid;
  }

  serve(): void {
    this.#serves.resolve('http://localhost:4321/');
  }

  end(reason: string): void {
    this.hasEnded = true;
    this.#ended.resolve(reason);
    this.#left.resolve();
    this.#serves.reject(new Error(reason));
  }

  isRetired = false;
  retire(): void {
    this.isRetired = true;
  }

  leave(place: Place | undefined): void {
    this.place ??= place;
    this.end('it was told to');
  }

  kill(): void {
    this.end('it was ended by SIGKILL');
  }
}

let supervisor: Supervisor | undefined;
afterEach(() => supervisor?.stop());

const realNow = performance.now.bind(performance);
let clock: ReturnType<typeof stopClock> | undefined;
afterEach(() => clock?.mockRestore());
/** Time stands still for whoever measures it, and timers go on: a process has served as long as a test says, however slow the machine. */
function stopClock() {
  const stopped = realNow();
  return spyOn(performance, 'now').mockImplementation(() => stopped);
}

/** A supervisor of stubs, in which a second takes two milliseconds. */
function watchOver(count: number, onLaunch: (stub: Stub) => void, onChange = () => {}) {
  const stubs: Stub[] = [];
  const lines: string[] = [];
  const launch = (inheritedPort?: number) => {
    const stub = new Stub(stubs.length + 1, inheritedPort);
    stubs.push(stub);
    onLaunch(stub);
    return stub;
  };
  supervisor = new Supervisor({
    count,
    launch,
    onChange,
    log: (line) => lines.push(line),
    second: 2,
  });
  return { supervisor, stubs, lines };
}

describe('a supervisor', () => {
  test('says why the first process did not come up, and starts no other', async () => {
    const { supervisor, stubs } = watchOver(3, (stub) => stub.end('The port is taken.'));
    expect(await supervisor.start().catch(String)).toContain('The port is taken.');
    expect(stubs).toHaveLength(1);
  });

  test('starts again what ends at once, after pauses that grow to half a minute, with the reason', async () => {
    clock = stopClock();
    const { supervisor, stubs, lines } = watchOver(1, (stub) => {
      if (stub.pid === 1) stub.serve();
      else stub.end('There is no memory.');
    });
    await supervisor.start();
    stubs[0]?.kill();
    await until(() => lines.length >= 8);
    expect(lines.slice(0, 3)).toEqual([
      'All processes serve: 1.',
      'Process 1 (1) is gone, and is started again in 1 s: it was ended by SIGKILL.',
      'Process 1 (2) is gone, and is started again in 2 s: There is no memory.',
    ]);
    expect(lines.slice(1, 8).map((line) => Number(/in (\d+) s/.exec(line)?.[1]))).toEqual([
      1, 2, 4, 8, 16, 30, 30,
    ]);
  });

  test('starts again what ends also when it cannot be noted who lives', async () => {
    const { supervisor, stubs, lines } = watchOver(
      1,
      (stub) => stub.serve(),
      () => {
        throw new Error('no space left on device');
      },
    );
    await supervisor.start();
    stubs[0]?.kill();
    await until(() => stubs.length === 2);
    expect(lines).toContain('It could not be noted which processes serve: no space left on device');
  });

  test('starts again at once what had served for long', async () => {
    const { supervisor, stubs, lines } = watchOver(1, (stub) => stub.serve());
    await supervisor.start();
    const later = realNow() + 60_000;
    clock = stopClock();
    clock.mockImplementation(() => later);
    stubs[0]?.kill();
    await until(() => stubs.length === 2);
    expect(lines[1]).toContain('is started again at once');
  });

  test('replaces one after another, each when the new one serves, and knows where each stands', async () => {
    const { supervisor, stubs } = watchOver(3, (stub) => {
      if (stub.pid <= 3) stub.serve();
    });
    await supervisor.start();
    await supervisor.fill();
    // Of those that listen, 1 2 3, the last takes the place of one that ends: 3 2, and then 3 2 4.
    stubs[0]?.kill();
    await until(() => stubs.length === 4);
    stubs[3]?.serve();
    await supervisor.fill();
    const restarting = supervisor.restart();
    for (const { pid, leaving, place } of [
      { pid: 5, leaving: 4, place: { index: 2, count: 4 } },
      { pid: 6, leaving: 2, place: { index: 1, count: 4 } },
      { pid: 7, leaving: 3, place: { index: 0, count: 4 } },
    ]) {
      await until(() => stubs.length === pid);
      expect(stubs[leaving - 1]?.hasEnded).toBe(false);
      stubs[pid - 1]?.serve();
      await until(() => stubs[leaving - 1]?.hasEnded ?? false);
      expect(stubs[leaving - 1]?.place).toEqual(place);
    }
    await restarting;
    expect(stubs.filter(({ hasEnded }) => !hasEnded).map(({ pid }) => pid)).toEqual([5, 6, 7]);
  });

  test('leaves the old ones alone when a new one does not come up', async () => {
    const { supervisor, stubs, lines } = watchOver(2, (stub) => {
      if (stub.pid <= 2) stub.serve();
      else stub.end('The build is broken.');
    });
    await supervisor.start();
    await supervisor.fill();
    await supervisor.restart();
    expect(stubs.filter(({ hasEnded }) => !hasEnded).map(({ pid }) => pid)).toEqual([1, 2]);
    expect(lines.at(-1)).toBe(
      'The restart ends here, as a new process did not come up: The build is broken.',
    );
  });

  test('tells who takes a place at which port the one before was asked for its figures', async () => {
    const { supervisor, stubs } = watchOver(2, (stub) => stub.serve());
    await supervisor.start();
    await supervisor.fill();
    await supervisor.restart();
    stubs[3]?.kill();
    await until(() => stubs.length === 5);
    // What it waited for had another program, so it has another by now.
    const [moved] = stubs.slice(-1);
    if (moved) moved.metricsPort = 9_500;
    await supervisor.fill();
    moved?.kill();
    await until(() => stubs.length === 6);
    expect(stubs.map(({ inheritedPort }) => inheritedPort)).toEqual([
      undefined,
      undefined,
      9_001,
      9_002,
      9_002,
      9_500,
    ]);
  });

  test('gives those that it tells last as long to end as the first', async () => {
    const second = 200;
    // What it takes to tell them counts against the time that all have together.
    clock = stopClock();
    const toldAt: number[] = [];
    const killedAt: number[] = [];
    class Lingering extends Stub {
      override leave(): void {
        toldAt.push(realNow());
      }
      override kill(): void {
        killedAt.push(realNow());
        super.kill();
      }
    }
    let pid = 0;
    const launch = () => {
      pid += 1;
      const stub = new Lingering(pid);
      stub.serve();
      return stub;
    };
    const supervisor = new Supervisor({ count: 2, launch, onChange: () => {}, log: () => {}, second });
    await supervisor.start();
    await supervisor.fill();
    await supervisor.stop();
    expect(killedAt).toHaveLength(2);
    expect(Math.min(...killedAt) - Math.max(...toldAt)).toBeGreaterThan(11.5 * second);
  });

  test('starts nothing any more once it stops', async () => {
    const { supervisor, stubs } = watchOver(2, (stub) => stub.serve());
    await supervisor.start();
    await supervisor.fill();
    await supervisor.stop();
    await supervisor.restart();
    expect(stubs.map(({ hasEnded, place, isRetired }) => [hasEnded, place, isRetired])).toEqual([
      [true, { index: 0, count: 2 }, true],
      [true, undefined, true],
    ]);
  });
});

describe('each process has a part', () => {
  const settings = getConfig({ PAGE_CACHE_MB: '48' });
  const allowing = (allowed: number) => ({ allowed, embedded: false });

  test('of the connections that the database allows, with one more beside them while they are restarted', () => {
    expect(shareOf(settings, 3, allowing(97)).databaseConnections).toBe(19);
    expect(shareOf({ ...settings, databaseConnections: 60 }, 3, allowing(500)).databaseConnections).toBe(15);
    expect(() => shareOf(settings, 8, allowing(97))).toThrow(
      'The database allows 97 connections, and 8 processes need 119: raise max_connections there, or set fewer PROCESSES.',
    );
    expect(() => shareOf({ ...settings, databaseConnections: 20 }, 2, allowing(97))).toThrow(
      'DATABASE_CONNECTIONS must be at least 33 for 2 processes.',
    );
  });

  test('of those of the built-in database, which allows no more, and `auto` is as many as have one', () => {
    const builtIn = { allowed: 197, embedded: true };
    expect(() => shareOf(settings, 20, builtIn)).toThrow(
      'The database allows 197 connections, and 20 processes need 251: set DATABASE_URL to a PostgreSQL that allows more, or set fewer PROCESSES.',
    );
    expect([4, 15, 16, 96].map((cores) => processCount(settings, builtIn, cores))).toEqual([4, 15, 15, 15]);
    expect(shareOf(settings, processCount(settings, builtIn, 96), builtIn).databaseConnections).toBe(11);
    expect(processCount({ ...settings, databaseConnections: 40 }, builtIn, 96)).toBe(2);
    expect(processCount(settings, allowing(30), 96)).toBe(1);
  });

  test('of which its pools leave enough for jobs, bus and watch', () => {
    for (let connections = 11; connections < 30; connections += 1) {
      const pool = poolSizeOf(connections);
      expect(pool).toBeGreaterThanOrEqual(2);
      expect(pool + Math.min(pool, 4) + 7).toBeLessThanOrEqual(connections);
    }
    expect(poolSizeOf(undefined)).toBe(poolSizeOf(23));
  });

  test('of the memory for pages, and never too little', () => {
    expect(shareOf(settings, 3, allowing(97)).pageCacheBytes).toBe(16 * 1024 * 1024);
    expect(shareOf(settings, 12, allowing(500)).pageCacheBytes).toBe(8 * 1024 * 1024);
  });
});

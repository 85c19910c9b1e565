import postgres from 'postgres';
import { databaseUrl, loseDatabase, regainDatabase } from './client.ts';

/** How often it is asked, and how long an answer may take: together half of the 3 s in which people get theirs, as a busy machine is slow. */
const pause = 300;
const patience = 1_200;

/**
 * Asks the open database all the time whether it answers, on a connection of its own. One that is stopped, or out of reach,
 * refuses nothing: without this a query would wait for as long as that lasts, and so would whoever asked for a page.
 * @returns ends the watch
 */
export function watchDatabase(): () => void {
  const watch = new Watch(databaseUrl());
  void watch.run();
  return () => watch.end();
}

type Outcome = 'answered' | 'refused' | 'late';

class Watch {
  #line: postgres.Sql | undefined;
  #ended = false;

  constructor(private readonly url: string) {}

  async run(): Promise<void> {
    while (!this.#ended) {
      const answers = await this.#answers();
      if (this.#ended) break;
      if (answers) regainDatabase();
      else loseDatabase();
      await Bun.sleep(pause);
    }
  }

  end(): void {
    this.#ended = true;
    this.#hangUp();
  }

  async #answers(): Promise<boolean> {
    const wasOpen = this.#line !== undefined;
    const outcome = await this.#ask();
    // A connection may be lost for reasons of its own; a second one tells.
    return outcome === 'refused' && wasOpen ? (await this.#ask()) === 'answered' : outcome === 'answered';
  }

  async #ask(): Promise<Outcome> {
    this.#line ??= postgres(this.url, {
      max: 1,
      connect_timeout: patience / 1000,
      idle_timeout: 0,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'byeol-watch' },
    });
    const answer: Promise<Outcome> = this.#line`select 1`.then(
      () => 'answered',
      () => 'refused',
    );
    const outcome = await Promise.race([answer, late()]);
    if (outcome !== 'answered') this.#hangUp();
    return outcome;
  }

  #hangUp(): void {
    this.#line?.end({ timeout: 0 }).catch(() => {});
    this.#line = undefined;
  }
}

/** A process that was busy for so long finds its timers due before it reads what has come meanwhile: it gets to read first. */
async function late(): Promise<Outcome> {
  await Bun.sleep(patience);
  for (let turns = 0; turns < 3; turns += 1) await new Promise<void>((next) => setImmediate(next));
  return 'late';
}

import postgres from 'postgres';
import { databaseUrl, loseDatabase, regainDatabase } from './client.ts';
import { withoutPassword } from './migrate.ts';

/**
 * How often it is asked, and how long an answer may take. It is lost when it leaves two questions in a row without one: a busy
 * machine answers late, and people get theirs within 3 s all the same.
 */
const pause = 200;
const patience = 950;

/**
 * Asks the open database all the time whether it answers, on a connection of its own. One that is stopped, or out of reach,
 * refuses nothing: without this a query would wait for as long as that lasts, and so would whoever asked for a page. The log
 * has one line when it is lost and one when it answers again; nobody who is refused meanwhile adds to it.
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
    const name = `The database at ${withoutPassword(this.url)}`;
    while (!this.#ended) {
      const answers = await this.#answers();
      if (this.#ended) break;
      if (answers) {
        if (regainDatabase()) console.error(`${name} answers again.`);
      } else if (loseDatabase()) {
        console.error(`${name} does not answer: pages that need it are 503 until it does.`);
      }
      await Bun.sleep(pause);
    }
  }

  end(): void {
    this.#ended = true;
    this.#hangUp();
  }

  async #answers(): Promise<boolean> {
    const known = this.#line;
    const first = known ?? this.#connect();
    const answer = ask(first);
    const outcome = await outcomeOf(answer);
    if (outcome === 'answered') return true;
    if (outcome === 'refused' && !known) {
      this.#hangUp();
      return false;
    }
    // A connection may be lost for reasons of its own: another one tells. The first may still answer, too.
    const again = await outcomeOf(answer, ask(this.#connect()));
    hangUp(first);
    if (again !== 'answered') this.#hangUp();
    return again === 'answered';
  }

  #connect(): postgres.Sql {
    this.#line = postgres(this.url, {
      max: 1,
      connect_timeout: (2 * patience) / 1000,
      idle_timeout: 0,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'byeol-watch' },
    });
    return this.#line;
  }

  #hangUp(): void {
    if (this.#line) hangUp(this.#line);
    this.#line = undefined;
  }
}

const ask = (line: postgres.Sql): Promise<unknown> => line`select 1`.then(() => undefined);

const outcomeOf = (...answers: Promise<unknown>[]): Promise<Outcome> =>
  Promise.race([
    Promise.any(answers).then(
      (): Outcome => 'answered',
      (): Outcome => 'refused',
    ),
    late(),
  ]);

function hangUp(line: postgres.Sql): void {
  line.end({ timeout: 0 }).catch(() => {});
}

/** A process that was busy for so long finds its timers due before it reads what has come meanwhile: it gets to read first. */
async function late(): Promise<Outcome> {
  await Bun.sleep(patience);
  for (let turns = 0; turns < 3; turns += 1) await new Promise<void>((next) => setImmediate(next));
  return 'late';
}

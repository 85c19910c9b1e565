import postgres from 'postgres';
import { databaseUrl, disconnectDatabase, reconnectDatabase } from './client.ts';
import { log } from './log.ts';
import { withoutPassword } from './migrate.ts';

/**
 * How often it is asked, and how long an answer may take. It is lost when it leaves two questions in a row without one: a busy
 * machine answers late, and people get theirs within 3 s all the same.
 */
const checkInterval = 200;
const answerTimeout = 950;

/**
 * Asks the open database all the time whether it answers, on a connection of its own. One that is stopped, or out of reach,
 * refuses nothing: without this a query would wait for as long as that lasts, and so would whoever asked for a page. The log
 * has one line when it is lost and one when it answers again; nobody who is refused meanwhile adds to it.
 * @returns ends the watch
 */
export function watchDatabase(): () => void {
  const watch = new DatabaseWatch(databaseUrl());
  void watch.run();
  return () => watch.end();
}

type Outcome = 'answered' | 'refused' | 'late';

class DatabaseWatch {
  #connection: postgres.Sql | undefined;
  #ended = false;

  constructor(private readonly url: string) {}

  async run(): Promise<void> {
    const database = withoutPassword(this.url);
    while (!this.#ended) {
      const answers = await this.#isAnswering();
      if (this.#ended) break;
      if (answers) {
        if (reconnectDatabase()) log.warn({ database }, 'the database answers again');
      } else if (disconnectDatabase()) {
        log.error({ database }, 'the database does not answer: pages that need it are 503 until it does');
      }
      await Bun.sleep(checkInterval);
    }
  }

  end(): void {
    this.#ended = true;
    this.#disconnect();
  }

  async #isAnswering(): Promise<boolean> {
    const existing = this.#connection;
    const first = existing ?? this.#connect();
    const answer = ping(first);
    const outcome = await outcomeOf(answer);
    if (outcome === 'answered') return true;
    if (outcome === 'refused' && !existing) {
      this.#disconnect();
      return false;
    }
    // A connection may be lost for reasons of its own: another one tells. The first may still answer, too.
    const secondOutcome = await outcomeOf(answer, ping(this.#connect()));
    disconnect(first);
    if (secondOutcome !== 'answered') this.#disconnect();
    return secondOutcome === 'answered';
  }

  #connect(): postgres.Sql {
    this.#connection = postgres(this.url, {
      max: 1,
      connect_timeout: (2 * answerTimeout) / 1000,
      idle_timeout: 0,
      max_lifetime: null,
      fetch_types: false,
      onnotice: () => {},
      connection: { application_name: 'byeol-watch' },
    });
    return this.#connection;
  }

  #disconnect(): void {
    if (this.#connection) disconnect(this.#connection);
    this.#connection = undefined;
  }
}

const ping = (sql: postgres.Sql): Promise<unknown> => sql`select 1`.then(() => undefined);

const outcomeOf = (...answers: Promise<unknown>[]): Promise<Outcome> =>
  Promise.race([
    Promise.any(answers).then(
      (): Outcome => 'answered',
      (): Outcome => 'refused',
    ),
    timeout(),
  ]);

function disconnect(sql: postgres.Sql): void {
  sql.end({ timeout: 0 }).catch(() => {});
}

/** A process that was busy for so long finds its timers due before it reads what has come meanwhile: it gets to read first. */
async function timeout(): Promise<Outcome> {
  await Bun.sleep(answerTimeout);
  for (let turns = 0; turns < 3; turns += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  return 'late';
}

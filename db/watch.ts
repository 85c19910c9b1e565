import postgres from 'postgres';

/** A server that is asked all the time whether it answers. */
interface Watched<Answer> {
  /** Where it may be, tried in turn while none of them answers. */
  urls: readonly string[];
  /** @throws when what answers is not what is looked for */
  ask(sql: postgres.Sql): Promise<Answer>;
  /** @param url where it answered @param askedAt by `performance.now()` */
  onAnswer(answer: Answer, url: string, askedAt: number): void;
  /** It left two questions in a row without an answer; called for each such pair. */
  onLost(url: string): void;
  /** It left both without an answer but let a new connection in: who asks waits in a queue. Without this it is lost then, too. */
  onQueued?(): void;
}

/**
 * How often it is asked, and how long an answer may take. A server is lost when it leaves two questions in a row without one: a busy machine answers late, and
 * people get theirs within 3 s all the same.
 */
const interval = 200;
const answerTimeout = 950;

type Outcome<Answer> = { answer: Answer } | 'refused' | 'late' | 'queued';

/**
 * Asks a server all the time whether it answers, on a connection of its own. One that is stopped, or out of reach, refuses
 * nothing: without this a query would wait for as long as that lasts, and so would whoever asked for a page.
 */
export class Watch<Answer> {
  #connection: postgres.Sql | undefined;
  #place = 0;
  #ended = false;

  constructor(private readonly watched: Watched<Answer>) {}

  async run(): Promise<void> {
    const { urls } = this.watched;
    while (!this.#ended) {
      const url = urls[this.#place % urls.length] ?? '';
      const askedAt = performance.now();
      const outcome = await this.#askTwice(url);
      if (this.#ended) break;
      if (typeof outcome === 'object') this.watched.onAnswer(outcome.answer, url, askedAt);
      else if (outcome === 'queued') this.watched.onQueued?.();
      else {
        this.watched.onLost(url);
        this.#place += 1;
      }
      await Bun.sleep(interval);
    }
  }

  end(): void {
    this.#ended = true;
    this.#disconnect();
  }

  async #askTwice(url: string): Promise<Outcome<Answer>> {
    const existing = this.#connection;
    const first = existing ?? this.#connect(url);
    const answer = this.watched.ask(first);
    const outcome = await outcomeOf(answer);
    if (typeof outcome === 'object') return outcome;
    if (outcome === 'refused' && !existing) {
      this.#disconnect();
      return outcome;
    }
    // A connection may be lost for reasons of its own: another one tells. The first may still answer, too.
    const second = this.#connect(url);
    const secondOutcome = await outcomeOf(answer, this.watched.ask(second));
    disconnect(first);
    if (secondOutcome === 'late' && this.watched.onQueued && isLetIn(second)) return 'queued';
    if (typeof secondOutcome !== 'object') this.#disconnect();
    return secondOutcome;
  }

  #connect(url: string): postgres.Sql {
    this.#connection = postgres(url, {
      max: 1,
      connect_timeout: (2 * answerTimeout) / 1000,
      idle_timeout: 0,
      max_lifetime: null,
      fetch_types: false,
      // A pooler may give each question another connection.
      prepare: false,
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

/** Whoever logs in is told the server's version first. */
const isLetIn = (sql: postgres.Sql): boolean => 'server_version' in sql.parameters;

const outcomeOf = <Answer>(...answers: Promise<Answer>[]): Promise<Outcome<Answer>> =>
  Promise.race([
    Promise.any(answers).then(
      (answer): Outcome<Answer> => ({ answer }),
      (): Outcome<Answer> => 'refused',
    ),
    timeout(),
  ]);

function disconnect(sql: postgres.Sql): void {
  sql.end({ timeout: 0 }).catch(() => {});
}

/** A process that was busy for so long finds its timers due before it reads what has come meanwhile: it gets to read first. */
async function timeout(): Promise<'late'> {
  await Bun.sleep(answerTimeout);
  for (let turns = 0; turns < 3; turns += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  return 'late';
}

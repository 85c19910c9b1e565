import type { MessageAnswer } from '#api/community/model.ts';
import { codeOf } from '#db/error-code.ts';
import { chance } from '#db/seed/random.ts';
import { bearer, sending } from './call.ts';
import { askRaw } from './raw.ts';
import { type Listening, listenTo, textsOf } from './sse.ts';

export interface LoadedFan {
  id: number;
  token: string;
}

interface LoadPlan {
  /** Origin of the site. */
  url: string;
  /** Asked in turn by each asker. */
  paths: readonly string[];
  /** How many ask on a new connection each time, and how many keep theirs. */
  askers: { fresh: number; kept: number };
  /** Milliseconds between an answer and the next question of an asker, and on average between the messages of a fan. */
  pauses: { question: number; message: number };
  /** Whose channel the fans talk in, of which they are members. */
  star: number;
  fans: readonly LoadedFan[];
  /** How many of them read all of it meanwhile. */
  readers: number;
}

/** Opens the stream of a star's channel on a connection of its own. */
export async function openChannelStream(
  url: string,
  star: number,
  { token, after = 0 }: { token?: string | undefined; after?: number } = {},
): Promise<Listening> {
  const headers = { ...(token ? bearer(token) : {}), 'last-event-id': String(after) };
  const answer = await fetch(`${url}/api/community/channels/${star}/stream`, { headers, keepalive: false });
  if (answer.status !== 200 || !answer.body) throw new Error(`stream: ${answer.status}`);
  return listenTo(answer.body);
}

/** People who read pages and talk in a channel for as long as it takes, and what became of each of their requests. */
export class SiteLoad {
  /** Requests by what came of them: the status, or what broke off. */
  readonly outcomes = new Map<string, number>();
  /** Texts of the messages that the site said it has. */
  readonly acknowledged: string[] = [];
  #isOver = false;
  /** It is known when everybody has stopped talking. */
  #messageCount = Number.POSITIVE_INFINITY;
  readonly #asking: Promise<unknown>;
  readonly #talking: Promise<unknown>;
  readonly #reading: Promise<string[][]>;

  constructor(private readonly plan: LoadPlan) {
    const { askers, fans, readers } = plan;
    this.#asking = Promise.all([
      ...Array.from({ length: askers.fresh }, (_, n) => this.#ask(n, false)),
      ...Array.from({ length: askers.kept }, (_, n) => this.#ask(n, true)),
    ]);
    this.#talking = Promise.all(fans.map((fan) => this.#talk(fan)));
    this.#reading = Promise.all(fans.slice(0, readers).map((fan) => this.#read(fan)));
  }

  get answered(): number {
    return this.outcomes.get('200') ?? 0;
  }

  /** What was not answered as it should. */
  get failures(): [outcome: string, count: number][] {
    return [...this.outcomes].filter(([outcome]) => outcome !== '200');
  }

  /** Ends it. @returns what each reader read, in the order in which it came */
  async end(): Promise<string[][]> {
    this.#isOver = true;
    await Promise.all([this.#asking, this.#talking]);
    this.#messageCount = this.acknowledged.length;
    return this.#reading;
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  async #ask(first: number, keepsConnection: boolean): Promise<void> {
    const { url, paths, pauses } = this.plan;
    for (let n = first; !this.#isOver; n += 1) {
      const path = paths[n % paths.length] ?? '/';
      try {
        const answer = keepsConnection ? await fetch(url + path) : await askRaw(url, path);
        if (answer instanceof Response) await answer.bytes();
        this.#count(String(answer.status));
      } catch (error) {
        this.#count(codeOf(error) ?? String(error));
      }
      await Bun.sleep(pauses.question);
    }
  }

  /** Talks as the page does: what is not known to be stored is sent again with the same key. */
  async #talk(fan: LoadedFan): Promise<void> {
    const { url, star, pauses } = this.plan;
    const luck = chance(`fan ${fan.id}`);
    for (let n = 0; !this.#isOver; n += 1) {
      const { headers, ...init } = sending({ content: `${fan.id}-${n}`, clientId: crypto.randomUUID() });
      const call = { ...init, headers: { ...headers, ...bearer(fan.token) }, keepalive: false };
      for (let isStored = false; !isStored; ) {
        const answer = await fetch(`${url}/api/community/channels/${star}/messages`, call).catch(
          () => undefined,
        );
        // Who talks too fast is told to wait, and does.
        if (answer?.status !== 429) this.#count(String(answer?.status ?? 'message cut'));
        isStored = answer?.status === 200;
        if (answer && isStored)
          this.acknowledged.push(((await answer.json()) as MessageAnswer).message.content);
        await Bun.sleep(isStored ? pauses.message * (0.5 + luck.next()) : 200);
      }
    }
  }

  /** Reads as the page does: comes again when it is told to, or cut off, after the last event that it has. */
  async #read({ token }: LoadedFan): Promise<string[]> {
    const texts: string[] = [];
    for (let after = 0; texts.length < this.#messageCount; ) {
      const listening = await openChannelStream(this.plan.url, this.plan.star, { token, after }).catch(
        () => undefined,
      );
      if (listening) {
        let hasEnded = false;
        void listening.ended.then(() => {
          hasEnded = true;
        });
        while (!hasEnded && texts.length + textsOf(listening).length < this.#messageCount)
          await Bun.sleep(50);
        await listening.close();
        texts.push(...textsOf(listening));
        after = listening.events.findLast(({ id }) => id !== undefined)?.id ?? after;
      }
      await Bun.sleep(50);
    }
    return texts;
  }
}

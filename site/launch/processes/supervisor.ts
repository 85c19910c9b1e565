import { StartupError } from '#db/embedded.ts';
import type { Place } from '../../lib/http/shared-port.ts';
import type { ServingProcess } from './serving-process.ts';

/** Seconds between the end of a process that served for less than `steadyAfter` and the next, at the first such end and at most. */
const firstPause = 1;
const longestPause = 30;
/** Seconds after which a process counts as one that works. */
const steadyAfter = 10;
/** Seconds after which those that stop one after another are told all at once. */
const orderlyStop = 3;
/**
 * Seconds for the last that was told: what it has accepted is answered for up to ten seconds, and then the others and the edges hear
 * what they do not know yet. All of it, the pause before included, must leave the built-in PostgreSQL time to stop before who stops us
 * ends us all: that is 25 s (`TimeoutStopSec`, `stop_grace_period`), and `Shutdown` has its own.
 */
const leaveTimeout = 12;
const stopTimeout = 20;

interface Options {
  count: number;
  /** @param metricsPort that of the last process with this number */
  launch(metricsPort: number | undefined): ServingProcess;
  /** Gets the ids of those that live, whenever they change. What it throws is logged: processes come and go all the same. */
  onChange(pids: readonly number[]): void;
  log(line: string): void;
  /** Milliseconds between the word that all are about to end and the first that leaves. */
  drainTime?: number;
  /** Milliseconds that count as a second of the pauses and time-outs above. */
  second?: number;
}

/** A process and its number, which the one that takes its place has as well. */
interface Member {
  number: number;
  process: ServingProcess;
  servesSince: number | undefined;
  hasEnded: boolean;
}

/**
 * Keeps so many processes serving: starts again what ends, with growing pauses when it ends soon, and replaces them one after another
 * on demand. Only one comes or leaves at a time, so that it is known in which order Linux keeps them (decision W8).
 */
export class Supervisor {
  readonly #members = new Set<Member>();
  readonly #current: (Member | undefined)[];
  readonly #shortLives: number[];
  /** By number, the last that served: whoever takes its place is asked for its figures where that one was. */
  readonly #predecessors: (ServingProcess | undefined)[] = [];
  /** Those that listen, in the order of Linux: the last comes into the place of one that leaves. */
  readonly #listening: Member[] = [];
  readonly #timers = new Set<Timer>();
  #turn: Promise<unknown> = Promise.resolve();
  #isRestarting = false;
  #isStopping = false;
  #wasComplete = false;

  constructor(private readonly options: Options) {
    this.#current = Array.from({ length: options.count }, () => undefined);
    this.#shortLives = Array.from({ length: options.count }, () => 0);
  }

  /**
   * Starts the first.
   * @returns its address
   * @throws StartupError with the reason when it does not come up
   */
  async start(): Promise<string> {
    const first = this.#launch(0);
    try {
      return await this.#join(first);
    } catch (error) {
      this.#isStopping = true;
      throw new StartupError(messageOf(error));
    }
  }

  /** Starts the others, one after another. */
  async fill(): Promise<void> {
    await Promise.all(this.#current.keys().map((number) => this.#inTurn(() => this.#startAt(number))));
  }

  /** Replaces all, one after another: the new one serves before the old one leaves. When a new one does not come up the old ones stay. */
  async restart(): Promise<void> {
    if (this.#isRestarting || this.#isStopping) return;
    this.#isRestarting = true;
    this.options.log('The processes are restarted one after another.');
    try {
      for (const number of this.#current.keys()) await this.#inTurn(() => this.#replace(number));
      if (!this.#isStopping) this.options.log(`All are restarted: ${this.#pids().join(', ')}.`);
    } catch (error) {
      if (!this.#isStopping)
        this.options.log(`The restart ends here, as a new process did not come up: ${messageOf(error)}`);
    } finally {
      this.#isRestarting = false;
    }
  }

  /** Ends all: one after another they leave the port to those that are left, so that nobody is cut off. */
  async stop(): Promise<void> {
    const second = this.options.second ?? 1_000;
    const beganAt = performance.now();
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { process } of this.#members) process.retire();
    await Bun.sleep(this.options.drainTime ?? 0);
    const isLate = Bun.sleep(orderlyStop * second);
    for (const member of [...this.#listening]) {
      member.process.leave(this.#placeOf(member));
      await Promise.race([member.process.left, isLate]);
    }
    for (const { process } of this.#members) process.leave(undefined);
    const timeLeft = stopTimeout * second - (performance.now() - beganAt);
    const kill = setTimeout(
      () => {
        for (const { process } of this.#members) process.kill();
      },
      Math.min(leaveTimeout * second, timeLeft),
    );
    await Promise.all([...this.#members].map(({ process }) => process.ended));
    clearTimeout(kill);
  }

  /** Runs what changes who listens, one after another. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action);
    this.#turn = result.catch(() => {});
    return result;
  }

  #launch(number: number): Member {
    const member: Member = {
      number,
      process: this.options.launch(this.#predecessors[number]?.metricsPort),
      servesSince: undefined,
      hasEnded: false,
    };
    this.#members.add(member);
    this.#current[number] ??= member;
    this.#tellChange();
    void member.process.left.then(() => this.#leaveList(member));
    void member.process.ended.then((reason) => this.#onEnd(member, reason));
    return member;
  }

  /** Resolves with its address when it serves; @throws the reason why it does not */
  async #join(member: Member): Promise<string> {
    const url = await member.process.serves;
    if (member.hasEnded) throw new Error('it ended as soon as it served');
    member.servesSince = performance.now();
    this.#predecessors[member.number] = member.process;
    this.#listening.push(member);
    if (!this.#wasComplete && this.#listening.length === this.options.count) {
      this.#wasComplete = true;
      this.options.log(`All processes serve: ${this.#pids().join(', ')}.`);
    }
    return url;
  }

  async #startAt(number: number): Promise<void> {
    if (this.#isStopping || this.#current[number]) return;
    const wasComplete = this.#wasComplete;
    const member = this.#launch(number);
    try {
      await this.#join(member);
      if (wasComplete) this.options.log(`Process ${number + 1} serves again (${member.process.pid}).`);
    } catch {
      // Why it did not come up is told when it has ended.
    }
  }

  async #replace(number: number): Promise<void> {
    if (this.#isStopping) return;
    const old = this.#current[number];
    const fresh = this.#launch(number);
    await this.#join(fresh);
    // The old one may have ended meanwhile.
    this.#current[number] = fresh;
    if (!old || old.hasEnded) return;
    old.process.leave(this.#placeOf(old));
    await old.process.ended;
  }

  /** Undefined when nobody else listens. */
  #placeOf(member: Member): Place | undefined {
    const index = this.#listening.indexOf(member);
    const count = this.#listening.length;
    return index < 0 || count < 2 ? undefined : { index, count };
  }

  #leaveList(member: Member): void {
    const index = this.#listening.indexOf(member);
    const last = index < 0 ? undefined : this.#listening.pop();
    if (last && last !== member) this.#listening[index] = last;
  }

  #onEnd(member: Member, reason: string): void {
    const { number, servesSince, process } = member;
    member.hasEnded = true;
    this.#members.delete(member);
    this.#tellChange();
    if (this.#current[number] !== member) return;
    this.#current[number] = undefined;
    if (this.#isStopping) return;
    const second = this.options.second ?? 1_000;
    const wasSteady = servesSince !== undefined && performance.now() - servesSince >= steadyAfter * second;
    const shortLives = wasSteady ? 0 : (this.#shortLives[number] ?? 0) + 1;
    this.#shortLives[number] = shortLives;
    const pause = shortLives === 0 ? 0 : Math.min(firstPause * 2 ** (shortLives - 1), longestPause);
    const when = pause === 0 ? 'at once' : `in ${pause} s`;
    this.options.log(
      `Process ${number + 1} (${process.pid}) is gone, and is started again ${when}: ${reason.replace(/\.$/, '')}.`,
    );
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#inTurn(() => this.#startAt(number));
    }, pause * second);
    this.#timers.add(timer);
  }

  #tellChange(): void {
    try {
      this.options.onChange(this.#pids());
    } catch (error) {
      this.options.log(`It could not be noted which processes serve: ${messageOf(error)}`);
    }
  }

  #pids(): number[] {
    return [...this.#members].map(({ process }) => process.pid);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

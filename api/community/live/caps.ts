import { TooManyRequests } from '../../errors.ts';

/** Streams over all processes: one person, or everybody behind one address, cannot hold those of all others (decision S7). */
const caps = { person: 8, network: 100 };
/** Seconds after which somebody who was refused may ask again. */
const capPause = 10;

/** Whose stream it is, by number of the account and by address. */
export interface Owner {
  person: number;
  network: string;
}

/** Streams that are held. */
interface Held {
  person: number;
  network: number;
}

/** The streams of this process by person and by network. */
export class StreamCaps {
  readonly #persons = new Map<number, number>();
  readonly #networks = new Map<string, number>();

  /**
   * Counts a stream.
   * @returns how many this process holds with it
   * @throws TooManyRequests when that is over a cap; then it is not counted
   */
  take(owner: Owner, isGuest: boolean): Held {
    const held = {
      person: add(this.#persons, owner.person, 1),
      network: add(this.#networks, owner.network, 1),
    };
    try {
      refuseMany(held, isGuest);
    } catch (error) {
      this.giveBack(owner);
      throw error;
    }
    return held;
  }

  giveBack({ person, network }: Owner): void {
    add(this.#persons, person, -1);
    add(this.#networks, network, -1);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): number {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
  return count;
}

/**
 * Guests of one network are one person here; only their number is capped.
 * @throws TooManyRequests
 */
export function refuseMany({ person, network }: Held, isGuest: boolean): void {
  if ((!isGuest && person > caps.person) || network > caps.network) throw new TooManyRequests(capPause);
}

import { TooManyRequests } from '../../errors.ts';
import { forAddress } from '../../plugins/rate-limits.ts';

/**
 * Streams over all processes: one person, or the guests behind one address, cannot hold those of all others (decisions S7, S12). A
 * thousand that keep up take 4 MB and a write each for a round of messages.
 */
const caps = { account: 8, guests: 1_000 };
/** Seconds after which somebody who was refused may ask again. */
const retryAfterSeconds = 10;

/** Whose stream it is: a guest is a negative number, and counts with all guests of the network. */
interface Owner {
  person: number;
  network: string;
}

const holderOf = ({ person, network }: Owner): number | string => (person < 0 ? network : person);

/** The streams of this process by account and by network of guests. */
export class StreamCaps {
  readonly #held = new Map<number | string, number>();

  /**
   * Counts a stream.
   * @returns how many this process holds with it
   * @throws TooManyRequests when that is over a cap; then it is not counted
   */
  take(owner: Owner): number {
    const streamCount = this.#add(owner, 1);
    try {
      refuseOverCap(owner, streamCount);
    } catch (error) {
      this.giveBack(owner);
      throw error;
    }
    return streamCount;
  }

  giveBack(owner: Owner): void {
    this.#add(owner, -1);
  }

  #add(owner: Owner, change: 1 | -1): number {
    const holder = holderOf(owner);
    const count = (this.#held.get(holder) ?? 0) + change;
    if (count > 0) this.#held.set(holder, count);
    else this.#held.delete(holder);
    return count;
  }
}

/** @throws TooManyRequests when an account, or the guests of a network, hold more streams than the cap */
export function refuseOverCap({ person }: Owner, streamCount: number): void {
  if (streamCount > (person < 0 ? forAddress(caps.guests) : caps.account))
    throw new TooManyRequests(retryAfterSeconds);
}

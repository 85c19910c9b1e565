import { randomInt } from 'node:crypto';

/** Letters and digits without those that look alike (base58). */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A random password of 16 characters, 93 bits. */
export function newPassword(): string {
  return Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { storageKey } from '#content/site.ts';
import { findLogin, findPasswordHash } from '#db/queries/accounts/accounts.ts';
import { accountKey } from '#db/seed/accounts.ts';
import { isHttps, newToken, readCookie } from '../plugins/session.ts';
import { hasUnsafeCharacters, normalizeText } from './names.ts';

/**
 * Device cookies (OWASP: “Slow Down Online Guessing Attacks with Device Cookies”, decision S13): a browser in which an account was
 * logged in to says so, and its tries are counted apart. Strangers who guess slow down themselves, not the owner. The cookie
 * opens nothing: the password is still asked for.
 */

const lifetime = 365 * 86_400;
const pattern = /^([0-9a-f]{64})\.([0-9a-f]{64})$/;
/** Only the ways to log in get it: the call, and the form of the page where there are no scripts. */
const paths = ['/api/auth/login', '/login'];

/** One per account, so that people who share a browser are all known to it. */
const nameOf = (userId: number) => `${isHttps() ? '__Secure-' : ''}${storageKey}_device_${userId}`;

/** By the hash of the password, which nobody else knows; a new password makes every device a stranger. */
const sign = (userId: number, nonce: string, passwordHash: string): Buffer =>
  createHmac('sha256', passwordHash).update(`device ${userId} ${nonce}`).digest();

/** The name of the device among those of an account; undefined for a stranger and for an e-mail address that is nobody's. */
export async function findKnownDevice(email: string, cookies: string | null): Promise<string | undefined> {
  if (!cookies?.includes(`${storageKey}_device_`)) return undefined;
  const typed = normalizeText(email);
  const account = hasUnsafeCharacters(typed) ? undefined : await findLogin(accountKey(typed));
  const [, nonce = '', signature = ''] =
    (account && readCookie(cookies, nameOf(account.id))?.match(pattern)) ?? [];
  if (!account || nonce === '') return undefined;
  const isOurs = timingSafeEqual(
    sign(account.id, nonce, account.passwordHash),
    Buffer.from(signature, 'hex'),
  );
  return isOurs ? nonce : undefined;
}

/** The `Set-Cookie` values that make a browser known to the account; without a password, those that make it forget. */
export async function deviceCookiesFor(userId: number): Promise<string[]> {
  const passwordHash = await findPasswordHash(userId);
  const nonce = newToken();
  const value = passwordHash ? `${nonce}.${sign(userId, nonce, passwordHash).toString('hex')}` : '';
  const secure = isHttps() ? '; Secure' : '';
  const attributes = `HttpOnly; SameSite=Strict; Max-Age=${passwordHash ? lifetime : 0}${secure}`;
  return paths.map((path) => `${nameOf(userId)}=${value}; Path=${path}; ${attributes}`);
}

/** The product's name and constants (decision P1): the only place that names the product. */
export const site = {
  name: 'Byeol',
  nameInKorean: '별',
  wordmark: 'byeol',
  brandColor: '#ff4b1f',
  demoUrl: 'http://localhost:4321',
} as const;

/**
 * Prefix of everything kept in a visitor's browser and of the session cookie. Apart from the rest of `site`, because every page's
 * script needs it alone.
 */
export const storageKey = 'byeol';

/** The cookie that says to scripts that there may be a session; it holds no secret. */
export const sessionMark = `${storageKey}_user`;

// A module of its own, because every page's script needs the key and none of the numbers.
export { limits } from './limits.ts';

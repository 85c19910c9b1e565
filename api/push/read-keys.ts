import { createECDH } from 'node:crypto';
import { ConfigError } from '../config-error.ts';

/** The keys by which push services know us (RFC 8292), in base64url: a point of P-256 and its secret. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const bytesOf = (key: string): number => (/^[\w-]+$/.test(key) ? Buffer.from(key, 'base64url').length : 0);

/** Whether the public key is that of the private one. A pair of two halves signs what every push service refuses. */
function isPair({ publicKey, privateKey }: VapidKeys): boolean {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  } catch {
    // A number that is none of the curve's.
    return false;
  }
  return curve.getPublicKey().equals(Buffer.from(publicKey, 'base64url'));
}

/** Keys that a file holds; undefined: it has none. */
export function keysOfText(text: string): VapidKeys | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { publicKey, privateKey } = Object(said);
  if (typeof publicKey !== 'string' || typeof privateKey !== 'string') return undefined;
  return bytesOf(publicKey) === 65 && bytesOf(privateKey) === 32 ? { publicKey, privateKey } : undefined;
}

/** VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, both or none. @throws ConfigError */
export function readVapidKeys(publicKey?: string, privateKey?: string): VapidKeys | undefined {
  if (publicKey === undefined && privateKey === undefined) return undefined;
  if (publicKey === undefined || bytesOf(publicKey) !== 65)
    throw new ConfigError('VAPID_PUBLIC_KEY', 'must be the 65 bytes of a P-256 point in base64url.');
  if (privateKey === undefined || bytesOf(privateKey) !== 32)
    throw new ConfigError('VAPID_PRIVATE_KEY', 'must be the 32 bytes of the P-256 key in base64url.');
  if (!isPair({ publicKey, privateKey }))
    throw new ConfigError(
      'VAPID_PUBLIC_KEY',
      'must be the public key of VAPID_PRIVATE_KEY: these two are no pair.',
    );
  return { publicKey, privateKey };
}

/** VAPID_FORMER_KEYS: pairs `public:private` by commas. @throws ConfigError */
export function readFormerVapidKeys(text = ''): VapidKeys[] {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const [publicKey = '', privateKey = '', ...more] = pair.split(':');
    if (bytesOf(publicKey) !== 65 || bytesOf(privateKey) !== 32 || more.length > 0)
      throw new ConfigError(
        'VAPID_FORMER_KEYS',
        'must be pairs of keys in base64url, "public:private", by commas.',
      );
    if (!isPair({ publicKey, privateKey }))
      throw new ConfigError(
        'VAPID_FORMER_KEYS',
        `must be pairs: the private key behind ${publicKey} is another's.`,
      );
    return { publicKey, privateKey };
  });
}

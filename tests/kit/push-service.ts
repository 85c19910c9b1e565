import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** A stand-in for a push service on loopback: it checks who sends (RFC 8292) and opens what was sent (RFC 8291). */

interface ReceivedPush {
  /** Which browser. */
  browser: number;
  notice: Record<string, unknown>;
  topic: string | null;
  ttl: number;
  /** Claims of the sender's token. */
  claims: Record<string, unknown>;
}

export interface Browser {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface PushService {
  received: ReceivedPush[];
  /** A browser that subscribes, to what the present key signs. */
  browser(): Browser;
  /** What a browser's next messages are answered with, instead of being taken. */
  answer(browser: Browser, status: number | undefined): void;
  stop(): Promise<void>;
}

export function startPushService(publicKey: () => string): PushService {
  const received: ReceivedPush[] = [];
  const secrets: { private: ReturnType<typeof createECDH>; auth: Buffer; sender: string }[] = [];
  const statuses = new Map<string, number>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const browser = Number(new URL(request.url).pathname.slice(1));
      const secret = secrets[browser];
      if (!secret || request.method !== 'POST') return new Response(null, { status: 404 });
      const status = statuses.get(request.url);
      if (status !== undefined) return new Response(null, { status });
      const claims = await claimsOf(request, secret.sender);
      if (!claims || claims.aud !== server.url.origin) return new Response(null, { status: 403 });
      const body = Buffer.from(await request.arrayBuffer());
      received.push({
        browser,
        notice: JSON.parse(decrypt(body, secret.private, secret.auth)),
        topic: request.headers.get('topic'),
        ttl: Number(request.headers.get('ttl')),
        claims,
      });
      return new Response(null, { status: 201 });
    },
  });
  return {
    received,
    browser() {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      secrets.push({ private: ecdh, auth, sender: publicKey() });
      return {
        endpoint: `${server.url.origin}/${secrets.length - 1}`,
        keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
      };
    },
    answer({ endpoint }, status) {
      if (status === undefined) statuses.delete(endpoint);
      else statuses.set(endpoint, status);
    },
    stop: () => server.stop(true),
  };
}

/** The claims of a token that our key signed and that has not run out; undefined otherwise. */
async function claimsOf(request: Request, publicKey: string): Promise<Record<string, unknown> | undefined> {
  const [, token = '', key] =
    request.headers.get('authorization')?.match(/^vapid t=([\w.-]+), ?k=([\w-]+)$/) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  if (key !== publicKey) return undefined;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const verifier = await crypto.subtle.importKey('raw', Buffer.from(key, 'base64url'), algorithm, false, [
    'verify',
  ]);
  const isTrue = await crypto.subtle.verify(
    algorithm,
    verifier,
    Buffer.from(signature, 'base64url'),
    Buffer.from(`${head}.${body}`),
  );
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString());
  const seconds = Number(claims.exp) - Date.now() / 1000;
  return isTrue && seconds > 0 && seconds <= 86_400 ? claims : undefined;
}

function decrypt(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const sealed = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
  const pseudo = createHmac('sha256', auth).update(own.computeSecret(sender)).digest();
  const material = createHmac('sha256', pseudo)
    .update(info)
    .update(Buffer.from([1]))
    .digest();
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  cipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

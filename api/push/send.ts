import { log } from '#db/log.ts';
import { config } from '../config.ts';
import { FetchRefused, guardedFetch } from '../media/guarded-fetch.ts';
import { formerVapidKeys, vapidKeys } from './keys.ts';
import type { VapidKeys } from './read-keys.ts';

/** Where and how a browser takes notifications (W3C Push API). */
interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What the service worker shows (`site/public/sw.js`). */
export interface Notice {
  title: string;
  body: string;
  lang: string;
  /** Path on this site. */
  url: string;
  /** A second notice with this tag takes the first one's place. */
  tag: string;
}

interface PushOptions {
  /** Seconds after which it is no longer worth showing. */
  ttl: number;
  /** Names the notice: of two that wait at a push service with the same key only the newer one is delivered. */
  key: string;
}

/** `gone`: the browser has unsubscribed; `refused`: trying again cannot help; `later`: it can. */
export type PushOutcome = 'delivered' | 'gone' | 'refused' | 'later';

const topicOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('base64url').slice(0, 32);

/**
 * Sends one notice to one browser, encrypted for it (RFC 8291), signed by our keys (RFC 8292), by the guarded fetcher (S10). A browser
 * that subscribed before the keys were changed takes it from the former ones.
 */
export async function sendPush(
  target: PushTarget,
  notice: Notice,
  options: PushOptions,
): Promise<PushOutcome> {
  try {
    let status = await post(target, notice, options, await vapidKeys());
    if (meansOtherKey.has(status))
      for (const former of await formerVapidKeys()) {
        status = await post(target, notice, options, former);
        if (!meansOtherKey.has(status)) break;
      }
    return outcomeOf(status);
  } catch (error) {
    if (error instanceof FetchRefused)
      return error.code === 'network' || error.code === 'timeout' ? 'later' : 'refused';
    log.error({ err: error }, 'a push message could not be sent');
    return 'refused';
  }
}

/** Apple's says 400, Mozilla's 401, Google's 403 to a signature by another key than the subscription's. */
const meansOtherKey: ReadonlySet<number> = new Set([400, 401, 403]);

/** Milliseconds: a push service answers in a tenth of a second, and what it misses comes again. */
const answerTime = 5_000;

/** @returns the status that the push service answers @throws FetchRefused */
async function post(
  { endpoint, p256dh, auth }: PushTarget,
  notice: Notice,
  { ttl, key }: PushOptions,
  keys: VapidKeys,
): Promise<number> {
  const { siteUrl, mailFrom } = config();
  const { default: webpush } = await import('web-push');
  const { headers, body } = webpush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(notice),
    {
      vapidDetails: { subject: siteUrl.startsWith('https:') ? siteUrl : `mailto:${mailFrom}`, ...keys },
      TTL: Math.max(0, Math.round(ttl)),
      topic: topicOf(key),
    },
  );
  const { status } = await guardedFetch(endpoint, {
    maxBytes: 64 * 1024,
    timeout: answerTime,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: new Uint8Array(body ?? []),
  });
  return status;
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'later' : 'refused';
}

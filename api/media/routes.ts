import { disableIdleTimeout } from '../plugins/client.ts';
import { etagOf, matchesEtag } from '../plugins/etags.ts';
import { TooBusy } from '../slots.ts';
import type { Tag } from '../tags.ts';
import { TooLate, within } from '../within.ts';
import { type PictureFile, type PictureFormat, pictureFormats } from './encode.ts';
import { FetchRefused } from './guarded-fetch.ts';
import { readMark, readPicture, readUploadOrStandIn } from './media.ts';
import { PictureRefused } from './picture-refused.ts';
import { isUploadKey } from './uploads.ts';
import { isAspect, isWidthOf } from './variants.ts';

const types: Record<PictureFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

const pictureAddress = /^\/media\/([a-z0-9-]{1,80})\/(\d+x\d+)-(\d{2,4})\.(avif|webp|jpg|png)$/;
/** A picture that nobody can take down. */
const drawnLife = 'public, max-age=2592000, stale-while-revalidate=604800';
/** An upload can be withdrawn, and cut anew around another focus: a copy is asked about again after ten minutes. */
const uploadLife = 'public, max-age=600';
const noStore = { 'cache-control': 'no-store' };
const noLife = 'public, max-age=0, must-revalidate';

/** Milliseconds for which a reader waits for a picture that is still to be made: the first ones after a deploy wait for each other. */
const patience = 30_000;

const markAddress = /^\/media\/star-([a-z0-9-]{1,60})-mark\.svg$/;

/**
 * Answers `/media/…` (decision M3): pictures in the sizes of `variants.ts` and star marks; what was withdrawn is 410, what takes too long
 * to make, or waits behind too many, 503 and there for whoever asks again, everything else 404.
 */
export async function answerMedia(request: Request, path: string, longest = patience): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return text('Method Not Allowed', 405, { allow: 'GET, HEAD' });
  const [, slug] = markAddress.exec(path) ?? [];
  if (slug) return answer(request, await readMark(slug), 'image/svg+xml');
  const [, key, shape, digits, extension] = pictureAddress.exec(path) ?? [];
  const aspect = shape?.replace('x', ':') ?? '';
  const format = pictureFormats.find((each) => each === extension);
  if (!key || !format || !isAspect(aspect) || !isWidthOf(aspect, Number(digits)))
    return text('Not Found', 404);
  disableIdleTimeout(request);
  const file = { key, aspect, width: Number(digits), format };
  try {
    return await within(longest, isUploadKey(key) ? answerUpload(request, file) : answerDrawn(request, file));
  } catch (error) {
    if (error instanceof TooLate || error instanceof TooBusy)
      return text('Service Unavailable', 503, { ...noStore, 'retry-after': '10' });
    if (error instanceof FetchRefused || error instanceof PictureRefused)
      return text('Bad Gateway', 502, noStore);
    throw error;
  }
}

const answerDrawn = async (request: Request, file: PictureFile): Promise<Response> =>
  answer(request, await readPicture(file), types[file.format]);

async function answerUpload(request: Request, file: PictureFile): Promise<Response> {
  const picture = await readUploadOrStandIn(file);
  if (picture === 'away') return text('Service Unavailable', 503, { ...noStore, 'retry-after': '5' });
  if (picture === 'withdrawn') return text('Gone', 410, { 'cache-control': noLife });
  return answer(request, picture?.bytes, types[file.format], {
    'cache-control': picture?.isStandIn ? noLife : uploadLife,
    'cache-tag': 'pictures' satisfies Tag,
  });
}

function answer(
  request: Request,
  bytes: Uint8Array | undefined,
  type: string,
  life: Record<string, string> = { 'cache-control': drawnLife },
): Response {
  if (!bytes) return text('Not Found', 404);
  const headers = {
    'content-type': type,
    'content-length': String(bytes.byteLength),
    ...life,
    etag: etagOf(bytes),
  };
  if (matchesEtag(request, headers.etag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), { headers });
}

function text(message: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(message, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=60',
      ...headers,
    },
  });
}

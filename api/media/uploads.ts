import type { Translated } from '#content/locales.ts';
import type { PartialDate } from '#content/partial-date.ts';
import {
  findUploadOf,
  insertUpload,
  type NewUpload,
  reviveUpload,
  type StoredUpload,
} from '#db/queries/admin/pictures.ts';
import { Conflict, Unavailable } from '../errors.ts';
import { makeSlots } from '../slots.ts';
import { store } from './choose-store.ts';
import { encode } from './encode.ts';
import { loadSharp } from './load-sharp.ts';
import { PictureRefused } from './picture-refused.ts';
import { sniff } from './sniff.ts';
import { maxPictureBytes, maxPixels, originalPath, StoreAway, StoreUnwritable } from './store.ts';
import { forgetDamage, readOriginal } from './upload-sizes.ts';
import { type Aspect, sizeOf } from './variants.ts';

/** Bytes of an upload. */
export const maxUploadBytes = 25_000_000;
/** Decoding AVIF takes 17 bytes for each pixel. */
const maxAvifPixels = 24_000_000;
/** The longest side of a JPEG, which originals are kept as. */
const maxSide = 65_500;
/** What is thinner is a line, in which no crop shows anything. */
const minSide = 16;
const maxRatio = 20;
/** Seconds after which reading a picture is given up. */
const longestWork = 60;
/** Days after which a withdrawal is final. */
export const undoDays = 30;

/** One at a time: the largest take 50 MB (a JPEG) to 470 (a WebP), which is unpacked whole. */
const reading = makeSlots(1);
/** Whole pictures for editors, who wait behind no reader. */
const showingWhole = makeSlots(1);

/** Every upload has such a key: its picture is in the store, not on the disk beside the program. */
const uploadKey = /^upload-[0-9a-f]{24}$/;
export const isUploadKey = (key: string): boolean => uploadKey.test(key);

/** What is said about a picture when it is added; all of it may come later. */
export interface UploadInput {
  /** null: the machine, or an operator at the command line */
  actorId: number | null;
  alt?: Partial<Translated> | undefined;
  credit?: string | null | undefined;
  licence?: string | null | undefined;
  creditUrl?: string | null | undefined;
  takenAt?: PartialDate | null | undefined;
  /** What every crop keeps, from 0 to 1 of width and height; without it, what looks most telling. */
  focus?: { x: number; y: number } | null | undefined;
  /** Bytes that it may have, for those who read an original of ours, which is larger than what was uploaded. */
  maxBytes?: number | undefined;
  /** What another site calls it: it keeps that name if that site's original is of these bytes. */
  calledElsewhere?: string | undefined;
}

export interface AddedUpload {
  id: number;
  key: string;
  width: number;
  height: number;
  /** It was there already: what is said of it was said before. */
  isKnown: boolean;
}

/**
 * Adds a picture to the library: turned upright, encoded anew, without anything of the file but its pixels. The same bytes twice are
 * one picture, which keeps what was said about it.
 * @throws PictureRefused for what is no picture; Conflict when it was withdrawn; Unavailable when the store is away or takes nothing
 */
export async function addUpload(bytes: Uint8Array, input: UploadInput): Promise<AddedUpload> {
  const { format, hash } = look(bytes, input.maxBytes);
  return reading.run(async () => {
    const sent = await findKnown(hash);
    if (sent && !sent.withdrawnAt && (await hasOriginal(sent.key))) return asAdded(sent, true);
    const { original, ...measured } = await readPixels(bytes, format);
    // A file of another format that has the very same pixels is the same picture.
    const known = sent ?? (await findKnown(hashOf(original)));
    const key = known?.key ?? ownKey(input.calledElsewhere, hash) ?? keyOf(hashOf(original));
    const keep = async () => {
      await orUnavailable(() => store().write(originalPath(key), original));
      forgetDamage(key);
    };
    await keep();
    const { actorId, alt = {}, credit = null, licence = null, creditUrl = null, takenAt = null } = input;
    const focus = { focusX: input.focus?.x ?? null, focusY: input.focus?.y ?? null };
    const upload: NewUpload = { key, hash, ...measured, alt, credit, licence, creditUrl, takenAt, ...focus };
    if (known?.withdrawnAt) {
      const revived = await reviveUpload(known.id, upload, actorId);
      // The night's deletion, for which that waits, may have taken the new bytes with the old ones.
      if (!(await hasOriginal(key))) await keep();
      return asAdded(revived, false);
    }
    return known ? asAdded(known, true) : asAdded(await insertUpload(upload, actorId), false);
  });
}

/** The key that a picture would have, which is not added. @throws what `addUpload` says, but asks no store */
export function previewUpload(
  bytes: Uint8Array,
  { maxBytes, calledElsewhere }: Pick<UploadInput, 'maxBytes' | 'calledElsewhere'> = {},
): Promise<string> {
  const { format, hash } = look(bytes, maxBytes);
  return reading.run(async () => {
    const sent = await findKnown(hash);
    if (sent && !sent.withdrawnAt) return sent.key;
    const { original } = await readPixels(bytes, format);
    const known = sent ?? (await findKnown(hashOf(original)));
    return known?.key ?? ownKey(calledElsewhere, hash) ?? keyOf(hashOf(original));
  });
}

/** What is told by the bytes as they came. @throws PictureRefused */
function look(bytes: Uint8Array, maxBytes = maxUploadBytes): { format: string; hash: string } {
  if (bytes.byteLength === 0) throw new PictureRefused('required');
  if (bytes.byteLength > maxBytes) throw new PictureRefused('too_large');
  return { format: sniff(bytes), hash: hashOf(bytes) };
}

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

/** A picture is called by the bytes that are kept and exported, so that these tell where they come from. */
const keyOf = (hash: string) => `upload-${hash.slice(0, 24)}`;

/** A name that others gave, if it is that of the bytes. */
const ownKey = (name: string | undefined, hash: string) => (name === keyOf(hash) ? name : undefined);

/** The picture of these bytes, as they were uploaded or as they are kept, if it is there. @throws Conflict when it was withdrawn */
async function findKnown(hash: string): Promise<StoredUpload | undefined> {
  const known = await findUploadOf(hash, keyOf(hash));
  if (known) refuseWithdrawn(known);
  return known;
}

const asAdded = ({ id, key, width, height }: StoredUpload, isKnown: boolean): AddedUpload => ({
  id,
  key,
  width,
  height,
  isKnown,
});

/** @throws Conflict while the withdrawal can be undone: the way back is the undoing, which the audit log shows */
function refuseWithdrawn({ id, withdrawnAt, withdrawalReason }: StoredUpload): void {
  if (!withdrawnAt || withdrawnAt.getTime() + undoDays * 86_400_000 < Date.now()) return;
  const reason = withdrawalReason ? `: ${withdrawalReason}` : '.';
  throw new Conflict('withdrawn', `This picture was withdrawn${reason}`, 'file', { id });
}

async function hasOriginal(key: string): Promise<boolean> {
  const original = await orUnavailable(() => readOriginal(key));
  return original !== undefined && canBeDecoded(original);
}

/** Whether every pixel of an original can be read: what was damaged in its middle begins and ends well. */
async function canBeDecoded(original: Uint8Array): Promise<boolean> {
  if (!(await isOriginal(original))) return false;
  const sharp = await loadSharp();
  return sharp(original, { limitInputPixels: maxPixels })
    .stats()
    .then(
      () => true,
      () => false,
    );
}

async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnwritable)
      throw new Unavailable(
        `${error.isFull ? 'The disk of the site is full' : 'The disk of the site cannot be written'}: whoever runs it has to mend that.`,
        'unwritable',
        60,
        'file',
      );
    if (error instanceof StoreAway)
      throw new Unavailable('The store of pictures is away. Try again in a moment.');
    throw error;
  }
}

type Pixels = Pick<NewUpload, 'width' | 'height' | 'aspect' | 'placeholder'> & { original: Uint8Array };

/** The pixels of a file, upright, as a JPEG that nobody sees a difference in. @throws PictureRefused */
async function readPixels(bytes: Uint8Array, format: string): Promise<Pixels> {
  const sharp = await loadSharp();
  try {
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    const { width: across = 0, height: down = 0 } = head;
    const mostPixels = format === 'heif' ? maxAvifPixels : maxPixels;
    if (across * down > mostPixels || Math.max(across, down) > maxSide) throw new PictureRefused('pixels');
    if (Math.min(across, down) < minSide || Math.max(across, down) > maxRatio * Math.min(across, down))
      throw new PictureRefused('shape');
    if (head.format !== format) throw new PictureRefused('damaged');
    const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      // Better codes would take a fifth less room, and 600 MB of memory: they need the whole picture before its first byte.
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4', optimiseCoding: false })
      .timeout({ seconds: longestWork })
      .toBuffer({ resolveWithObject: true });
    // Of noise the site makes many times what was sent, which neither a store nor a backup would give back.
    if (data.byteLength > maxPictureBytes) throw new PictureRefused('too_large');
    const { width, height } = info;
    return {
      original: data,
      width,
      height,
      aspect: nearestAspect(width / height),
      placeholder: await dominant(data),
    };
  } catch (error) {
    if (error instanceof PictureRefused) throw error;
    throw new PictureRefused('damaged');
  }
}

/** Whether bytes are what `addUpload` keeps: a JPEG to its end and nothing else besides, of as many pixels as are taken. */
export async function isOriginal(bytes: Uint8Array): Promise<boolean> {
  try {
    if (sniff(bytes) !== 'jpeg' || bytes.at(-2) !== 0xff || bytes.at(-1) !== 0xd9) return false;
    const sharp = await loadSharp();
    const { format, width, height } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata();
    return format === 'jpeg' && width * height <= maxPixels;
  } catch {
    return false;
  }
}

/** Shapes in which pages show a picture whole. */
const wholeAspects = ['3:2', '1:1', '3:4'] as const satisfies Aspect[];

function nearestAspect(ratio: number): Aspect {
  const distance = (aspect: Aspect) => {
    const { width, height } = sizeOf(aspect);
    return Math.abs(Math.log(width / height / ratio));
  };
  return wholeAspects.reduce((best, each) => (distance(each) < distance(best) ? each : best));
}

async function dominant(image: Uint8Array): Promise<string> {
  const sharp = await loadSharp();
  const small = await sharp(image).resize(64, 64, { fit: 'inside' }).png().toBuffer();
  const { r, g, b } = (await sharp(small).stats()).dominant;
  return `#${[r, g, b].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
}

/** The whole picture for editors, withdrawn ones too, at most so many pixels wide and high; undefined without an original. */
export async function readWhole(key: string, most: number): Promise<Uint8Array | undefined> {
  const original = await orUnavailable(() => readOriginal(key));
  if (!original || !(await canBeDecoded(original))) return undefined;
  const sharp = await loadSharp();
  const small = sharp(original).resize(most, most, { fit: 'inside', withoutEnlargement: true });
  return showingWhole.run(() => encode(small, 'webp'));
}

/** Deletes original and sizes of a picture whose withdrawal is final: its row goes on answering 410. @throws StoreAway */
export function deleteBytes(key: string): Promise<void> {
  return store().deleteFolder(key);
}

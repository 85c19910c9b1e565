import { PictureRefused } from './picture-refused.ts';

/** Formats of pictures that are taken, as sharp calls them. */
type TakenFormat = 'jpeg' | 'png' | 'webp' | 'heif' | 'gif';

/** What a browser or an unpacker would find in a picture that is something else, too. Long enough to be in no pixels by chance. */
const hidden =
  /<!doctype html|<script[\s>/]|<html[\s>]|<iframe[\s>]|<svg\s+(?:xmlns|on[a-z]+\s*=)|<\?php\s|javascript:[a-z]|%PDF-[12]\./i;
/** How archives begin that are found anywhere in a file. */
const archives = ['Rar!\x1a\x07', '7z\xbc\xaf\x27\x1c'];

/**
 * What a file is by its content, whatever its name and its declared type say.
 * @throws PictureRefused for what is no picture, and for a picture that is something else, too
 */
export function sniff(bytes: Uint8Array): TakenFormat {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const format = formatOf(text);
  if (!format) throw new PictureRefused(documentOf(text) ?? 'type');
  if (hidden.test(text) || isArchive(text)) throw new PictureRefused('hidden');
  return format;
}

function formatOf(text: string): TakenFormat | undefined {
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  return isAvif(text) ? 'heif' : undefined;
}

/** The brands of the first box say what such a container holds; photographs of phones (HEIC) look alike and are none. */
function isAvif(text: string): boolean {
  if (!text.startsWith('ftyp', 4)) return false;
  const end = Math.min(Buffer.from(text.slice(0, 4), 'latin1').readUInt32BE(), 256);
  return /^(?:.{4})*?avi[fs]/s.test(text.slice(8, end));
}

function documentOf(text: string): 'svg' | 'html' | undefined {
  const start = text.slice(0, 4096);
  if (/<svg[\s>]/i.test(start)) return 'svg';
  return /<(?:!doctype html|html|head|body|script|iframe|title|meta)[\s>]/i.test(start) ? 'html' : undefined;
}

/** One such as ZIP, JAR or APK is read from its end, so any picture can be before it. */
function isArchive(text: string): boolean {
  if (archives.some((start) => text.includes(start))) return true;
  const longestComment = 65_535;
  const end = text.lastIndexOf('PK\x05\x06');
  return end >= 0 && text.length - end <= 22 + longestComment && text.includes('PK\x01\x02');
}

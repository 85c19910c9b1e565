import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Real pictures, made by sharp, for whatever takes uploads. */

export type FileFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';

/** Where the camera says that it was: in Seoul. */
const gps = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '37/1 33/1 0/1',
  GPSLongitudeRef: 'E',
  GPSLongitude: '126/1 58/1 0/1',
};

/** A picture of two halves: the left one of the first colour, the right one of the second. */
function halves(width: number, height: number, [left, right]: readonly [string, string]) {
  const half = { width: Math.floor(width / 2), height, channels: 3 as const };
  return sharp({ create: { width, height, channels: 3, background: right } }).composite([
    { input: { create: { ...half, background: left } }, left: 0, top: 0 },
  ]);
}

/**
 * The bytes of a photograph with the camera's name and the place in its EXIF.
 * @param orientation as EXIF says how it is to be turned; 1 is upright
 */
export async function makeFile(
  format: FileFormat,
  {
    width = 320,
    height = 200,
    colours = ['#c02030', '#2040c0'] as readonly [string, string],
    orientation = 1,
  } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const image = halves(width, height, colours)
    .withExif({ IFD0: { Make: 'Secret Camera' }, IFD3: gps })
    .withMetadata({ orientation });
  return new Uint8Array(await image.toFormat(format).toBuffer());
}

/** A PNG of noise in four colours: two bits for each pixel, where a JPEG takes three bytes. */
export function makeNoise(side: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.byteLength);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.set([2, 3], 8);
  const line = side / 4 + 1;
  const pixels = Buffer.alloc(line * side);
  for (let at = 0; at < pixels.length; at += line) crypto.getRandomValues(pixels.subarray(at + 1, at + line));
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('PLTE', Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255)),
      chunk('IDAT', deflateSync(pixels, { level: 0 })),
      chunk('IEND', new Uint8Array()),
    ]),
  );
}

/** A form with one file, as browsers send it. */
export function fileForm(
  bytes: Uint8Array<ArrayBuffer>,
  { name = 'photo.jpg', type = 'image/jpeg', fields = {} as Record<string, string> } = {},
): FormData {
  const form = new FormData();
  form.set('file', new File([bytes], name, { type }));
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return form;
}

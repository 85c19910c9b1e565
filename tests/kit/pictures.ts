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

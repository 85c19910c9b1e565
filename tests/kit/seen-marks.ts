import { converter, type Oklab } from 'culori';
import sharp from 'sharp';

/**
 * Two avatars of 20 × 20: the mean distance of their pixels in OKLab (lightness halved, because a lighter orange is taken
 * for the same one), and .2 for signs without a common pixel. Those that people took for one another were .046
 * (심야버스/선우비), .068 (파도반/풀벌레) and .143 (온도차/옥담) apart.
 */
export const toldApart = 0.165;
const toOklab = converter('oklab');

type Seen = { colours: Oklab[]; sign: number[] };

/** An avatar at the size of a story's badge: its colours, and where its sign, the last stroke, stands. */
export async function seenSmall(svg: string): Promise<Seen> {
  const sign = svg
    .replace(/<rect[^>]*>/, '<rect width="100" height="100" fill="#000"/>')
    .replace(/<path[^>]*>(?=<path)/g, '')
    .replace(/ stroke="#\w+"/, ' stroke="#fff"');
  const [colours, ink] = await Promise.all([pixelsOf(svg), pixelsOf(sign)]);
  return {
    colours: colours.map(([r, g, b]) => toOklab({ mode: 'rgb', r, g, b })),
    sign: ink.map(([r]) => r),
  };
}

/** The pixels inside the circle to which pages cut an avatar. */
async function pixelsOf(svg: string): Promise<[number, number, number][]> {
  const side = 20;
  const data = await sharp(Buffer.from(svg)).resize(side, side).removeAlpha().raw().toBuffer();
  const pixels: [number, number, number][] = [];
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (Math.hypot(x + 0.5 - side / 2, y + 0.5 - side / 2) > side / 2) continue;
      const [r = 0, g = 0, b = 0] = data.subarray((y * side + x) * 3);
      pixels.push([r / 255, g / 255, b / 255]);
    }
  }
  return pixels;
}

export function distanceOf(one: Seen, other: Seen): number {
  const sum = (value: (own: Oklab, its: Oklab, at: number) => number) =>
    one.colours.reduce((total, own, at) => total + value(own, other.colours[at] ?? own, at), 0);
  const inks = (at: number) => [one.sign[at] ?? 0, other.sign[at] ?? 0] as const;
  const colour = sum((own, its) => Math.hypot((own.l - its.l) / 2, own.a - its.a, own.b - its.b));
  const apart = sum((_, __, at) => Math.abs(inks(at)[0] - inks(at)[1]));
  return colour / one.colours.length + (0.2 * apart) / sum((_, __, at) => Math.max(...inks(at)));
}

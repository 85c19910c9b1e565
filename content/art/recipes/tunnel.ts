import type { Point } from '../geometry.ts';
import type { Consonant } from '../glyphs.ts';
import { place } from '../layout.ts';
import { pathOf } from '../outline.ts';
import type { Scene } from '../scene.ts';
import { linear, n, rect } from '../svg.ts';

const COPIES = 15;
const CLOSED: readonly Consonant[] = ['ㅁ', 'ㅇ', 'ㅍ', 'ㅂ'];

/** A closed consonant again and again, shrinking into a point of light. */
export function tunnel(scene: Scene): string {
  const { width, height, focus, sign, ramp, random, id } = scene;
  const chance = random('way');
  const closed = sign.filter((each) => CLOSED.includes(each));
  const consonant = closed[chance.below(closed.length)] ?? 'ㅇ';
  const ring = consonant === 'ㅁ' || consonant === 'ㅇ';
  const reach = Math.hypot(width, height) * (ring ? 1.2 : 1.6);
  const spin = chance.between(2.5, 6) * chance.side();
  const aim: Point = [
    focus[0] + chance.between(-0.07, 0.07) * width,
    focus[1] + chance.between(-0.07, 0.07) * height,
  ];
  const copies = Array.from({ length: COPIES }, (_, index) => {
    const part = index / COPIES;
    const size = reach * (1 - part) ** 1.5;
    const sway = size * 0.045;
    const centre: Point = [aim[0] + sway * Math.cos(index * 0.7), aim[1] + sway * Math.sin(index * 0.7)];
    const path = pathOf(place(consonant, centre, size, spin * index).strokes);
    const [shade, tone] = [id(), 0.17 + 0.83 * part ** 0.95];
    const slant = linear(
      shade,
      [centre[0] - size * 0.4, centre[1] - size * 0.4],
      [centre[0] + size * 0.4, centre[1] + size * 0.4],
      [
        [0, ramp.at(Math.min(1, tone + 0.07))],
        [1, ramp.at(Math.max(0, tone - 0.07))],
      ],
    );
    const thick = `stroke-width="${n(size * 0.26)}"`;
    const [paint, dark] = [`url(#${shade})`, ramp.at(Math.max(0, tone - 0.22))];
    const shadow = `<path d="${path}" transform="translate(${n(size * 0.012)} ${n(size * 0.02)})" fill="${ring ? dark : 'none'}" stroke="${dark}" ${thick} opacity=".45"/>`;
    return `${slant}${shadow}<path d="${path}" fill="${ring ? paint : 'none'}" stroke="${paint}" ${thick}/>`;
  });
  return `${rect({ x: 0, y: 0, width, height }, ramp.at(0.12))}${copies.join('')}`;
}

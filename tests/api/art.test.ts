import { describe, expect, test } from 'bun:test';
import { wcagContrast } from 'culori';
import sharp from 'sharp';
import { chooseMark, type StarMark } from '#api/media/mark-similarity.ts';
import { renderPicture } from '#api/media/raster.ts';
import { type Aspect, sizeOf, VARIANTS } from '#api/media/variants.ts';
import { brandPicture, drawMark, drawPicture } from '#content/art/draw.ts';
import { CONSONANTS } from '#content/art/glyphs.ts';
import { arrange, fitted, place } from '#content/art/layout.ts';
import { markStyles } from '#content/art/mark-styles.ts';
import { boundsOf, pathOf } from '#content/art/outline.ts';
import { ramp } from '#content/art/ramp.ts';
import { fnv1a, seeded } from '#content/art/random.ts';
import { pairOf } from '#content/art/recipes/mark.ts';
import { RECIPES, type RecipeName } from '#content/art/scene.ts';
import { allInitials, initials } from '#content/art/sign.ts';
import { readDemoWorld } from '#db/seed/content.ts';
import { distanceOf, seenSmall, toldApart } from '#tests/kit/seen-marks.ts';

const PADOBAN = { name: '파도반', fandomColor: '#00B3A4' };
const HARUCHI = { name: '하루치', fandomColor: '#FF5C9A' };
const STARS = [
  PADOBAN,
  HARUCHI,
  { name: '심야버스', fandomColor: '#3355FF' },
  { name: '모하진', fandomColor: '#FFDF5E' },
  { name: '탁이레', fandomColor: '#8E1F3D' },
  { name: '하얀밤', fandomColor: '#F5F3EE' },
  { name: '먹구름', fandomColor: '#16181D' },
  { name: '벨', fandomColor: '#E23D4E' },
];
/** Milliseconds; a tenth of it is enough on a quiet one. */
const SLOW_MACHINE = 30_000;
const ASPECTS: Aspect[] = ['9:10', '3:2', '1:1', '12:5', '3:4', '16:9', '1200:630'];

const DEMO = 'content/demo';
const DEMO_STARS = readDemoWorld().stars;
function picture(recipe: RecipeName, aspect: Aspect, subject = PADOBAN, seed = 'test'): string {
  return drawPicture({ ...subject, recipe, seed, ...sizeOf(aspect), figures: 5, second: HARUCHI });
}

describe('a sign', () => {
  test('is made of the initial consonants of the Korean name', () => {
    expect(initials('파도반').join('')).toBe('ㅍㄷㅂ');
    expect(initials('심야버스').join('')).toBe('ㅅㅇㅂㅅ');
    expect(initials('까치 쌍둥이').join('')).toBe('ㄲㅊㅆㄷㅇ');
    expect(initials('벨').join('')).toBe('ㅂ');
    expect(initials('힣').join('')).toBe('ㅎ');
    expect(initials('파도반'.normalize('NFD')).join('')).toBe('ㅍㄷㅂ');
  });

  test('takes Hangul before Latin, and the syllables of a Latin name when there is no other', () => {
    expect(initials('NCT 드림').join('')).toBe('ㄷㄹ');
    expect(initials('PADOBAN').join('')).toBe('ㅍㄷㅂ');
    expect(initials('ONDOCHA').join('')).toBe('ㅇㄷㅊ');
    expect(initials('Tak Ire').join('')).toBe('ㅌㅇㄹ');
    expect(initials('Élan').join('')).toBe('ㅇㄹ');
  });

  test('is a plain star when the name has nothing to draw, and never longer than six', () => {
    for (const name of ['', '   ', '123', '!?', '星']) expect(initials(name)).toEqual(['ㅇ']);
    expect(initials('가나다라마바사아자차')).toHaveLength(6);
    expect(allInitials('가나다라마바사아자차').join('')).toBe('ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊ');
  });

  test('stays inside its box however long it is', () => {
    const box = { x: 30, y: 20, width: 500, height: 210 };
    for (let count = 1; count <= 6; count += 1) {
      for (const first of CONSONANTS) {
        const sign = [first, ...CONSONANTS.slice(0, count - 1)];
        for (const { strokes } of arrange(sign, box, { gap: 0.4, weight: 0.2 })) {
          const lines = boundsOf(strokes, 0);
          expect(lines.x).toBeGreaterThanOrEqual(box.x);
          expect(lines.y).toBeGreaterThanOrEqual(box.y);
          expect(lines.x + lines.width).toBeLessThanOrEqual(box.x + box.width);
          expect(lines.y + lines.height).toBeLessThanOrEqual(box.y + box.height);
        }
      }
    }
  });

  test('can be fitted by its ink at any angle', () => {
    for (const consonant of CONSONANTS) {
      for (const degrees of [0, 14, -45]) {
        const { strokes, weight } = fitted(consonant, [100, 50], [80, 60], degrees);
        const ink = boundsOf(strokes, weight);
        expect(ink.x + ink.width / 2).toBeCloseTo(100, 6);
        expect(ink.y + ink.height / 2).toBeCloseTo(50, 6);
        expect(Math.max(ink.width / 80, ink.height / 60)).toBeCloseTo(1, 6);
      }
    }
  });

  test('is measured as renderers draw it, tips of sharp corners included', async () => {
    for (const consonant of CONSONANTS) {
      const { strokes, weight } = fitted(consonant, [100, 100], [120, 120], 9);
      const ink = boundsOf(strokes, weight);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><path d="${pathOf(strokes)}" fill="none" stroke="#fff" stroke-width="${weight}"/></svg>`;
      const { info } = await sharp(Buffer.from(svg))
        .trim({ threshold: 1 })
        .toBuffer({ resolveWithObject: true });
      expect(Math.abs((info.trimOffsetLeft ?? 0) + ink.x)).toBeLessThan(1.6);
      expect(Math.abs((info.trimOffsetTop ?? 0) + ink.y)).toBeLessThan(1.6);
      expect(Math.abs(info.width - ink.width)).toBeLessThan(2.6);
      expect(Math.abs(info.height - ink.height)).toBeLessThan(2.6);
    }
  });

  test('has nineteen consonants, doubles drawn twice', () => {
    expect(CONSONANTS).toHaveLength(19);
    expect(place('ㅆ', [0, 0], 1).strokes).toHaveLength(2 * place('ㅅ', [0, 0], 1).strokes.length);
  });
});

describe('chance', () => {
  test('is FNV-1a and repeats itself', () => {
    expect(fnv1a('')).toBe(0x811c9dc5);
    expect(fnv1a('foobar')).toBe(0xbf9cf968);
    const [one, other] = [seeded('별'), seeded('별')];
    for (let times = 0; times < 100; times += 1) {
      const value = one.next();
      expect(value).toBe(other.next());
      expect(value >= 0 && value < 1).toBe(true);
    }
  });
});

describe('a ramp', () => {
  test('goes from dark to light in every star', () => {
    for (const { fandomColor } of STARS) {
      const colours = ramp(fandomColor);
      const against = Array.from({ length: 11 }, (_, index) =>
        wcagContrast(colours.at(index / 10), '#000000'),
      );
      for (const [index, contrast] of against.entries()) {
        expect(contrast).toBeGreaterThanOrEqual(against[index - 1] ?? 0);
      }
    }
  });

  test('is deep enough for white words at .045, at least 15:1, whatever the colour', () => {
    let worst = 21;
    for (let r = 0; r < 256; r += 51) {
      for (let g = 0; g < 256; g += 51) {
        for (let b = 0; b < 256; b += 51) {
          const hex = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
          worst = Math.min(worst, wcagContrast('#ffffff', ramp(hex).at(0.045)));
        }
      }
    }
    expect(worst).toBeGreaterThanOrEqual(15);
  });
});

describe('a picture', () => {
  test('is the same for the same order and another for another seed', () => {
    for (const recipe of RECIPES) {
      expect(picture(recipe, '3:2')).toBe(picture(recipe, '3:2'));
      if (recipe !== 'mark') expect(picture(recipe, '3:2')).not.toBe(picture(recipe, '3:2', PADOBAN, 'else'));
    }
  });

  test(
    'has no words, no fonts, no turbulence, no outside references, no wrong numbers, no id twice',
    () => {
      for (const [index, subject] of STARS.entries()) {
        for (const recipe of RECIPES.filter((_, at) => (at + index) % 2 === 0)) {
          for (const aspect of ASPECTS) {
            const svg = picture(recipe, aspect, subject);
            expect(svg).not.toMatch(
              /<text|<tspan|font|feTurbulence|<image|<script|<style|https?:(?!\/\/www\.w3\.org\/2000\/svg)/,
            );
            expect(svg).not.toMatch(/NaN|Infinity|undefined/);
            const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
            expect(new Set(ids).size).toBe(ids.length);
          }
        }
      }
    },
    SLOW_MACHINE,
  );

  for (const recipe of RECIPES) {
    test(
      `${recipe} is rendered in the asked size in every aspect`,
      async () => {
        for (const aspect of ASPECTS) {
          const { width, height } = sizeOf(aspect, 240);
          const bytes = await renderPicture(picture(recipe, aspect), { width, height, format: 'png' });
          const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
          expect([info.width, info.height, info.channels]).toEqual([width, height, 3]);
          expect(new Set(data).size).toBeGreaterThan(recipe === 'duo' || recipe === 'mark' ? 3 : 20);
        }
      },
      SLOW_MACHINE,
    );
  }

  test('comes as AVIF, WebP, JPEG and PNG', async () => {
    const svg = picture('duo', '1:1');
    for (const [format, sharpFormat] of [
      ['avif', 'heif'],
      ['webp', 'webp'],
      ['jpeg', 'jpeg'],
      ['png', 'png'],
    ] as const) {
      const bytes = await renderPicture(svg, { width: 64, height: 64, format });
      expect((await sharp(bytes).metadata()).format).toBe(sharpFormat);
    }
  });

  test('refuses colours and sizes that are none', () => {
    expect(() =>
      drawPicture({ name: '별', fandomColor: 'red', recipe: 'mark', seed: '', width: 10, height: 10 }),
    ).toThrow(RangeError);
    expect(() => drawPicture({ ...PADOBAN, recipe: 'mark', seed: '', width: 0, height: 10 })).toThrow(
      RangeError,
    );
  });

  test('of a duo without its other star is drawn all the same', () => {
    expect(drawPicture({ ...PADOBAN, recipe: 'duo', seed: '', width: 10, height: 10 })).toContain('<svg');
  });
});

describe('a mark', () => {
  test('is small and free of ids, so that pages can inline many of them', () => {
    for (const subject of STARS) {
      for (const style of markStyles) {
        const svg = drawMark(subject, style);
        expect(svg.length).toBeLessThan(1500);
        expect(svg).not.toContain(' id=');
        expect(svg).toContain(subject.fandomColor.toLowerCase());
      }
    }
  });

  test('of any demo star can be told from every other at 20 pixels', async () => {
    const marks = await Promise.all(
      DEMO_STARS.map(async ({ slug, names }) => ({
        name: names.ko,
        seen: await seenSmall(await Bun.file(`${DEMO}/pictures/star-${slug}-mark.svg`).text()),
      })),
    );
    const apart = marks.flatMap((one, index) =>
      marks.slice(index + 1).map((other) => ({
        pair: `${one.name}/${other.name}`,
        distance: distanceOf(one.seen, other.seen),
      })),
    );
    expect(apart).toHaveLength((DEMO_STARS.length * (DEMO_STARS.length - 1)) / 2);
    expect(apart.filter(({ distance }) => distance < toldApart)).toEqual([]);
  });

  test('is plain where no other is like it, and takes the second consonant or the other light where one is', async () => {
    const marks: StarMark[] = [];
    for (const [name, fandomColor] of [
      ['파도반', '#00B3A4'],
      ['풀벌레', '#2E9E4F'],
      ['편도표', '#00A896'],
      ['벨', '#E23D4E'],
      ['봄', '#D93A4C'],
    ] as const) {
      const subject = { name, fandomColor };
      marks.push(await chooseMark([subject], marks));
    }
    expect(marks.map(({ style }) => style)).toEqual([
      'first',
      'pair',
      'pair-turned',
      'first',
      'first-turned',
    ]);
  });

  test('never sets two consonants side by side that Koreans read as an insult', () => {
    for (const name of ['수빈', '씨벨', '비상', '지로', '재나', '미치', '까진', '다체', '나무']) {
      expect([name, pairOf(initials(name))]).toEqual([name, undefined]);
      expect(drawMark({ name, fandomColor: '#3355FF' }, 'pair')).toBe(
        drawMark({ name, fandomColor: '#3355FF' }, 'first'),
      );
    }
    expect(pairOf(initials('파도반'))).toEqual(['ㅍ', 'ㄷ']);
  });
});

describe('the brand', () => {
  test('is the night sky with Antares in it', () => {
    expect(brandPicture(sizeOf('12:5'))).toContain('fill="#ff4b1f"');
    expect(brandPicture(sizeOf('12:5'))).toBe(brandPicture(sizeOf('12:5')));
  });
});

describe('the table of sizes', () => {
  test('knows the height of every size', () => {
    expect(sizeOf('9:10', 720)).toEqual({ width: 720, height: 800 });
    expect(sizeOf('12:5', 1440)).toEqual({ width: 1440, height: 600 });
    expect(sizeOf('1200:630', 1200)).toEqual({ width: 1200, height: 630 });
    expect(Object.keys(VARIANTS).sort()).toEqual([...ASPECTS].sort());
  });
});

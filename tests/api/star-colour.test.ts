import { describe, expect, test } from 'bun:test';
import { wcagContrast } from 'culori';
import { type Roles, starRole } from '#api/stars/colour.ts';

const WHITE = '#ffffff';
const INK = '#0b0d13';
const GROUNDS = {
  light: ['#ffffff', '#f6f7f9', '#eef0f4'],
  dark: ['#090c13', '#11151d', '#1a1e28'],
} as const;

type Row = readonly [fill: string, on: string, text: string, mark: string, soft: string];

/** The table of look.md §2.6. */
const TABLE: Readonly<Record<string, { colour: string; light: Row; dark: Row }>> = {
  파도반: {
    colour: '#00B3A4',
    light: ['#00b3a4', INK, '#00786e', '#009a8d', '#e0f9f4'],
    dark: ['#00b3a4', INK, '#10b6a7', '#00b3a4', '#0a2b27'],
  },
  하루치: {
    colour: '#FF5C9A',
    light: ['#ff5c9a', INK, '#c4306e', '#ee4b8b', '#ffedf2'],
    dark: ['#ff5c9a', INK, '#ed709b', '#ff5c9a', '#3a1924'],
  },
  심야버스: {
    colour: '#3355FF',
    light: ['#3355ff', WHITE, '#3f61db', '#3355ff', '#edf2ff'],
    dark: ['#3355ff', WHITE, '#7498ff', '#3355ff', '#192440'],
  },
  모하진: {
    colour: '#FFDF5E',
    light: ['#ffdf5e', INK, '#7f6a00', '#a18600', '#f9f3da'],
    dark: ['#ffdf5e', INK, '#ffdf5e', '#ffdf5e', '#2c2505'],
  },
  탁이레: {
    colour: '#8E1F3D',
    light: ['#8e1f3d', WHITE, '#8e1f3d', '#8e1f3d', '#ffedef'],
    dark: ['#972944', WHITE, '#e97489', '#b4445b', '#381b20'],
  },
  하얀밤: {
    colour: '#F5F3EE',
    light: ['#2f2e2a', WHITE, '#6d6b67', '#8a8884', '#f3f2f1'],
    dark: ['#f5f3ee', INK, '#f5f3ee', '#f5f3ee', '#262524'],
  },
  먹구름: {
    colour: '#16181D',
    light: ['#16181d', WHITE, '#16181d', '#16181d', '#f2f2f4'],
    dark: ['#bbbec5', INK, '#9c9ea5', '#686a71', '#242527'],
  },
};

/** All roles of a colour in one mode. */
function rolesOf(colour: string, mode: 'light' | 'dark'): Roles {
  const as = (role: keyof Roles) => starRole(colour, role)[mode];
  return {
    fill: as('fill'),
    on: as('on'),
    soft: as('soft'),
    softLine: as('softLine'),
    text: as('text'),
    mark: as('mark'),
    deep: as('deep'),
  };
}

function row(roles: Roles): Row {
  return [roles.fill, roles.on, roles.text, roles.mark, roles.soft];
}

/** The largest difference of any 8-bit channel of any role. */
function furthest(expected: Row, actual: Row): number {
  return Math.max(
    ...channels(expected).map((value, at) => Math.abs(value - (channels(actual)[at] ?? Number.NaN))),
  );
}

function channels(roles: Row): number[] {
  return roles.flatMap((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
}

describe('a star’s colour', () => {
  for (const [name, { colour, light, dark }] of Object.entries(TABLE)) {
    test(`gives ${name} the roles of the table, give or take a rounding`, () => {
      expect(furthest(light, row(rolesOf(colour, 'light')))).toBeLessThanOrEqual(1);
      expect(furthest(dark, row(rolesOf(colour, 'dark')))).toBeLessThanOrEqual(1);
    });
  }

  test('is readable wherever it stands, whatever colour the fans chose', () => {
    const worst = { on: 21, text: 21, mark: 21, deep: 21 };
    let colours = 0;
    for (let r = 0; r < 256; r += 15) {
      for (let g = 0; g < 256; g += 15) {
        for (let b = 0; b < 256; b += 15) {
          colours += 1;
          const colour = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
          for (const mode of ['light', 'dark'] as const) {
            const { fill, on, soft, text, mark, deep } = rolesOf(colour, mode);
            worst.on = Math.min(worst.on, wcagContrast(on, fill));
            for (const ground of GROUNDS[mode]) {
              worst.text = Math.min(worst.text, wcagContrast(text, ground));
              worst.mark = Math.min(worst.mark, wcagContrast(mark, ground));
            }
            worst.text = Math.min(worst.text, wcagContrast(text, soft));
            worst.deep = Math.min(worst.deep, wcagContrast(WHITE, deep));
          }
        }
      }
    }
    expect(colours).toBe(5832);
    expect(worst.on).toBeGreaterThanOrEqual(4.5);
    expect(worst.text).toBeGreaterThanOrEqual(4.6);
    expect(worst.mark).toBeGreaterThanOrEqual(3.05);
    expect(worst.deep).toBeGreaterThanOrEqual(15);
  }, 300_000);

  test('must be written #rrggbb', () => {
    for (const wrong of ['teal', '#fff', '#00b3a4ff', 'rgb(0 0 0)', '']) {
      expect(() => starRole(wrong, 'fill')).toThrow(RangeError);
    }
  });
});

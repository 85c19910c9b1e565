import { describe, expect, test } from 'bun:test';
import parse from 'spdx-expression-parse';
import { productionPackages } from '#site/launch/packages.ts';

/** They ask for nothing but to be named, and of who changes them to say so. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC'],
  ...['MIT', 'MIT-0', 'PSF-2.0', 'Python-2.0', 'Unlicense'],
]);

/** Packages under other terms, which we keep, and why that is so. */
const excused: readonly { name: RegExp; licence: string; because: string }[] = [
  {
    name: /^spdx-exceptions$/,
    licence: 'CC-BY-3.0',
    because: 'a list of names, by which the bill of materials is written; not in what is given away',
  },
  {
    name: /^web-push$/,
    licence: 'MPL-2.0',
    because: 'asks for the source of its own files alone, which we do not change',
  },
  {
    name: /^lightningcss(-.+)?$/,
    licence: 'MPL-2.0',
    because: 'builds the site and is not in what is given away; unchanged',
  },
  {
    name: /^@img\/sharp-libvips-.+$/,
    licence: 'LGPL-3.0-or-later',
    because: 'a library of its own file, which whoever has it can replace',
  },
];

type Expression = ReturnType<typeof parse>;
const suits = (expression: Expression, terms: ReadonlySet<string>): boolean => {
  if ('license' in expression) return terms.has(expression.license);
  const { conjunction, left, right } = expression;
  return conjunction === 'or'
    ? suits(left, terms) || suits(right, terms)
    : suits(left, terms) && suits(right, terms);
};

function isAllowed(name: string, licence: string | undefined): boolean {
  if (licence === undefined) return false;
  const own = excused.filter((each) => each.name.test(name)).map((each) => each.licence);
  try {
    return suits(parse(licence), new Set([...allowed, ...own]));
  } catch {
    return false;
  }
}

describe('the licence of each package that the site is made of', () => {
  const { packages } = productionPackages();

  test('is one of those that we may keep', () => {
    expect(packages.length).toBeGreaterThan(300);
    const wrong = packages
      .filter(({ name, licence }) => !isAllowed(name, licence))
      .map(({ name, version, licence }) => `${name}@${version}: ${licence ?? 'none'}`);
    expect(wrong).toEqual([]);
  });

  test('is excused only where that is needed', () => {
    const idle = excused.filter(
      ({ name, licence }) => !packages.some((each) => name.test(each.name) && each.licence === licence),
    );
    expect(idle).toEqual([]);
  });

  for (const [name, licence] of [
    ['some-package', 'GPL-3.0-only'],
    ['some-package', 'AGPL-3.0-or-later'],
    ['some-package', 'MPL-2.0'],
    ['some-package', 'MIT AND GPL-2.0-only'],
    ['some-package', 'SEE LICENSE IN LICENSE.txt'],
    ['some-package', undefined],
    ['web-push', 'GPL-3.0-only'],
  ] as const)
    test(`would be refused: ${licence} of ${name}`, () => expect(isAllowed(name, licence)).toBe(false));

  test('may be chosen of several', () => {
    expect(isAllowed('some-package', '(AFL-2.1 OR BSD-3-Clause)')).toBe(true);
  });
});

import { describe, expect, test } from 'bun:test';
import { isBuiltin } from 'node:module';
import {
  filesOf,
  importsOf,
  isOnlyTypes,
  layerCode,
  layerOf,
  layers,
  type SourceFile,
  targetOf,
} from './sources.ts';

describe('imports', () => {
  test('are found at all', () => {
    const imports = layerCode().flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(300);
    expect(imports.some(({ specifier }) => specifier === '#api/config.ts')).toBe(true);
  });

  test('run one way: content ← db ← api ← site', () => {
    const wrong = layerCode().flatMap((source) => {
      const own = layerOf(source.path);
      return importsOf(source).flatMap(({ specifier }) => {
        const target = targetOf(source, specifier);
        const layer = target && layerOf(target);
        const upward = own && layer && layers.indexOf(layer) > layers.indexOf(own);
        return upward || target?.startsWith('tests/') ? [`${source.path} imports ${specifier}`] : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  test('of what runs in the browser take only types from api and db', () => {
    const browser = filesOf('site/{islands,stores,client}/**/*.{ts,tsx}', 'site/**/*.{client,inline}.ts');
    expect(browser.length).toBeGreaterThan(3);
    const wrong = browser.flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => /^(api|db)\//.test(targetOf(source, specifier) ?? ''))
        .filter(({ names }) => !isOnlyTypes(names))
        .map(({ specifier }) => `${source.path} imports values from ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('of the demo world are those of seeding and of the command that draws its pictures', () => {
    const naming = layerCode().filter((source) => namesDemo(source));
    expect(naming.map(({ path }) => path)).toContain('db/seed/content.ts');
    const others = naming.filter(({ path }) => !path.startsWith('db/seed/') && !mayNameDemo.has(path));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  for (const wrong of [
    "import stars from '#content/demo/fans.json';",
    "const world = await import('../content/demo/fans.json');",
    "Bun.file('content/demo/fans.json');",
    "new URL('demo/fans.json', content);",
  ]) {
    test(`of the demo world would be noticed: ${wrong}`, () => {
      expect(namesDemo({ path: 'db/x.ts', text: wrong })).toBe(true);
    });
  }

  test('of the picture generator are its own files and the library of colours', () => {
    const generator = filesOf('content/art/**/*.ts');
    expect(generator.length).toBeGreaterThan(20);
    const wrong = generator.flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => !targetOf(source, specifier)?.startsWith('content/art/'))
        .filter(({ specifier }) => specifier !== 'culori')
        .map(({ specifier }) => `${source.path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
    const impure = generator.filter(({ text }) =>
      /\b(?:process|Bun|Math\.random|Date|fetch|performance|crypto)\b[.(]/.test(text),
    );
    expect(impure.map(({ path }) => path)).toEqual([]);
  });

  for (const entry of ['site/start.ts', 'site/dev.ts', 'site/command.ts', 'tests/run.ts', 'tests/check.ts']) {
    test(`of ${entry} work before the packages are installed`, () => {
      expect(packagesAtOnce(entry)).toEqual([]);
    });
  }
});

/** Outside of seeding. */
const mayNameDemo = new Set([
  'api/media/make-pictures.ts',
  // Shows what that command has drawn ahead, as files by their keys; draws what is not there.
  'api/media/media.ts',
  // Keeps the demo out of what a build is made of.
  'site/launch/build.ts',
]);

/** By an import, or as a path in a string; comments may speak of it. */
function namesDemo(source: SourceFile): boolean {
  const targets = importsOf(source).map(({ specifier }) => targetOf(source, specifier));
  const code = source.text.replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');
  return (
    targets.some((target) => target?.startsWith('content/demo/')) ||
    /['"`](?:[#./]*content\/)?demo\/|['"`][#./]*content\/demo['"`]/.test(code)
  );
}

/** Packages that a file needs as soon as it starts, by way of all that it imports; dynamic and type imports wait. */
function packagesAtOnce(entry: string, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return [];
  seen.add(entry);
  const [source] = filesOf(entry);
  if (!source) throw new Error(`there is no ${entry}`);
  const scanned = new Bun.Transpiler({ loader: 'ts' }).scanImports(source.text);
  return scanned
    .filter(({ kind }) => kind !== 'dynamic-import')
    .flatMap(({ path }) => {
      const target = targetOf(source, path);
      if (target) return packagesAtOnce(target, seen);
      return isBuiltin(path) || path.startsWith('bun') ? [] : [`${entry} imports ${path}`];
    });
}

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '#site/launch/root.ts';

/** The layers in the order in which they may import: each only from itself and from those before it. */
export const layers = ['content', 'db', 'api', 'site'] as const;
type Layer = (typeof layers)[number];

export interface SourceFile {
  /** Path from the project's folder, with `/`. */
  path: string;
  text: string;
}

/** Files by patterns such as `site/**` + `/*.ts`; sorted. What git ignores is in no layer. */
export function filesOf(...patterns: string[]): SourceFile[] {
  const paths = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]);
  return [...new Set(paths)].sort().map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(root, path), 'utf8'),
  }));
}

const code = '**/*.{ts,tsx,astro,mjs}';

/** All code of the layers. */
export const layerCode = (): SourceFile[] => filesOf(...layers.map((layer) => `${layer}/${code}`));

/** All code of the project. */
export const allCode = (): SourceFile[] => [...layerCode(), ...filesOf(`tests/${code}`, '*.{ts,mjs}')];

interface Import {
  /** What stands between `import` and `from`; empty for a bare or a dynamic import. */
  names: string;
  specifier: string;
}

/** Every import and re-export of a file, also `import('…')`. */
export function importsOf({ text }: SourceFile): Import[] {
  const pattern =
    /(?:^|[\n;>{])\s*(?:import|export)\s+(type\s+[^'"`;]*?|[^'"`;(]*?)\s*from\s*['"]([^'"]+)['"]|(?:^|[\n;>])\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map(([, names = '', from, bare, dynamic]) => ({
    names,
    specifier: from ?? bare ?? dynamic ?? '',
  }));
}

/** True of the names of an import that leaves nothing behind when it is compiled. */
export function isOnlyTypes(names: string): boolean {
  if (names.startsWith('type ')) return true;
  const inner = names.match(/^\{([^}]*)\}$/)?.[1];
  return inner?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) ?? false;
}

/** The file that an import of ours means, as a path of the project; undefined for packages and builtins. */
export function targetOf({ path }: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return undefined;
  return relative(root, join(root, dirname(path), specifier)).replaceAll('\\', '/');
}

/** The layer of a path; undefined for what lies in none. */
export function layerOf(path: string): Layer | undefined {
  return layers.find((layer) => path.startsWith(`${layer}/`));
}

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { convertToTsx } from '@astrojs/astro2tsx';
import { root } from '#site/launch/root.ts';

/** Where they lie; `tests/pages.tsconfig.json` says that the folder and the project's are one. */
const folder = '.astro/pages';

/**
 * Writes every page and component of Astro as TSX, which the compiler reads in its place, each line where it stood, and its
 * scripts beside it. By Astro's own converter, as `astro check` does: that asks TypeScript 6, and took 42 s of a processor where
 * the native compiler takes 3 for the same files beside all others.
 * @returns what cannot be read as a page, a line each
 */
export function writePagesAsTsx(): string[] {
  rmSync(join(root, folder), { recursive: true, force: true });
  return globSync('site/**/*.astro', { cwd: root }).flatMap((path) => {
    const { code, scripts, diagnostics } = convertToTsx(readFileSync(join(root, path), 'utf8'), {
      filename: path,
    });
    const file = join(root, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.tsx`, code);
    for (const [place, { content, type }] of scripts.entries())
      if (type === 'processed-module') writeFileSync(`${file}.${place}.ts`, `${content}\nexport {};\n`);
    return diagnostics.map(({ message }) => `${path}: ${message}`);
  });
}

/** What the compiler says, of the files that people write. */
export const namedAsWritten = (output: string): string =>
  output.replaceAll(`${folder}/`, '').replace(/\.astro(?:\.\d+)?\.tsx?\(/g, '.astro(');

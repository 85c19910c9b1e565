/** `bun run bench`: builds what is missing, then measures. */
import { ensureBuilt } from '#site/launch/build.ts';
import { explain } from '#site/launch/failure.ts';
import { readBenchArguments } from './arguments.ts';

const wanted = readBenchArguments(process.argv.slice(2));
if (wanted) await measure(wanted.only);

async function measure(only: string | undefined): Promise<void> {
  try {
    if (only !== 'names' && only !== 'messages') await ensureBuilt();
  } catch (error) {
    explain(error, '.data');
    process.exit(1);
  }
  if (only === undefined || only === 'chat' || only === 'pages') await import('./figures.ts');
  if (only === undefined || only === 'phone') {
    const { benchPhone } = await import('./phone.ts');
    await benchPhone();
  }
  if (only === undefined || only === 'processes') {
    const { benchProcesses } = await import('./site-processes.ts');
    await benchProcesses();
  }
  if (only === undefined || only === 'names') {
    const { benchNames } = await import('./names.ts');
    await benchNames();
  }
  if (only === undefined || only === 'stars') {
    const { benchStars } = await import('./stars.ts');
    await benchStars();
  }
  if (only === 'messages') {
    const { benchMessages } = await import('./messages.ts');
    await benchMessages();
  }
  if (only === undefined || only === 'start') {
    const { benchStart } = await import('./start.ts');
    await benchStart();
  }
  // What takes long, or more than this repository, is measured only when it is named.
  if (only === 'next') {
    const { benchNext } = await import('./next.ts');
    await benchNext();
  }
  if (only === 'load') {
    const { benchBulkLoad } = await import('./bulk-load.ts');
    await benchBulkLoad();
  }
  if (only === 'growth') {
    const { benchGrowth } = await import('./growth.ts');
    await benchGrowth();
  }
  if (only === 'comeback') {
    const { benchComeback } = await import('./comeback.ts');
    await benchComeback();
  }
}

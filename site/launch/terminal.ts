/** What the commands say to the person at the terminal. */
export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * Runs something slow and shows that it goes on: on a terminal one line that counts the seconds, elsewhere one line at
 * its beginning and one at its end. `note` says how far it is.
 */
export async function step<T>(
  label: string,
  action: (note: (text: string) => void) => Promise<T>,
): Promise<T> {
  const begin = performance.now();
  const live = process.stdout.isTTY === true;
  let progress = '';
  const draw = () => process.stdout.write(`\r\x1b[2K  ${label}${progress} … ${seconds(begin)}`);
  const timer = live ? setInterval(draw, 250) : undefined;
  if (live) draw();
  else printLine(`  ${label} …`);
  try {
    const result = await action((text) => {
      progress = `: ${text}`;
      if (live) draw();
    });
    printLine(`${live ? '\r\x1b[2K' : ''}  ${label}: done in ${seconds(begin)}`);
    return result;
  } catch (error) {
    printLine(`${live ? '\r\x1b[2K' : ''}  ${label}: failed after ${seconds(begin)}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Runs something slow beside other steps: one line when it has ended. */
export async function backgroundStep<T>(label: string, action: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const ended = action();
  const outcome = await ended.then(
    () => 'done in',
    () => 'failed after',
  );
  printLine(`  ${label}: ${outcome} ${seconds(begin)}`);
  return ended;
}

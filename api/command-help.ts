/**
 * What was typed behind a command that takes no arguments: `--help` is answered, anything else is refused.
 * @param help what the command does; its first line is its name
 * @returns whether the command is to run; else the status of the process is set
 */
export function isToRun(args: readonly string[], help: string): boolean {
  if (args.length === 0) return true;
  if (isHelp(args)) process.stdout.write(help);
  else {
    const [name = ''] = help.split('\n', 1);
    console.error(`${name} takes no arguments, not "${args.join(' ')}". --help tells what it does.`);
    process.exitCode = 1;
  }
  return false;
}

/** What `parseArgs` has against the arguments, as the beginning of a sentence for whoever typed them: `Unknown option '--kep'. `. */
export function faultOfArguments(error: unknown): string {
  const [fault = ''] = error instanceof TypeError ? error.message.split('. ', 1) : [];
  return fault && `${fault.replace(/\.$/, '')}. `;
}

/** Whether somebody asks what a command does: nothing else is done then. */
export const isHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');

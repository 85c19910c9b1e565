import { restoreCommand } from './restore-command.ts';
import { runCommand } from './command-line.ts';

await runCommand(restoreCommand);

import { backupCommand } from './backup-command.ts';
import { runCommand } from './command-line.ts';

await runCommand(backupCommand);

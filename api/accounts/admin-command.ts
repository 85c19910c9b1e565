/**
 * `bun run admin <e-mail> [username]`: makes the account of that address an admin's and gives it a new password, or makes
 * an admin where there is none (decision S1). Asks for the password; where nobody can be asked, or the answer is empty,
 * it makes one.
 */
import { closeDatabase, openDatabase } from '#db/client.ts';
import { StartupError, startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { promoteAccount } from '#db/queries/operators.ts';
import { accountKey, createAccount, operator } from '#db/seed/accounts.ts';
import { ConfigError, config } from '../config.ts';
import { newPassword } from './new-password.ts';

try {
  await makeAdmin();
} catch (error) {
  if (!(error instanceof StartupError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function makeAdmin(): Promise<void> {
  const [email = '', wished = operator.username] = Bun.argv.slice(2);
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new StartupError('Say whose: bun run admin <e-mail> [username]');
  const chosen = askForPassword();
  const password = chosen || newPassword();
  const username = await withDatabase(async () => {
    const hash = await Bun.password.hash(password, 'argon2id');
    const promoted = await promoteAccount(accountKey(email), hash);
    if (promoted) return promoted;
    await createAccount({ ...operator, username: wished, displayName: wished, email, password });
    return wished;
  });
  console.log(`${username} (${email}) is an admin.`);
  if (!chosen) console.log(`Password, shown only this once: ${password}`);
}

/** Empty: none was chosen. */
function askForPassword(): string {
  if (!process.stdin.isTTY) return '';
  const chosen = prompt('New password (6 to 128 characters, empty for a generated one):') ?? '';
  if (chosen === '' || (chosen.length >= 6 && chosen.length <= 128)) return chosen;
  throw new StartupError('A password has 6 to 128 characters.');
}

async function withDatabase<T>(action: () => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = config();
  const postgres = databaseUrl ? undefined : await startEmbedded(dataDir);
  const url = databaseUrl ?? postgres?.url() ?? '';
  try {
    if (postgres) await createDatabase(url);
    await migrateDatabase(url);
    openDatabase(url, 1);
    return await action();
  } finally {
    await closeDatabase();
    await postgres?.stop();
  }
}

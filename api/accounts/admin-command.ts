/**
 * `bun run admin <e-mail> [username]`: makes the account of that address an admin's and gives it a new password, or makes
 * an admin where there is none (decision S1); an account that is there keeps its username. Asks for the password; where nobody can be asked, or the answer is empty,
 * it makes one. `--lang` is the language of the letters to that account: Korean for a new one unless it is said; of one that is an
 * admin's already it changes that and nothing else. With
 * `--role user|editor|admin` it gives an account that there is a role, and nothing else: no call of the API does that
 * (quality §Safe 9).
 */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isLang, type Lang, languages } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { StartupError } from '#db/embedded.ts';
import { hashPassword } from '#db/password.ts';
import { findTakenField, forgetLoginTries } from '#db/queries/accounts/accounts.ts';
import { changeAdminLanguage, promoteAccount } from '#db/queries/admin/operators.ts';
import { changeRole } from '#db/queries/admin/people.ts';
import { roles } from '#db/schema/accounts.ts';
import { accountKey, createAccount, operator } from '#db/seed/accounts.ts';
import { openCommandDatabase } from '../command-database.ts';
import { isHelp } from '../command-help.ts';
import { config } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { triesKeyOf } from './accounts.ts';
import { newPassword } from './new-password.ts';
import { operatorPasswordFault } from './operator-password.ts';
import { invalidateAuthor } from './own-data.ts';
import { emailProblem, problems, usernameProblem } from './rules.ts';

const usage = `Say whose: bun run admin <e-mail> [username] [--lang ${languages.join('|')}], or bun run admin <e-mail> --role ${roles.join('|')}`;

const help = `Makes the account of an address an administrator's and gives it a new password, or makes such an account where there is none.

  bun run admin <e-mail> [username] [--lang ${languages.join('|')}]
  bun run admin <e-mail> --role ${roles.join('|')}

It asks for the password; where nobody can be asked, or the answer is empty, it makes one and prints it once. --lang is the language of the
letters to that account; of one that is an administrator's already it changes that and nothing else. --role gives an account that there is a
role, and nothing else.
`;

try {
  if (isHelp(process.argv)) process.stdout.write(help);
  else await carryOut();
} catch (error) {
  if (!(error instanceof StartupError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function carryOut(): Promise<void> {
  const { email, username, role, lang } = readArguments();
  if (role === undefined) await makeAdmin(email, username, lang);
  else await giveRole(email, role);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      options: { role: { type: 'string' }, lang: { type: 'string' } },
      allowPositionals: true,
    });
    const [email = '', username] = positionals;
    const role = roles.find((each) => each === values.role);
    const lang = isLang(values.lang) ? values.lang : undefined;
    if (lang !== values.lang)
      throw new StartupError(
        `There is no language “${values.lang}” here: say one of ${languages.join(', ')}.`,
      );
    if (role !== values.role)
      throw new StartupError(`There is no role “${values.role}” here: say one of ${roles.join(', ')}.`);
    if (role && (lang || username !== undefined))
      throw new StartupError(
        `A role is all that --role gives, to an account that there is: bun run admin ${email} --role ${role}`,
      );
    if (email.includes('@')) return { email, username, role, lang };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    // An option that there is not: told like every other mistake.
  }
  throw new StartupError(usage);
}

async function giveRole(email: string, role: (typeof roles)[number]): Promise<void> {
  const changed = await withDatabase(async () => {
    const outcome = await changeRole(accountKey(email), role);
    // Its messages carry the sign of a moderator, or carry it no more.
    if (typeof outcome === 'object') await invalidateAuthor(outcome.id);
    return outcome;
  });
  if (changed === 'missing') throw new StartupError(`Nobody has the e-mail address ${email}.`);
  if (changed === 'last_admin') throw new StartupError('The last admin must stay one.');
  console.log(`${changed.username} (${email}) has the role ${role}.`);
}

async function makeAdmin(
  email: string,
  requestedUsername: string | undefined,
  lang: Lang | undefined,
): Promise<void> {
  if (lang && requestedUsername === undefined) {
    const admin = await withDatabase(() => changeAdminLanguage(accountKey(email), lang));
    if (admin) {
      console.log(
        `${admin} (${email}) gets letters in ${lang}. Its password stays: without --lang it gets a new one.`,
      );
      return;
    }
  }
  const newUsername = requestedUsername ?? operator.username;
  const problem = requestedUsername === undefined ? undefined : usernameProblem(requestedUsername);
  // An operator may take a name that nobody can register.
  if (problem && problem !== 'username_reserved')
    throw new StartupError(
      `The username ${requestedUsername} cannot be taken: ${lowered(problems[problem])}`,
    );
  const typedPassword = askForPassword([newUsername, email]);
  const password = typedPassword || newPassword();
  const username = await withDatabase(async () => {
    const hash = await hashPassword(normalized(password));
    const promoted = await promoteAccount(accountKey(email), hash, lang);
    if (promoted) {
      await forgetLoginTries(triesKeyOf(email));
      await invalidateAuthor(promoted.id);
      return promoted.username;
    }
    if (emailProblem(email))
      throw new StartupError(`Nobody can have the e-mail address ${email}: registration would refuse it.`);
    if (await findTakenField(accountKey(newUsername), accountKey(email)))
      throw new StartupError(
        `The username ${newUsername} is another’s: say one behind the address, as in bun run admin ${email} desk`,
      );
    const language = lang ?? operator.language;
    await createAccount({
      ...operator,
      username: newUsername,
      displayName: newUsername,
      email,
      password,
      language,
    });
    return newUsername;
  });
  console.log(`${username} (${email}) is an admin.`);
  if (requestedUsername !== undefined && accountKey(requestedUsername) !== accountKey(username))
    console.log(`Its username stays ${username}: ${requestedUsername} would be that of a new account.`);
  if (!typedPassword) console.log(`Password, shown only this once: ${password}`);
  const { databaseUrl, dataDir } = config();
  console.log(`In the database of ${databaseUrl ? 'DATABASE_URL' : `DATA_DIR=${resolve(dataDir)}`}.`);
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** @returns empty: none was chosen @throws StartupError */
function askForPassword(own: readonly string[]): string {
  if (!process.stdin.isTTY) return '';
  const typed = prompt('New password (6 to 128 characters, empty for a generated one):') ?? '';
  const fault = typed === '' ? undefined : operatorPasswordFault(typed, own);
  if (fault) throw new StartupError(`This password ${fault}`);
  return typed;
}

async function withDatabase<T>(action: () => Promise<T>): Promise<T> {
  const close = await openCommandDatabase(1);
  try {
    return await action();
  } finally {
    await close();
  }
}

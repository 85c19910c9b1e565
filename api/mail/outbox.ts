import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

/** Where letters go without SMTP_URL; they hold links that open accounts, so only the owner may read them. */
export const outboxOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'outbox');

/** A letter's file is named by its account: it goes when that does. Also while it is written. */
const letterPattern = /\.(\d{1,10})\.eml(?:\.\d+\.part)?$/;
export const letterFile = (name: string, account: number): string => `${name}.${account}.eml`;
const accountOf = (file: string): number => Number(letterPattern.exec(file)?.[1] ?? 0);

/** The files of an outbox; where there is a mail server there is none. */
const lettersIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Accounts that letters of an outbox are for. */
export const listLetterAccounts = async (folder: string): Promise<number[]> => [
  ...new Set((await lettersIn(folder)).map(accountOf).filter((account) => account > 0)),
];

/** Deletes letters for these accounts. */
export async function deleteLettersOf(folder: string, accounts: readonly number[]): Promise<void> {
  for (const name of await lettersIn(folder))
    if (accounts.includes(accountOf(name))) await rm(join(folder, name), { force: true });
}

/** Deletes letters of so many days ago. */
export async function deleteOldLetters(folder: string, days: number): Promise<void> {
  const before = Date.now() - days * 86_400_000;
  for (const name of await lettersIn(folder)) {
    const file = join(folder, name);
    // It may have gone with its account meanwhile.
    const written = await stat(file).catch(() => undefined);
    if (written && written.mtimeMs < before) await rm(file, { force: true });
  }
}

import { database } from '#db/client.ts';
import { hashPassword } from '#db/password.ts';
import { forgetLoginTries } from '#db/queries/accounts/accounts.ts';
import {
  findAddressee,
  findTokenOwner,
  resetPasswordByToken,
  verifyEmailByToken,
} from '#db/queries/accounts/tokens.ts';
import type { TokenKind } from '#db/schema/accounts.ts';
import { accountKey } from '#db/seed/accounts.ts';
import { BadInput, Conflict } from '../errors.ts';
import { enqueue } from '../jobs/jobs.ts';
import { hashToken, isToken, type Visitor } from '../plugins/session.ts';
import { accountLetter, countLetter } from './letters.ts';
import type { PasswordReset } from './model.ts';
import { normalizeText } from './names.ts';
import { asPassword, emailProblem, passwordProblem, problems, refuse, repeatProblem } from './rules.ts';

/** The ways back into an account, by letters that prove an address of mail. */

/**
 * Asks for a letter with a way to a new password. Whether there is such an account is found out when the letter is
 * written, so that text, status and time are the same for everybody (quality §Safe 7).
 * @throws BadInput for what is no address, TooManyRequests
 */
export async function forgotPassword(typed: string): Promise<void> {
  const problem = emailProblem(typed);
  if (problem) refuse({ email: problem });
  const emailKey = accountKey(normalizeText(typed));
  await countLetter('reset', emailKey);
  await enqueue(accountLetter, { kind: 'reset', emailKey }, { key: `reset:${hashToken(emailKey)}` });
}

/** A link that does not lead anywhere (any more). */
const invalidToken = () => new BadInput('token', problems.token_invalid, 'token_invalid');

/** True for the token of a letter that can still be used; looking at it does not use it up. */
export async function isValidToken(token: string, kind: TokenKind): Promise<boolean> {
  return isToken(token) && (await findTokenOwner(hashToken(token), kind)) !== undefined;
}

/**
 * Sets a new password for the token of a letter, once. Every device is logged out, and the person is told by mail.
 * @throws BadInput with the field that is wrong; `token` for one that is unknown, used or too old
 */
export async function resetPassword({ token, newPassword, confirmPassword }: PasswordReset): Promise<void> {
  const hash = hashToken(token);
  const owner = isToken(token) ? await findTokenOwner(hash, 'reset') : undefined;
  if (!owner) throw invalidToken();
  const problem = passwordProblem(newPassword, [owner.username, owner.email]);
  const repeated = repeatProblem(newPassword, confirmPassword);
  refuse({
    ...(problem ? { newPassword: problem } : {}),
    ...(repeated ? { confirmPassword: repeated } : {}),
  });
  const passwordHash = await hashPassword(asPassword(newPassword));
  const account = await database().transaction(async (tx) => {
    const changed = await resetPasswordByToken(hash, passwordHash, tx);
    if (changed) await enqueue(accountLetter, { kind: 'changed', userId: changed.id }, { tx });
    return changed;
  });
  if (!account) throw invalidToken();
  await forgetLoginTries(hashToken(account.emailKey));
}

/** Proves an address by the token of a letter; again changes nothing. @throws BadInput when it is unknown or too old */
export async function verifyEmail(token: string): Promise<void> {
  if (!isToken(token) || !(await verifyEmailByToken(hashToken(token)))) throw invalidToken();
}

/**
 * Sends the letter with which a person proves the own address, again.
 * @throws Conflict when it is proven already, TooManyRequests
 */
export async function sendVerification({ id }: Visitor): Promise<void> {
  const person = await findAddressee({ userId: id });
  if (!person) throw new Conflict('no_email', 'This account has no e-mail address.');
  if (person.verified) throw new Conflict('verified', 'The e-mail address is confirmed already.');
  await countLetter('verify', person.emailKey);
  await enqueue(accountLetter, { kind: 'verify', userId: id }, { key: `verify:${id}` });
}

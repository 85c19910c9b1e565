import { isIP } from 'node:net';
import { defaultLanguage } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { database } from '#db/client.ts';
import { hashPassword, nobodysHash } from '#db/password.ts';
import {
  type AccountChange,
  type AccountRow,
  findAccount,
  findLogin,
  findTakenField,
  giveBackLoginTry,
  insertFan,
  isPasswordOf,
  takeLoginTry,
  updateAccount,
} from '#db/queries/accounts/accounts.ts';
import { movePushSubscriptions } from '#db/queries/push.ts';
import { accountKey } from '#db/seed/accounts.ts';
import { ApiError, BadInput, Conflict, NotAuthenticated, TooManyRequests } from '../errors.ts';
import { enqueue } from '../jobs/jobs.ts';
import { countOrRefuse } from '../plugins/rate-limits.ts';
import { hashToken, lucia, openSession, type Visitor } from '../plugins/session.ts';
import { accountLetter, countLetter } from './letters.ts';
import type { Login, ProfileChange, Registration, SessionAnswer, User } from './model.ts';
import { hasUnsafeCharacters, normalizeText } from './names.ts';
import { hashIfPassword, invalidateAuthor, provePassword } from './own-data.ts';
import {
  asPassword,
  displayNameProblem,
  passwordProblem,
  problems,
  refuse,
  repeatProblem,
  takenConflict,
} from './rules.ts';

/** Unknown e-mail and wrong password, told the same way (decision S3). */
class LoginFailed extends ApiError {
  readonly status = 401;
  constructor() {
    super('login_failed', 'That e-mail address and password don’t match.');
  }
}

/** Of one account that succeed: those count for no address (decision S12), and each costs a hash and a row. */
const logins = { name: 'logged-in', count: 60, seconds: 3600 };

/** Where a session is opened, for the list of devices. */
export interface Device {
  userAgent: string | null;
  /** Of the client; anything that is no address is left out. */
  address: string;
}

/**
 * Makes an account, queues the letter that proves its address, unless that got enough of them lately, and opens its first session (§5,
 * decisions S1, S3, S4).
 * @param input without `registrationProblems`: the route refuses those before it counts
 * @throws Conflict with the field that is taken
 */
export async function register(input: Registration, device: Device): Promise<SessionAnswer> {
  const username = normalized(input.username);
  const email = normalizeText(input.email);
  const keys = { usernameKey: accountKey(username), emailKey: accountKey(email) };
  const takenField = await findTakenField(keys.usernameKey, keys.emailKey);
  if (takenField) throw takenConflict(takenField);
  const fan = {
    ...keys,
    username,
    email,
    displayName: normalizeText(input.displayName ?? '') || null,
    passwordHash: await hashPassword(asPassword(input.password)),
    language: input.language ?? defaultLanguage,
  };
  const getsLetter = await isWithinLimit(countLetter('verify', keys.emailKey));
  const account = await database().transaction(async (tx) => {
    const inserted = await insertFan(fan, tx);
    if (inserted && getsLetter) await enqueue(accountLetter, { kind: 'verify', userId: inserted.id }, { tx });
    return inserted;
  });
  if (!account) throw takenConflict((await findTakenField(keys.usernameKey, keys.emailKey)) ?? 'username');
  return { token: await openOn(account.id, device), user: toUser(account) };
}

/** By which tries to log in to an account are counted, also where there is none; those of a known device apart. */
export const triesKeyOf = (email: string, knownDevice = ''): string =>
  hashToken(`${accountKey(normalizeText(email))}${knownDevice}`);

/**
 * Opens a session for e-mail and password.
 * @param knownDevice the device among those that the account knows, whose tries count apart (decision S13)
 * @throws LoginFailed (401), the same for whatever is wrong; TooManyRequests after many tries for one address of mail
 */
export async function logIn(input: Login, device: Device, knownDevice = ''): Promise<SessionAnswer> {
  const email = normalizeText(input.email);
  const password = asPassword(input.password);
  if (email === '') throw new BadInput('email', problems.required, 'required');
  if (password === '') throw new BadInput('password', problems.required, 'required');
  const triesKey = triesKeyOf(email, knownDevice);
  const loginTry = await takeLoginTry(triesKey);
  if (loginTry.wait > 0) throw new TooManyRequests(loginTry.wait);
  const account = hasUnsafeCharacters(email) ? undefined : await findLogin(accountKey(email));
  const matches = await Bun.password.verify(password, account?.passwordHash ?? nobodysHash);
  if (!account || !matches) throw new LoginFailed();
  await countOrRefuse(logins, `account:${account.id}`);
  await giveBackLoginTry(triesKey, loginTry);
  const token = await openOn(account.id, device);
  // A new password ends the sessions that there are: one that is opened beside it ends itself.
  if (!(await isPasswordOf(account.id, account.passwordHash))) {
    await lucia().invalidateSession(hashToken(token));
    throw new LoginFailed();
  }
  return { token, user: toUser(account) };
}

async function openOn(userId: number, { userAgent, address }: Device): Promise<string> {
  const { token } = await openSession(userId, {
    ...(userAgent ? { userAgent: userAgent.slice(0, 300) } : {}),
    ...(isIP(address) ? { address } : {}),
  });
  return token;
}

/** Ends the session of this device; other devices stay signed in. */
export async function logOut({ sessionId }: Visitor): Promise<void> {
  await lucia().invalidateSession(sessionId);
}

/** A device that logs in anew leaves its old session; to the same account it goes on to be notified. */
export async function replaceSession(
  old: Visitor | undefined,
  { token, user }: SessionAnswer,
): Promise<void> {
  if (!old) return;
  if (old.id === user.id) await movePushSubscriptions(old.sessionId, hashToken(token));
  await logOut(old);
}

/** @throws NotAuthenticated when the account has just gone */
export async function readUser(id: number): Promise<User> {
  const account = await findAccount(id);
  if (!account) throw new NotAuthenticated();
  return toUser(account);
}

/**
 * Changes what a person may change of the own account. A new password needs the current one and ends the sessions of
 * all other devices (quality §Safe 6); one that is the account's already changes nothing (decision S5).
 * @throws BadInput with the field that is wrong
 */
export async function changeProfile(visitor: Visitor, change: ProfileChange): Promise<User> {
  const { displayName, language } = change;
  const wrong = displayNameProblem(displayName ?? '');
  if (wrong) refuse({ displayName: wrong });
  const changed = await updateAccount(visitor.id, visitor.sessionId, {
    language,
    ...(displayName === undefined ? {} : { displayName: normalizeText(displayName ?? '') || null }),
    ...(change.newPassword === undefined ? {} : { password: await newPassword(visitor, change) }),
  });
  if (!changed) throw new Conflict('changed', 'The account was changed meanwhile. Try again.');
  if (displayName !== undefined) await invalidateAuthor(visitor.id);
  return toUser(changed);
}

/** @returns undefined when the account has the new password already */
async function newPassword(
  { id, username }: Visitor,
  { currentPassword = '', newPassword = '', confirmPassword = newPassword }: ProfileChange,
): Promise<AccountChange['password']> {
  const { email } = await readUser(id);
  const problem = passwordProblem(newPassword, [username, ...(email ? [email] : [])]);
  const repeated = repeatProblem(newPassword, confirmPassword);
  refuse({
    ...(currentPassword === '' ? { currentPassword: 'required' } : {}),
    ...(problem ? { newPassword: problem } : {}),
    ...(repeated ? { confirmPassword: repeated } : {}),
  });
  try {
    const oldHash = await provePassword(id, currentPassword, 'currentPassword');
    return { oldHash, newHash: await hashPassword(asPassword(newPassword)) };
  } catch (error) {
    // Whoever sends it again, because the answer was lost, finds it done.
    if (error instanceof BadInput && (await hasPasswordAlready(id, newPassword))) return undefined;
    throw error;
  }
}

/** Whether the account has this password already. It is a guess as well, so it is looked at once an hour. */
async function hasPasswordAlready(id: number, password: string): Promise<boolean> {
  const once = countOrRefuse({ name: 'repeated-password', count: 1, seconds: 3600 }, `account:${id}`);
  return (await isWithinLimit(once)) && (await hashIfPassword(id, password)) !== undefined;
}

/** Whether what was counted is allowed, where a limit refuses no call. */
async function isWithinLimit(counted: Promise<void>): Promise<boolean> {
  try {
    await counted;
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}

function toUser({
  createdAt,
  id,
  username,
  displayName,
  email,
  emailVerified,
  role,
  language,
  profileImageUrl,
}: AccountRow): User {
  return {
    id,
    username,
    displayName,
    email,
    emailVerified,
    role,
    language,
    profileImageUrl,
    createdAt: createdAt.toISOString(),
  };
}

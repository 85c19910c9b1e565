import { normalized } from '#content/normalize.ts';
import { storageKey } from '#content/site.ts';
import { accountKey } from '#db/seed/accounts.ts';
import { BadInput, Conflict } from '../errors.ts';
import common from './common-passwords.json' with { type: 'json' };
import type { Registration } from './model.ts';
import {
  hasRareLetters,
  hasStackedMarks,
  hasUnsafeCharacters,
  looksBlank,
  looksReserved,
  normalizeText,
} from './names.ts';

/** Rules of §5 and decisions S3, S4. Pages read the numbers and patterns for their fields, so both ends agree. */
export const accountRules = {
  usernameMin: 3,
  usernameMax: 20,
  /** For the `pattern` of a field; what counts is the text after NFC. */
  usernamePattern: '[A-Za-z0-9_가-힣]+',
  passwordMin: 6,
  passwordMax: 128,
  displayNameMax: 40,
  emailMax: 254,
  /** Without the signs that would make it two addresses in a letter, or end it early; not at a bare IPv4 address. */
  emailPattern:
    '[^\\s@,;:<>()\\[\\]"\\\\]{1,64}@(?!\\d+(?:\\.\\d+){3}$)[^\\s@.,;:<>()\\[\\]"\\\\]+(?:\\.[^\\s@.,;:<>()\\[\\]"\\\\]+)+',
} as const;

const username = new RegExp(`^${accountRules.usernamePattern}$`);
const email = new RegExp(`^${accountRules.emailPattern}$`, 'u');

/** Every way in which a field can be wrong, as the API says it. Pages have their own words for these codes. */
export const problems = {
  required: 'Is required.',
  email_form: 'Must be an e-mail address.',
  email_taken: 'An account with this e-mail address exists.',
  username_short: `Must have at least ${accountRules.usernameMin} characters.`,
  username_long: `Must have at most ${accountRules.usernameMax} characters.`,
  username_characters: 'May have only letters, digits, underscore and Hangul.',
  username_reserved: 'This name is reserved.',
  username_taken: 'This name is taken.',
  display_name_long: `Must have at most ${accountRules.displayNameMax} characters.`,
  display_name_characters: 'Has characters that cannot be shown.',
  display_name_reserved: 'This name is reserved.',
  password_short: `Must have at least ${accountRules.passwordMin} characters.`,
  password_long: `Must have at most ${accountRules.passwordMax} characters.`,
  password_common: 'Is one of the most common passwords.',
  password_mismatch: 'The passwords do not match.',
  password_wrong: 'The current password is wrong.',
  token_invalid: 'The link is too old or can no longer be used.',
} as const;
export type Problem = keyof typeof problems;

export type AccountField = keyof Omit<Registration, 'language'> | 'currentPassword' | 'newPassword';
export type Problems = Partial<Record<AccountField, Problem>>;

const lengthOf = (text: string) => [...text].length;

/** What is wrong with a username; undefined: nothing. */
export function usernameProblem(text: string): Problem | undefined {
  const name = normalized(text);
  if (name === '') return 'required';
  if (lengthOf(name) < accountRules.usernameMin) return 'username_short';
  if (lengthOf(name) > accountRules.usernameMax) return 'username_long';
  if (!username.test(name)) return 'username_characters';
  return looksReserved(name) ? 'username_reserved' : undefined;
}

export function emailProblem(text: string): Problem | undefined {
  const address = normalizeText(text);
  if (address === '') return 'required';
  const isValid =
    email.test(address) && lengthOf(address) <= accountRules.emailMax && !hasUnsafeCharacters(address);
  return isValid ? undefined : 'email_form';
}

/** An empty one is none. */
export function displayNameProblem(text: string): Problem | undefined {
  const name = normalizeText(text);
  if (hasUnsafeCharacters(name) || looksBlank(name) || hasStackedMarks(name))
    return 'display_name_characters';
  if (lengthOf(name) > accountRules.displayNameMax) return 'display_name_long';
  if (looksReserved(name)) return 'display_name_reserved';
  return hasRareLetters(name) ? 'display_name_characters' : undefined;
}

/** Fewer different ones than this are soon tried through. */
const fewestCharacters = 4;
const commonPasswords = new Set(common.passwords.split(' '));

/**
 * A password as it is hashed and compared: a syllable typed on a Mac and one typed on a phone are the same.
 */
export const asPassword = (text: string): string => normalized(text);

/** @param own the account's username and e-mail address, which are no passwords either */
export function passwordProblem(text: string, own: readonly string[]): Problem | undefined {
  const password = asPassword(text);
  if (password === '') return 'required';
  if (lengthOf(password) < accountRules.passwordMin) return 'password_short';
  if (lengthOf(password) > accountRules.passwordMax) return 'password_long';
  const key = accountKey(password);
  const names = own.flatMap((name) => [accountKey(name), accountKey(name).split('@')[0]]);
  const isCommon = commonPasswords.has(key) || commonPasswords.has(key.replace(/\d{1,3}$/, ''));
  const isGuessed = names.includes(key) || key.replace(/\d+$/, '') === storageKey;
  return isCommon || isGuessed || new Set(key).size < fewestCharacters ? 'password_common' : undefined;
}

/** A password that is typed twice. */
export function repeatProblem(password: string, repeated: string): Problem | undefined {
  if (repeated === '') return 'required';
  return asPassword(password) === asPassword(repeated) ? undefined : 'password_mismatch';
}

/** What is wrong with a registration before the database is asked, by field in the order of the form. */
export function registrationProblems(input: Registration): Problems {
  return definedProblems({
    email: emailProblem(input.email),
    username: usernameProblem(input.username),
    displayName: displayNameProblem(input.displayName ?? ''),
    password: passwordProblem(input.password, [input.username, input.email]),
    confirmPassword: repeatProblem(input.password, input.confirmPassword),
  });
}

function definedProblems(checked: Record<string, Problem | undefined>): Problems {
  return Object.fromEntries(Object.entries(checked).filter(([, problem]) => problem !== undefined));
}

/** @throws BadInput for the first of them */
export function refuse(wrong: Problems): void {
  const [first] = Object.entries(wrong);
  if (first) throw new BadInput(first[0], problems[first[1]], first[1]);
}

/** The name or address belongs to another account. */
export function takenConflict(field: 'email' | 'username'): Conflict {
  const code = `${field}_taken` as const;
  return new Conflict(code, problems[code], field);
}

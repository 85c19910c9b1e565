import { passwordProblem } from './rules.ts';

/**
 * Why an operator's own choice is no password for an administrator, as the end of a sentence that begins with what it is; undefined:
 * it is one. Fans are refused the same (decision S3).
 * @param own the account's username and e-mail address
 */
export function operatorPasswordFault(password: string, own: readonly string[]): string | undefined {
  const problem = passwordProblem(password, own);
  if (problem === undefined) return undefined;
  return problem === 'password_common'
    ? 'is easily guessed: it is one of the most common, or what the account or the site is called. Choose another.'
    : 'must have 6 to 128 characters.';
}

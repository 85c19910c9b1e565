/**
 * What argon2id takes for a password: OWASP's parameters, 19 MiB of memory (`memoryCost` in KiB) and two passes. On two cores 45 ms, where
 * Bun's own 64 MiB take 150 ms: when fans come back all at once, those who log in do not hold up those who read.
 */
const parameters = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** The hash by which a password is known; `Bun.password.verify` compares. Decision S3. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, parameters);

/**
 * What the password of an unknown e-mail address is compared with, so that it takes as long as a wrong one (quality §Safe 7): the
 * hash of a forgotten random text, with the same parameters.
 */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$uCIckqVhDjzON+6EnZA5mhB9ub57IS2VEVuvfy8l57Y$ZcGsvMUQqgYuRZVIHlm921NMO+NX3NGXFZjJuRRuCFg';

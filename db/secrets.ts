/** Imports nothing: settings are read before there are packages. */

/** A shorter one would be found in words that are none. */
const leastLength = 8;
let hidden: readonly RegExp[] = [];

/** Says what must never stand in a log, whoever writes it: services quote the key that they refuse. Takes the place of what was said before. */
export function hideSecrets(secrets: readonly string[]): void {
  hidden = [...new Set(secrets)]
    .filter((secret) => secret.length >= leastLength)
    // The longest first: one may be a part of another.
    .sort((a, b) => b.length - a.length)
    .map((secret) => new RegExp(formsOf(secret).map(RegExp.escape).join('|'), 'g'));
}

/** As it is, in JSON, and in an address. */
const formsOf = (secret: string): string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
];

/** A line without them. */
export function withoutSecrets(line: string): string {
  let safe = line;
  for (const isWritten of hidden) safe = safe.replace(isWritten, '[secret]');
  return safe;
}

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
    .map((secret) => new RegExp([anyCoding(secret), ...base64Of(secret)].join('|'), 'g'));
}

/**
 * A pattern of a text as it is, in JSON, in an address, and in one of these inside of another: each of its characters may be written in any
 * of these ways, since no two programs code the same ones.
 */
const anyCoding = (text: string): string => [...text].map(codings).join('');

function codings(character: string): string {
  const plain = RegExp.escape(character);
  // `\"` in JSON, `\\\"` in JSON in JSON; a sign that need not be escaped may be.
  const escaped = /[\w-]/.test(character)
    ? plain
    : character === '\\'
      ? String.raw`\\{1,16}`
      : String.raw`\\{0,15}${plain}`;
  const units = Array.from({ length: character.length }, (_, place) => character.charCodeAt(place));
  const inJson = units
    .map((unit) => String.raw`\\{1,8}u${anyCase(unit.toString(16).padStart(4, '0'))}`)
    .join('');
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => byte.toString(16).padStart(2, '0'));
  // `%252F` is an address in an address. Repeats have an end, or a line of signs that repeat would take seconds.
  const inAddress = bytes.map((byte) => `%(?:25){0,3}${anyCase(byte)}`).join('');
  return `(?:${[escaped, inJson, inAddress, ...(character === ' ' ? [String.raw`\+`] : [])].join('|')})`;
}

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/**
 * What stands in a base64 text when the secret stands in what it codes, as in `user:password` of a header: three texts, since three
 * bytes become four signs. The signs at its ends hold bits of its neighbours as well.
 */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [...own].map(base64Codings).join('');
  });
}

/** Addresses have two signs of their own. */
const base64Codings = (sign: string): string =>
  sign === '+' ? `(?:-|${codings(sign)})` : sign === '/' ? `(?:_|${codings(sign)})` : sign;

/** A line without them. */
export function withoutSecrets(line: string): string {
  let safe = line;
  for (const isWritten of hidden) safe = safe.replace(isWritten, '[secret]');
  return safe;
}

import { normalized } from '#content/normalize.ts';
import { hasStackedMarks, hasUnsafeCharacters, looksBlank, normalizeText } from '../accounts/names.ts';
import { BadInput } from '../errors.ts';
import { parseAddress } from '../web-address.ts';

/** What editors write: NFC, trimmed, without characters that show nothing or turn the line around (decision S4). */

/** One line; null when nothing is left. @throws BadInput */
export function readLine(text: string | null | undefined, field: string, maxLength: number): string | null {
  const line = normalizeText(text ?? '');
  if (hasUnsafeCharacters(line) || hasStackedMarks(line) || looksBlank(line))
    throw new BadInput(field, 'Has characters that cannot be shown.', 'characters');
  return bounded(line, field, maxLength);
}

/** Several lines, such as notes or Markdown; null when nothing is left. @throws BadInput */
export function readText(text: string | null | undefined, field: string, maxLength: number): string | null {
  const lines = normalized(text ?? '')
    .replace(/\r\n?/g, '\n')
    .trim();
  if (hasUnsafeCharacters(lines.replace(/[\n\t]/g, ' ')))
    throw new BadInput(field, 'Has characters that cannot be shown.', 'characters');
  return bounded(lines, field, maxLength);
}

function bounded(text: string, field: string, maxLength: number): string | null {
  if ([...text].length > maxLength)
    throw new BadInput(field, `Must have at most ${maxLength} characters.`, 'long', maxLength);
  return text || null;
}

/** An address that a page may link to; null when nothing is left. @throws BadInput */
export function readAddress(text: string | null | undefined, field: string): string | null {
  const address = readLine(text, field, 2000);
  if (address === null) return null;
  const parsed = parseAddress(address);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    throw new BadInput(field, 'Must be an address that starts with http:// or https://.', 'url');
  return parsed.href;
}

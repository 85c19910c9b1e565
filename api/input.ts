import { normalized } from '#content/normalize.ts';
import { limits } from '#content/site.ts';

/** Strict readers of what arrives as text in addresses: pages and routes share them, so both refuse the same. */

export const largestId = 2_147_483_647;
/** The deepest row that paging reaches; beyond it search is the way. */
export const deepestOffset = 1_000_000;
const idPattern = /^[1-9]\d{0,9}$/;
const wholePattern = /^(?:0|[1-9]\d{0,9})$/;

/** A public id of decision M1, or undefined for anything else. */
export function readId(value: string | undefined | null): number | undefined {
  if (!value || !idPattern.test(value)) return undefined;
  const id = Number(value);
  return id <= largestId ? id : undefined;
}

/** A whole number in plain digits within the bounds; `+1`, `1e3`, `0x10`, `01` and spaces are undefined. */
export function readInteger(value: string, from: number, to: number): number | undefined {
  if (!wholePattern.test(value)) return undefined;
  const number = Number(value);
  return number >= from && number <= to ? number : undefined;
}

/** A one-based page number; missing means the first page, nonsense and what lies too deep is undefined. */
export function readPageNumber(value: string | null, size: number): number | undefined {
  if (value === null) return 1;
  const page = readId(value);
  return page === undefined || page * size > deepestOffset ? undefined : page;
}

/** A row offset; missing means 0, nonsense is undefined. */
export function readOffset(value: string | null): number | undefined {
  return value === null ? 0 : readInteger(value, 0, deepestOffset);
}

/** Star ids separated by commas, each once, at most 100; missing means none, nonsense is undefined. */
export function readStarIds(value: string | null): number[] | undefined {
  if (value === null || value === '') return [];
  return distinctIds(value.split(',').map(readId));
}

/** Star ids as the JSON array of §7 (`[1,2]`), each once, at most 100; missing means none, nonsense is undefined. */
export function readStarIdArray(value: string | undefined): number[] | undefined {
  if (value === undefined) return [];
  if (!/^\[[\d, ]*\]$/.test(value)) return undefined;
  const inside = value.slice(1, -1).trim();
  return inside === '' ? [] : distinctIds(inside.split(',').map((part) => readId(part.trim())));
}

function distinctIds(parsed: readonly (number | undefined)[]): number[] | undefined {
  const ids = new Set<number>();
  for (const id of parsed) {
    if (id === undefined) return undefined;
    ids.add(id);
  }
  return ids.size <= limits.maxPage ? [...ids].sort((a, b) => a - b) : undefined;
}

/** What a person searches for: NFC, one space between words, no control or joining marks; undefined when nothing is left. */
export function readSearch(value: string | undefined | null): string | undefined {
  const text = normalized(value ?? '')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text || undefined;
}

/** True for an object with fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether JSON that somebody else wrote has less than eight signs a value, as nothing real has. Two million empty objects in a file of 8 MB
 * would keep the process for seconds.
 */
export function isJsonBomb(text: string): boolean {
  const most = Math.max(100_000, text.length / 8);
  let values = 0;
  for (let at = 0; at < text.length && values <= most; at += 1)
    if (beginsValue.has(text.charCodeAt(at))) values += 1;
  return values > most;
}

const beginsValue: ReadonlySet<number> = new Set([...',[{'].map((sign) => sign.charCodeAt(0)));

import { limits } from '#content/site.ts';

const idPattern = /^[1-9]\d{0,9}$/;
const largestId = 2_147_483_647;
/** The deepest row that paging reaches; beyond it search is the way. */
const deepestOffset = 1_000_000;

/** A public id of decision M1, or undefined for anything else. */
export function readId(value: string | undefined | null): number | undefined {
  if (!value || !idPattern.test(value)) return undefined;
  const id = Number(value);
  return id <= largestId ? id : undefined;
}

/** Offset of a one-based page number; missing means the first page, nonsense is undefined. */
export function offsetOfPage(value: string | null, size: number): number | undefined {
  if (value === null) return 0;
  const page = readId(value);
  return page === undefined || page * size > deepestOffset ? undefined : (page - 1) * size;
}

/** A row offset; missing means 0, nonsense is undefined. */
export function readOffset(value: string | null): number | undefined {
  if (value === null) return 0;
  if (!/^(?:0|[1-9]\d{0,6})$/.test(value)) return undefined;
  const offset = Number(value);
  return offset <= deepestOffset ? offset : undefined;
}

/** Star ids separated by commas, each once, at most 100; missing means none, nonsense is undefined. */
export function readStarIds(value: string | null): number[] | undefined {
  if (value === null || value === '') return [];
  const ids = new Set<number>();
  for (const part of value.split(',')) {
    const id = readId(part);
    if (id === undefined) return undefined;
    ids.add(id);
  }
  return ids.size <= limits.maxPage ? [...ids].sort((a, b) => a - b) : undefined;
}

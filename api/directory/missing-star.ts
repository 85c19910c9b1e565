import { findRedirect } from '#db/queries/directory/visibility.ts';
import { Moved, NotFound } from '../errors.ts';

/**
 * What to say of a star that is not there: where it is now, or that there is none.
 * @param what was asked for of it
 */
export async function missingStar(id: number, what: 'Star' | 'Channel' = 'Star'): Promise<Moved | NotFound> {
  const into = await findRedirect(id);
  return into === undefined ? new NotFound(what) : new Moved(id, into);
}

/** The star that a number leads to since it was merged, for pages; undefined for any other number. */
export const readMergedStar = (id: number): Promise<number | undefined> => findRedirect(id);

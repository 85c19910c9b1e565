import { TooManyRequests } from '#api/errors.ts';
import { readQuery } from '#api/search/query.ts';
import { limitSearch, type SearchPage, type SearchResult, search } from '#api/search/search.ts';
import type { SearchProblem } from './address.ts';

interface SearchOutcome {
  /** What stands in the field. */
  text: string;
  /** Missing when nothing was searched for. */
  result?: SearchResult;
  problem?: SearchProblem;
  status: 200 | 400 | 429;
  retryAfter?: string | undefined;
}

/** Makes the search of an address, or says why not; a page shows every outcome. */
export async function answerSearch(
  request: Request,
  value: string | null,
  searchPage: SearchPage,
): Promise<SearchOutcome> {
  const query = readQuery(value);
  if ('problem' in query) {
    const { problem } = query;
    return problem === 'empty' ? { text: '', status: 200 } : { text: value ?? '', problem, status: 400 };
  }
  const { text } = query;
  try {
    await limitSearch({ request });
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    return { text, problem: 'tooMany', status: 429, retryAfter: error.headers['retry-after'] };
  }
  return { text, result: await search(query, searchPage), status: 200 };
}

import { TooManyRequests } from '#api/errors.ts';
import { readQuery, type SearchQuery } from '#api/search/query.ts';
import { limitSearch } from '#api/search/search.ts';

interface ChannelSearch {
  /** What stands in the field. */
  text: string;
  /** Missing when nothing is searched for. */
  search?: SearchQuery;
  problem?: 'tooLong' | 'tooMany';
  status: 200 | 400 | 429;
  retryAfter?: string | undefined;
}

/** Reads the search of an address and counts it (decision S7). Joining and control characters are as good as nothing. */
export async function readChannelSearch(request: Request, value: string | null): Promise<ChannelSearch> {
  const query = readQuery(value?.replace(/[\p{Cc}\p{Cf}]/gu, ' '));
  if ('problem' in query) {
    return query.problem === 'tooLong'
      ? { text: value ?? '', problem: 'tooLong', status: 400 }
      : { text: '', status: 200 };
  }
  const { text } = query;
  try {
    await limitSearch({ request });
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    return { text, problem: 'tooMany', status: 429, retryAfter: error.headers['retry-after'] };
  }
  return { text, search: query, status: 200 };
}

import { listPeople, type PersonRow } from '#db/queries/admin/people.ts';
import type { Role } from '#db/schema/accounts.ts';
import { readSearch } from '../input.ts';
import type { Pagination } from './model.ts';
import { pagination } from './paging.ts';

/** A page of accounts; `search` looks in names and e-mail addresses. */
export async function readPeople(
  page: number,
  limit: number,
  filter: { search?: string | undefined; role?: Role | undefined },
): Promise<{ users: PersonRow[]; pagination: Pagination }> {
  const { users, total } = await listPeople({
    limit,
    offset: (page - 1) * limit,
    search: readSearch(filter.search),
    role: filter.role,
  });
  return { users, pagination: pagination(page, limit, total) };
}

import { changeRole, listPeople, type PersonRow } from '#db/queries/people.ts';
import type { Role } from '#db/schema/accounts.ts';
import { provePassword } from '../accounts/own-data.ts';
import { Conflict, Forbidden, NotFound } from '../errors.ts';
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

/**
 * Gives an account a role: an operator's act (quality §Safe 9), so the admin's own password is asked again.
 * @throws BadInput for a wrong password, NotFound, Conflict for the last admin
 */
export async function setRole(id: number, role: Role, actorId: number, password: string): Promise<void> {
  await provePassword(actorId, password, 'currentPassword');
  switch (await changeRole(id, role, actorId)) {
    case 'missing':
      throw new NotFound('User');
    case 'last_admin':
      throw new Conflict('last_admin', 'The last admin must stay one.');
    case 'not_admin':
      throw new Forbidden();
    case 'same':
    case 'changed':
      return;
  }
}

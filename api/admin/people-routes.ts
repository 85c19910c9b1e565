import { Elysia, t } from 'elysia';
import { listDecisions } from '#db/queries/admin/audit.ts';
import { roles } from '#db/schema/accounts.ts';
import { Id, Limit, MessageId, Page, SearchText } from '../parameters.ts';
import { session } from '../plugins/session.ts';
import { answers, integer, nullable, oneOf } from '../shapes.ts';
import { Pagination } from './model.ts';
import { pagination } from './paging.ts';
import { readPeople } from './people.ts';

const tags = ['Admin'];
const security = [{ bearer: [] }];
/** Rows of an admin's lists. */
export const listSize = 20;

const People = t.Object({
  users: t.Array(
    t.Object({
      id: integer(),
      username: t.String(),
      displayName: nullable(t.String()),
      email: nullable(t.String()),
      role: oneOf(roles),
      createdAt: t.String(),
    }),
  ),
  pagination: Pagination,
});

const AuditLog = t.Object({
  entries: t.Array(
    t.Object({
      id: integer(),
      action: t.String(),
      subject: t.String(),
      subjectId: nullable(integer()),
      notes: nullable(t.String()),
      details: nullable(t.Record(t.String(), t.Unknown())),
      createdAt: t.String(),
      actor: nullable(t.Object({ id: integer(), name: t.String() })),
    }),
  ),
  pagination: Pagination,
});

interface AuditQuery {
  page: number;
  limit: number;
  action?: string | undefined;
  actorId?: number | undefined;
  subjectId?: number | undefined;
}

/** A page of the audit log, newest first. */
export async function readAudit({ page, limit, ...filter }: AuditQuery): Promise<typeof AuditLog.static> {
  const { entries, total } = await listDecisions({ ...filter, limit, offset: (page - 1) * limit });
  return {
    entries: entries.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })),
    pagination: pagination(page, limit, total),
  };
}

/**
 * Who may do what, and the record of all decisions. Admins only. No call gives a role: that is the operator's, at the
 * command line (quality §Safe 9).
 */
export const peopleRoutes = new Elysia({ name: 'admin-people', prefix: '/admin' })
  .use(session)
  .get(
    '/users',
    ({ query }) =>
      readPeople(query.page ?? 1, query.limit ?? listSize, { search: query.search, role: query.role }),
    {
      role: 'admin',
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        search: t.Optional(SearchText),
        role: t.Optional(oneOf(roles)),
      }),
      response: answers(People, 400, 401, 403),
      detail: { tags, security, summary: 'Accounts and their roles' },
    },
  )
  .get(
    '/audit',
    ({ query }) => readAudit({ ...query, page: query.page ?? 1, limit: query.limit ?? listSize }),
    {
      role: 'admin',
      query: t.Object({
        page: t.Optional(Page),
        limit: t.Optional(Limit),
        action: t.Optional(t.String({ maxLength: 40, pattern: '^[a-z]+(?:\\.[a-z_]+)?$' })),
        actorId: t.Optional(Id),
        subjectId: t.Optional(MessageId),
      }),
      response: answers(AuditLog, 400, 401, 403),
      detail: { tags, security, summary: 'Every decision: who, when, what, why' },
    },
  );

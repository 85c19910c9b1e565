import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { unprepared } from '../../client.ts';
import { auditLog, users } from '../../schema/accounts.ts';
import {
  coalesce,
  derived,
  type Executor,
  type Expression,
  execute,
  jsonArray,
  jsonObject,
  literal,
  namesOf,
  nullable,
  type RowOf,
  selectValue,
  typedAs,
} from '../../sql.ts';

/** What is done to what; the part before the point is the domain. Each has its words in `admin:audit_…`. */
export const auditActions = [
  'event.approve',
  'event.reject',
  'event.undo',
  'event.edit',
  'event.merge',
  'article.amend',
  'article.withdraw',
  'article.restore',
  'article.review',
  'article.picture',
  'story.write',
  'story.stars',
  'story.dismiss',
  'story.retry',
  'newsroom.replay',
  'newsroom.retry',
  'source.add',
  'source.change',
  'source.pause',
  'source.resume',
  'source.fetch',
  'star.add',
  'star.edit',
  'star.decline',
  'star.import',
  'star.restore',
  'star.hide',
  'star.show',
  'star.merge',
  'star.delete',
  'picture.add',
  'picture.edit',
  'picture.withdraw',
  'picture.restore',
  'embed.add',
  'embed.show',
  'embed.hide',
  'user.role',
  'user.mute',
  'user.unmute',
  'message.delete',
  'report.remove',
  'report.dismiss',
  'channel.slow_mode',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Decisions about an event that can be taken back. */
const undoable = ['event.approve', 'event.reject', 'event.merge'] as const satisfies readonly AuditAction[];

/** Entries of the decisions about an event that can be taken back. */
export const isDecisionAbout = (eventId: Expression | number): SQL =>
  sql`${auditLog.subject} = 'event' and ${auditLog.subjectId} = ${eventId} and ${inArray(auditLog.action, undoable)}`;

export const auditSubjects = [
  'event',
  'article',
  'story',
  'failure',
  'source',
  'star',
  'picture',
  'embed',
  'user',
  'message',
  'channel',
] as const;
type AuditSubject = (typeof auditSubjects)[number];

/** One decision of an editor, admin or moderator (decision E8). */
interface AuditDecision {
  /** null: the machine, or an operator at the command line. */
  actorId: number | null;
  action: AuditAction;
  subject: AuditSubject;
  subjectId: number | null;
  /** What the person wrote about it. */
  notes?: string | null | undefined;
  /** What is needed to understand or undo it. Never a secret. */
  details?: Record<string, unknown> | undefined;
}

/** The most that `subject_id` holds; what is more stands in `wide_subject_id`. */
const largestInteger = 2_147_483_647;
/** The id of what was decided about, from whichever column holds it. */
export const decidedId = coalesce(auditLog.subjectId, auditLog.wideSubjectId);

/**
 * Writes a decision into the audit log. Give it the transaction that carries out the decision: both or neither.
 * @returns id of the entry
 */
export async function recordDecision(to: Executor, decision: AuditDecision): Promise<number> {
  const [id = 0] = await recordDecisions(to, [decision]);
  return id;
}

/** The same for several at once. @returns their ids in the order given */
export async function recordDecisions(to: Executor, decisions: readonly AuditDecision[]): Promise<number[]> {
  if (decisions.length === 0) return [];
  const { actorId, action, subject, subjectId, wideSubjectId, notes, details } = auditLog;
  const rows = await execute(
    { id: auditLog.id },
    (columns) => sql`
      insert into ${auditLog} (${namesOf(actorId, action, subject, subjectId, wideSubjectId, notes, details)})
      select (d->>'actorId')::int, d->>'action', d->>'subject', case when id <= ${literal(largestInteger)} then id end,
        case when id > ${literal(largestInteger)} then id end, d->>'notes', nullif(d->'details', 'null'::jsonb)
      from jsonb_array_elements(${JSON.stringify(decisions)}::jsonb) with ordinality as given(d, place),
        lateral (select (d->>'subjectId')::bigint) as of_subject(id)
      order by place returning ${columns}`,
    to,
  );
  return rows.map(({ id }) => id);
}

const u = alias(users, 'u');
const page = derived('page', {
  id: auditLog.id,
  action: auditLog.action,
  subject: auditLog.subject,
  subjectId: decidedId,
  notes: auditLog.notes,
  details: auditLog.details,
  createdAt: auditLog.createdAt,
  actorId: auditLog.actorId,
});
const { actorId: pageActorId, ...entryFields } = page.fields;
const actor = jsonObject({ id: u.id, name: coalesce(u.displayName, u.username) });
const auditFields = {
  ...entryFields,
  actor: nullable(typedAs(actor, sql`case when ${u.id} is not null then ${actor} end`)),
};

type AuditRow = RowOf<typeof auditFields>;

interface AuditFilter {
  limit: number;
  offset: number;
  /** Domain (`event`) or whole action (`event.approve`). */
  action?: string | undefined;
  actorId?: number | undefined;
  subjectId?: number | undefined;
}

const newestFirst = ({ createdAt, id }: Record<'createdAt' | 'id', Expression>): SQL =>
  sql`${createdAt} desc, ${id} desc`;

/** A page of the audit log, newest first, and how many entries there are. One statement. */
export async function listDecisions({
  limit,
  offset,
  action,
  actorId,
  subjectId,
}: AuditFilter): Promise<{ entries: AuditRow[]; total: number }> {
  const where = and(
    sql`true`,
    action === undefined
      ? undefined
      : or(eq(auditLog.action, action), sql`split_part(${auditLog.action}, '.', 1) = ${action}`),
    actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
    subjectId === undefined
      ? undefined
      : eq(subjectId > largestInteger ? auditLog.wideSubjectId : auditLog.subjectId, subjectId),
  );
  const [row] = await execute(
    {
      total: sql<number>`(select count(*)::int from ${auditLog} where ${where})`,
      entries: selectValue(
        jsonArray(jsonObject(auditFields), { orderBy: newestFirst(page.fields) }),
        sql`from ${page.name} left join ${users} ${u} on ${u.id} = ${pageActorId}`,
      ),
    },
    (columns) => sql`
      with ${page.name} as (
        select ${page.columns} from ${auditLog} where ${where} order by ${newestFirst(auditLog)}
        limit ${limit} offset ${offset})
      select ${columns}`,
    unprepared(),
  );
  return row ?? { entries: [], total: 0 };
}

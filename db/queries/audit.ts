import { sql } from 'drizzle-orm';
import { type Database, database } from '../client.ts';

/** The pool or a transaction of it. */
export type Executor = Pick<Database, 'execute'>;

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
  'story.write',
  'story.stars',
  'story.dismiss',
  'story.retry',
  'newsroom.replay',
  'source.add',
  'source.change',
  'source.pause',
  'source.resume',
  'star.add',
  'star.edit',
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

export const auditSubjects = [
  'event',
  'article',
  'story',
  'failure',
  'source',
  'star',
  'embed',
  'user',
  'message',
  'channel',
] as const;
export type AuditSubject = (typeof auditSubjects)[number];

/** One decision of an editor, admin or moderator (decision E8). */
export interface Decision {
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

/**
 * Writes a decision into the audit log. Give it the transaction that carries out the decision: both or neither.
 * @returns id of the entry
 */
export async function recordDecision(to: Executor, decision: Decision): Promise<number> {
  const [id = 0] = await recordDecisions(to, [decision]);
  return id;
}

/** The same for several at once. @returns their ids in the order given */
export async function recordDecisions(to: Executor, decisions: readonly Decision[]): Promise<number[]> {
  if (decisions.length === 0) return [];
  const rows = await to.execute<{ id: number }>(sql`
    insert into audit_log (actor_id, action, subject, subject_id, notes, details)
    select (d->>'actorId')::int, d->>'action', d->>'subject', (d->>'subjectId')::int, d->>'notes',
      nullif(d->'details', 'null'::jsonb)
    from jsonb_array_elements(${JSON.stringify(decisions)}::jsonb) with ordinality as given(d, place)
    order by place returning id`);
  return rows.map(({ id }) => id);
}

export interface AuditRow {
  id: number;
  action: string;
  subject: string;
  subjectId: number | null;
  notes: string | null;
  details: Record<string, unknown> | null;
  createdAt: Date;
  actor: { id: number; name: string } | null;
}

export interface AuditFilter {
  limit: number;
  offset: number;
  /** Domain (`event`) or whole action (`event.approve`). */
  action?: string | undefined;
  actorId?: number | undefined;
  subjectId?: number | undefined;
}

/** A page of the audit log, newest first, and how many entries there are. One statement. */
export async function listDecisions({
  limit,
  offset,
  action,
  actorId,
  subjectId,
}: AuditFilter): Promise<{ entries: AuditRow[]; total: number }> {
  const where = sql`where (${action ?? null}::text is null or a.action = ${action ?? null}
      or split_part(a.action, '.', 1) = ${action ?? null})
    and (${actorId ?? null}::int is null or a.actor_id = ${actorId ?? null})
    and (${subjectId ?? null}::int is null or a.subject_id = ${subjectId ?? null})`;
  const [row] = await database().execute<{ entries: AuditRow[]; total: number }>(sql`
    with page as (select a.* from audit_log a ${where} order by a.created_at desc, a.id desc limit ${limit} offset ${offset})
    select (select count(*)::int from audit_log a ${where}) as total,
      (select coalesce(json_agg(json_build_object('id', p.id, 'action', p.action, 'subject', p.subject,
          'subjectId', p.subject_id, 'notes', p.notes, 'details', p.details, 'createdAt', p.created_at,
          'actor', case when u.id is null then null else json_build_object('id', u.id,
            'name', coalesce(u.display_name, u.username)) end)
          order by p.created_at desc, p.id desc), '[]'::json)
        from page p left join users u on u.id = p.actor_id) as entries`);
  const { entries = [], total = 0 } = row ?? {};
  return { entries: entries.map((entry) => ({ ...entry, createdAt: new Date(entry.createdAt) })), total };
}

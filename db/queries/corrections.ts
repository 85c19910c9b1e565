import { sql } from 'drizzle-orm';
import type { Lang, Translated } from '#content/locales.ts';
import { database } from '../client.ts';
import { recordDecision } from './audit.ts';

/** New words of a rewrite; `contentHtml` is the sanitised form of `content`. */
export interface AmendedRewrite {
  language: Lang;
  title: string;
  summary: string;
  content: string;
  contentHtml: string;
}

export type CorrectionKind = 'amended' | 'withdrawn' | 'restored';

export interface Correction {
  kind: CorrectionKind;
  note: Translated | null;
  editorId: number;
}

/**
 * Corrects, withdraws or restores an article and marks it in every language, in one transaction with its place in the
 * audit log. @returns its stars, or why not: `missing`, or `state` when it is withdrawn (or not) already
 */
export function correctArticle(
  articleId: number,
  { kind, note, editorId }: Correction,
  rewrites: readonly AmendedRewrite[] = [],
): Promise<{ starIds: number[] } | 'missing' | 'state'> {
  return database().transaction(async (tx) => {
    const [article] = await tx.execute<{ withdrawn: boolean }>(
      sql`select withdrawn_at is not null as withdrawn from articles where id = ${articleId} for update`,
    );
    if (!article) return 'missing';
    if (article.withdrawn !== (kind === 'restored')) return 'state';
    for (const each of rewrites) {
      await tx.execute(sql`
        insert into article_rewrites (article_id, language, title, summary, content, content_html)
        values (${articleId}, ${each.language}, ${each.title}, ${each.summary}, ${each.content}, ${each.contentHtml})
        on conflict (article_id, language) do update set title = excluded.title, summary = excluded.summary,
          content = excluded.content, content_html = excluded.content_html`);
    }
    await tx.execute(sql`
      update articles set amended_at = now(), updated_at = now(),
        withdrawn_at = ${kind === 'withdrawn' ? sql`now()` : kind === 'restored' ? sql`null` : sql`withdrawn_at`}
      where id = ${articleId}`);
    await tx.execute(sql`insert into article_corrections (article_id, kind, note, editor_id)
      values (${articleId}, ${kind}, ${note && JSON.stringify(note)}::jsonb, ${editorId})`);
    // No events are read from what is withdrawn; what was not read yet is, once it is back.
    await tx.execute(sql`update stories set source_changed_at = null, event_stage = case
        when ${kind} = 'withdrawn' and event_stage = 'pending' then 'none'
        when ${kind} = 'restored' and event_stage = 'none' then 'pending' else event_stage end
      where article_id = ${articleId}`);
    await recordDecision(tx, {
      actorId: editorId,
      action: `article.${kind === 'amended' ? 'amend' : kind === 'withdrawn' ? 'withdraw' : 'restore'}`,
      subject: 'article',
      subjectId: articleId,
      notes: note?.ko,
      details: { languages: rewrites.map(({ language }) => language) },
    });
    const stars = await tx.execute<{ id: number }>(
      sql`select star_id as id from article_stars where article_id = ${articleId}`,
    );
    return { starIds: stars.map(({ id }) => id) };
  });
}

export interface Withdrawal {
  at: Date;
  /** Why, in the language asked for. */
  note: string | null;
}

/** When and why an article was taken off the site; undefined for one that is public, or that never was. */
export async function findWithdrawal(articleId: number, language: Lang): Promise<Withdrawal | undefined> {
  const [row] = await database().execute<{ at: string; note: string | null }>(sql`
    select a.withdrawn_at as at, (select c.note->>${language}::text from article_corrections c
      where c.article_id = a.id and c.kind = 'withdrawn' order by c.id desc limit 1) as note
    from articles a where a.id = ${articleId} and a.withdrawn_at is not null`);
  return row && { at: new Date(row.at), note: row.note };
}

/** Notes who read an article after the machine (decision P4). @returns its stars, undefined when there is none */
export function reviewArticle(
  articleId: number,
  editorId: number,
): Promise<{ starIds: number[] } | undefined> {
  return database().transaction(async (tx) => {
    const rows = await tx.execute(sql`
      update articles a set updated_at = now(), reviewer = (
        select jsonb_build_object('ko', name, 'en', name, 'ms', name, 'vi', name)
        from (select coalesce(display_name, username) as name from users where id = ${editorId}) editor)
      where a.id = ${articleId} returning id`);
    if (rows.length === 0) return undefined;
    await recordDecision(tx, {
      actorId: editorId,
      action: 'article.review',
      subject: 'article',
      subjectId: articleId,
    });
    const stars = await tx.execute<{ id: number }>(
      sql`select star_id as id from article_stars where article_id = ${articleId}`,
    );
    return { starIds: stars.map(({ id }) => id) };
  });
}

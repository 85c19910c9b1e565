import { connection } from '#db/client.ts';
import type { Verification } from '#db/schema/events.ts';

let serial = 0;

interface EventWish {
  verification?: Verification;
  starId?: number;
  articleId?: number;
  title?: string;
  venue?: string | null;
  confidence?: number | null;
  /** From now. */
  inHours?: number;
  evidence?: Record<string, string>;
  /** The checks behind the confidence. */
  checks?: Record<string, boolean>;
  /** The known event that it looks like an update of. */
  updateOf?: number;
  precision?: 'minute' | 'day';
}

/** An event as the newsroom leaves it, waiting unless told otherwise, with words in Korean and English. The database must be open. */
export async function makePendingEvent(options: EventWish = {}): Promise<number> {
  const number = ++serial;
  const {
    verification = 'pending',
    title = `행사 ${number}`,
    venue = '등대 아래 홀',
    confidence = 80,
    inHours = 48,
  } = options;
  const sql = connection();
  await sql`insert into event_categories (slug, event_type, color) values ('concert', 'concert', '#2f6bff')
    on conflict do nothing`;
  const at = new Date(Date.now() + inHours * 3_600_000).toISOString();
  const [row] = await sql<{ id: number }[]>`
    insert into events (event_type, category_id, verification, start_time, primary_star_id, source_article_id,
      extraction_confidence, evidence, checks, update_of_id, precision, decided_at)
    select 'concert', id, ${verification}, ${at}, ${options.starId ?? null}, ${options.articleId ?? null}, ${confidence},
      ${options.evidence ? JSON.stringify(options.evidence) : null}, ${options.checks ? JSON.stringify(options.checks) : null},
      ${options.updateOf ?? null}, ${options.precision ?? 'minute'}, ${verification === 'pending' ? null : new Date().toISOString()}
    from event_categories where slug = 'concert' returning id`;
  const id = row?.id ?? 0;
  await sql`insert into event_translations (event_id, language, title, venue)
    values (${id}, 'ko', ${title}, ${venue}), (${id}, 'en', ${`Event ${number}`}, ${venue && 'Hall under the lighthouse'})`;
  return id;
}

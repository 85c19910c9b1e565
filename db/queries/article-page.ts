import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import { gathered } from '../statement.ts';
import {
  type ArticleRow,
  articleColumns,
  bestRewrite,
  type CardRow,
  cardColumns,
  relatedIds,
  withArticleDates,
  withDates,
} from './articles.ts';
import { bestEventWords, nextEventIds, type TicketRow, ticketColumns, withTicketDates } from './events.ts';

export interface ArticlePageRow extends ArticleRow {
  related: CardRow[];
  /** The next public event of the article's stars, for the first of them that takes part in it. */
  nextEvent: TicketRow | null;
  /** Of the article's first star, null without one. */
  followerCount: number | null;
}

const ownStars = sql`select star_id from article_stars where article_id = wanted.id`;

/** An event that stars of the article take part in is theirs here, whoever else comes first in it. */
const ownStarOfEvent = sql`(select ast.star_id from article_stars ast
  where ast.article_id = wanted.id and (ast.star_id = e.primary_star_id or exists (
    select from event_stars es where es.event_id = e.id and es.star_id = ast.star_id))
  order by ast.position limit 1)`;

const articlePage = gathered<ArticlePageRow, { id: number; now: Date }>(
  { id: 'int', now: 'timestamptz' },
  (language, asked) => sql`
    select wanted.place, ${articleColumns(language)},
      (select coalesce(json_agg(row_to_json(card)), '[]'::json) from (
        with page as materialized (${relatedIds(sql`wanted.id`, 3)})
        select ${cardColumns(language)} from page join articles a on a.id = page.id
        ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
        order by page.rank, page.published_at desc, page.id desc) card) as related,
      (select row_to_json(ticket) from (
        with next as materialized (${nextEventIds(ownStars, sql`wanted.now`, sql.raw('1'))})
        select ${ticketColumns(language, ownStarOfEvent)} from next join events e on e.id = next.id
          ${bestEventWords(language)}) ticket
      ) as "nextEvent",
      (select s.follower_count from article_stars ast join stars s on s.id = ast.star_id
        where ast.article_id = a.id order by ast.position limit 1) as "followerCount"
    from ${asked} join articles a on a.id = wanted.id
    ${bestRewrite(language)} left join pictures p on p.key = a.picture_key
    where a.withdrawn_at is null`,
);

/**
 * One public article with everything its page shows, around it too: three related cards, its stars' next event, the
 * first star's followers; undefined when there is none (§2 Article detail). One statement, together with others who ask.
 */
export async function findArticlePage(
  id: number,
  language: Lang,
  now: Date,
): Promise<ArticlePageRow | undefined> {
  const row = await articlePage(language, { id, now });
  if (!row) return undefined;
  return {
    ...row,
    ...withArticleDates(row),
    related: row.related.map(withDates),
    nextEvent: row.nextEvent && withTicketDates(row.nextEvent),
  };
}

import { expect, test } from 'bun:test';
import { checkEvent } from '#api/newsroom/event-check.ts';
import { loadNames } from '#api/newsroom/names.ts';
import type { EventType } from '#content/event-types.ts';
import { languages, type Translated } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';

useDatabase({ demo: true });

interface Row {
  id: number;
  type: EventType;
  /** Wall time in Korea, `YYYY-MM-DD HH:MM`. */
  local: string;
  precision: 'minute' | 'day';
  title: string;
  venue: string | null;
  stars: string[];
  sentence: string;
  confidence: number;
  checks: Record<string, boolean>;
  source: string;
  publishedAt: string;
  starIds: number[];
}

const everywhere = (text: string) =>
  Object.fromEntries(languages.map((language) => [language, text])) as Translated;

test('the demo’s events that wait have the checks and the confidence that the newsroom computes', async () => {
  const rows = await connection()<Row[]>`
    select e.id, e.event_type as type, to_char(e.start_time at time zone 'Asia/Seoul', 'YYYY-MM-DD HH24:MI') as local,
      e.precision, t.title, t.venue, array(select name from stars where id = e.primary_star_id
        or id in (select star_id from event_stars where event_id = e.id)) as stars,
      (select value from jsonb_each_text(e.evidence) limit 1) as sentence, e.extraction_confidence as confidence, e.checks,
      a.original_title || E'\\n\\n' || a.original_content as source, a.original_published_at as "publishedAt",
      array(select star_id from article_stars where article_id = a.id order by position) as "starIds"
    from events e join event_translations t on t.event_id = e.id and t.language = 'ko'
      join articles a on a.id = e.source_article_id where e.verification = 'pending' order by e.id`;
  expect(rows.length).toBeGreaterThanOrEqual(10);
  const book = await loadNames();
  for (const row of rows) {
    const { sentence, type, stars, source, starIds } = row;
    const [date = '', time = ''] = row.local.split(' ');
    const claim = {
      type,
      date,
      stars,
      title: everywhere(row.title),
      time: row.precision === 'day' ? null : time,
      zone: 'Asia/Seoul',
      venue: row.venue === null ? null : everywhere(row.venue),
      evidence: { date: sentence, time: sentence, venue: sentence, type: sentence },
    };
    const ground = { source, starIds, book, publishedAt: new Date(row.publishedAt), now: new Date() };
    const { checks, confidence } = checkEvent(claim, ground);
    expect([row.title, row.checks, row.confidence]).toEqual([row.title, checks, confidence]);
  }
});

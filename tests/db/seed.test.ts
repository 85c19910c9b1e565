import { beforeAll, describe, expect, test } from 'bun:test';
import { renderMarkdown } from '#api/articles/markdown.ts';
import { embedPlatforms } from '#content/embed-platforms.ts';
import { languages } from '#content/locales.ts';
import { connection } from '#db/client.ts';
import { accountKey, createAccount, demoFan, operator } from '#db/seed/accounts.ts';
import { koreanDay, nearestYearly, resolveDates } from '#db/seed/dates.ts';
import { seedDemo } from '#db/seed/demo.ts';
import { hasContent } from '#db/seed/has-content.ts';
import { seedVolume } from '#db/seed/volume.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';

const now = new Date('2026-11-21T03:00:00Z');
const seed = () => seedDemo({ now, renderMarkdown, progress: () => {} });

useDatabase();

/** The one number that a query answers. */
async function count(query: string): Promise<number> {
  const [row] = await connection().unsafe<{ n: string }[]>(`select count(*) as n from ${query}`);
  return Number(row?.n);
}

/** The first column of a query's rows. */
async function list(query: string): Promise<unknown[]> {
  const rows = await connection().unsafe(query);
  return rows.map((row) => Object.values(row)[0]);
}

/** Every text and JSON column of every table. */
async function textColumns(): Promise<{ table: string; column: string }[]> {
  return connection()<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`;
}

/** The rows of every table, with a fingerprint of what is in them. */
async function fingerprint(): Promise<Record<string, string>> {
  const tables = await connection()<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const fingerprints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await connection().unsafe<{ print: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${name} t`,
    );
    fingerprints[name] = row?.print ?? '';
  }
  return fingerprints;
}

describe('the dates of the demo’s texts', () => {
  test('are written as each language writes them', () => {
    const today = '2026-11-21';
    expect(resolveDates('{{d:+14}} {{w:+13}}', 'ko', today)).toBe('12월 5일 금요일');
    expect(resolveDates('{{w:+13}} {{d:+14}}', 'en', today)).toBe('Friday 5 December');
    expect(resolveDates('{{w:+13}}, {{d:+14}}', 'ms', today)).toBe('Jumaat, 5 Disember');
    expect(resolveDates('vào {{w:+13}}, ngày {{d:+14}}. {{w:-8}}', 'vi', today)).toBe(
      'vào thứ Sáu, ngày 5 tháng 12. Thứ Sáu',
    );
  });

  test('count from the day in Korea, also when it is still yesterday in Europe', () => {
    expect(koreanDay(new Date('2026-11-20T15:00:00Z'))).toBe('2026-11-21');
    expect(koreanDay(new Date('2026-11-20T14:59:59Z'))).toBe('2026-11-20');
  });

  test('place a yearly day between 45 days back and 320 days ahead', () => {
    expect(nearestYearly('10-23', '2026-11-21')).toBe('2026-10-23');
    expect(nearestYearly('09-27', '2026-11-21')).toBe('2027-09-27');
    expect(nearestYearly('12-24', '2027-01-20')).toBe('2026-12-24');
  });
});

describe('the demo world', () => {
  beforeAll(async () => {
    const broken = () => expect.unreachable('the power goes off');
    await expect(seedDemo({ now, renderMarkdown: broken, progress: () => {} })).rejects.toThrow();
    expect(await hasContent()).toBe(false);
    expect(await seed()).toBe(true);
  }, 120_000);

  test('is numbered from 1 although the first try broke off half way', async () => {
    expect(await list('select min(id) from stars union all select min(id) from articles')).toEqual([1, 1]);
  });

  test('is written once: a second seeding changes nothing', async () => {
    expect(await hasContent()).toBe(true);
    const before = await fingerprint();
    expect(await seed()).toBe(false);
    expect(await fingerprint()).toEqual(before);
  }, 120_000);

  test('lets ids go on where it stopped', async () => {
    const [row] = await connection()<{ id: number }[]>`
      insert into stars (slug, name, category, fandom_color, initials, search_text)
      values ('new', '새', 'Idol', '#123456', 'ㅅ', '새') returning id`;
    expect(row?.id).toBe((await count('stars where slug <> $$new$$')) + 1);
    await connection()`delete from stars where slug = 'new'`;
  });

  test('has at least 24 stars over all five categories, numbered in roster order', async () => {
    expect(await count('stars')).toBeGreaterThanOrEqual(24);
    expect(await count('(select distinct category from stars) c')).toBe(5);
    expect(await list('select slug from stars order by id limit 3')).toEqual([
      'padoban',
      'haruchi',
      'simya-bus',
    ]);
  });

  test('links groups to their members', async () => {
    expect(await count('star_members')).toBeGreaterThanOrEqual(20);
    expect(
      await count('star_members m join stars s on s.id = m.member_id where s.name <> m.names ->> $$ko$$'),
    ).toBe(0);
    const members = `select m.slug from star_members sm join stars g on g.id = sm.group_id
      join stars m on m.id = sm.member_id where g.slug = 'simya-bus' order by sm.position`;
    expect(await list(members)).toEqual(['noseon', 'cheotcha', 'hwanseung', 'bell']);
  });

  test('has full profiles: 15–40 timeline entries, photos of six categories, prizes won and not won, links', async () => {
    const each = (table: string, condition: string) =>
      count(`stars s where (select ${condition} from ${table} t where t.star_id = s.id)`);
    const all = await count('stars');
    expect(await each('timeline_events', 'count(*) between 15 and 40')).toBe(all);
    expect(await each('photos', 'count(distinct category) = 6')).toBe(all);
    expect(await each('achievements', 'count(distinct result) = 2')).toBe(all);
    expect(await each('social_links', 'count(distinct platform) >= 5')).toBe(all);
    expect(await count('(select distinct platform from social_links) p')).toBe(9);
    expect(await count('(select distinct type from timeline_events) t')).toBeGreaterThanOrEqual(11);
  });

  test('has at least 48 articles, each in every language, newer ones with higher ids', async () => {
    expect(await count('articles')).toBeGreaterThanOrEqual(48);
    expect(await count('article_rewrites')).toBe((await count('articles')) * languages.length);
    const later = 'articles a join articles b on b.id > a.id where b.published_at <= a.published_at';
    expect(await count(later)).toBe(0);
    expect(
      await count('articles where original_published_at >= created_at or created_at >= published_at'),
    ).toBe(0);
    expect(
      await count(
        'article_rewrites r join articles a on a.id = r.article_id where r.created_at not between a.created_at and a.published_at',
      ),
    ).toBe(0);
  });

  test('shows no two of ten stories running of a star in the same kind of picture', async () => {
    const stories = await connection()<{ star: string; id: number; shown: string }[]>`
      select s.slug as star, a.id, case when p.art ? 'second'
        then concat_ws(' ', p.art ->> 'recipe', p.art ->> 'name', p.art -> 'second' ->> 'name') else p.art ->> 'recipe' end as shown
      from article_stars x join stars s on s.id = x.star_id join articles a on a.id = x.article_id
      join pictures p on p.key = a.picture_key order by s.id, a.published_at desc`;
    const alike = Object.values(Object.groupBy(stories, ({ star }) => star)).flatMap((own = []) =>
      own.flatMap(({ star, id, shown }, at) =>
        own
          .slice(at + 1, at + 10)
          .flatMap((other) => (other.shown === shown ? [`${star}: ${id} and ${other.id}, ${shown}`] : [])),
      ),
    );
    expect(alike).toEqual([]);
    expect(stories.length).toBeGreaterThan(60);
  });

  test('has 12 long articles with headings, a list and a quote in every language', async () => {
    const long = `(select article_id from article_rewrites where content_html like '%<h2%' and content_html like '%<ul>%'
      and content_html like '%<blockquote>%' group by article_id having count(*) = ${languages.length}) long`;
    expect(await count(long)).toBeGreaterThanOrEqual(12);
  });

  test('summarises every article in three sentences, one per line', async () => {
    expect(await count(`article_rewrites where array_length(string_to_array(summary, E'\\n'), 1) <> 3`)).toBe(
      0,
    );
  });

  test('shows embeds of all platforms, with words and a picture', async () => {
    expect(await count('(select distinct platform from embeds) p')).toBe(embedPlatforms.length);
    expect(await count('embeds where picture_key is null')).toBe(0);
    expect(await count('embed_translations')).toBe((await count('embeds')) * languages.length);
  });

  test('has 120 events of all ten types around the day of seeding, some waiting and some turned down', async () => {
    expect(await count('events')).toBeGreaterThanOrEqual(120);
    expect(await count('(select distinct event_type from events) t')).toBe(10);
    expect(await count(`events where verification = 'pending'`)).toBeGreaterThanOrEqual(5);
    expect(await count(`events where verification = 'rejected'`)).toBeGreaterThanOrEqual(1);
    expect(await count(`events where state = 'cancelled'`)).toBeGreaterThanOrEqual(1);
    expect(await count(`events where start_time < '2026-11-21'`)).toBeGreaterThanOrEqual(20);
    expect(await count(`events where start_time > '2026-11-21'`)).toBeGreaterThanOrEqual(40);
  });

  test('quotes the source of an event word for word', async () => {
    const read = 'events e join articles a on a.id = e.source_article_id where e.evidence is not null';
    expect(await count(read)).toBeGreaterThanOrEqual(30);
    const evidenceMissing =
      'exists (select from jsonb_each_text(e.evidence) s where strpos(a.original_content, s.value) = 0)';
    expect(await count(`${read} and ${evidenceMissing}`)).toBe(0);
  });

  test('begins days without a time at midnight in Korea', async () => {
    const days = `events where precision = 'day'`;
    expect(await count(days)).toBeGreaterThanOrEqual(10);
    expect(await count(`${days} and (start_time at time zone zone)::time <> '00:00'`)).toBe(0);
  });

  test('enters yearly days as those that follow from the dates of their stars', async () => {
    const own = `events join star_profiles p on p.star_id = anniversary_of
      and to_char(start_time at time zone zone, 'MM-DD') = right(case anniversary_fact when 'birthday' then birth_date else debut_date end, 5)`;
    expect(await count(own)).toBe(10);
    expect(
      await count('events where anniversary_of <> primary_star_id or anniversary_fact <> event_type'),
    ).toBe(0);
  });

  test('lies in the past: nothing was made, said or decided after the seeding', async () => {
    const moments = await connection()<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type like 'timestamp%' and column_default is null
        and column_name not in ('start_time', 'end_time', 'planned_start', 'over_at', 'expires_at')`;
    for (const { table, column } of moments) {
      expect(`${table}.${column} ${await count(`${table} where ${column} > '${now.toISOString()}'`)}`).toBe(
        `${table}.${column} 0`,
      );
    }
  });

  test('has a pictures row for every picture that is shown', async () => {
    expect(await count('articles where picture_key is null')).toBe(0);
    expect(await count('stars where hero_key is null')).toBe(0);
    expect(await count(`pictures where key = 'brand'`)).toBe(1);
    expect(await count(`pictures where key like 'star-%-chart'`)).toBe(await count('stars'));
    expect(await count(`pictures where placeholder !~ '^#[0-9a-f]{6}$'`)).toBe(0);
  });

  test('has 240 fans who cannot log in, and counters that equal what they count', async () => {
    expect(await count('users where password_hash is null')).toBe(240);
    expect(await count(`users where username !~ '^[A-Za-z0-9_가-힣]{3,20}$'`)).toBe(0);
    expect(
      await count('stars s where follower_count <> (select count(*) from follows where star_id = s.id)'),
    ).toBe(0);
    expect(
      await count('stars s where article_count <> (select count(*) from article_stars where star_id = s.id)'),
    ).toBe(0);
    expect(
      await count(
        'channels c where member_count <> (select count(*) from channel_members where channel_id = c.id)',
      ),
    ).toBe(0);
    expect(
      await count(
        'events e where rsvp_count <> (select count(*) from event_subscriptions where event_id = e.id)',
      ),
    ).toBe(0);
    expect(await count('stars where id <= 12 and follower_count not between 40 and 180')).toBe(0);
    expect(await count('stars where id > 12 and follower_count not between 10 and 60')).toBe(0);
    expect(await count('events where rsvp_count > 90 or rsvp_count > capacity')).toBe(0);
  });

  test('has conversations in four languages whose senders are members and whose last message is the last activity', async () => {
    expect(await count('channels')).toBe(18);
    expect(
      await count(`(select distinct u.language from messages m join users u on u.id = m.user_id) l`),
    ).toBe(4);
    const strangers = `messages m where not exists (select from channel_members c
      where c.channel_id = m.channel_id and c.user_id = m.user_id and c.joined_at <= m.created_at)`;
    expect(await count(strangers)).toBe(0);
    const stale = `channels c where last_activity_at is distinct from
      (select created_at from messages where channel_id = c.id order by id desc limit 1)`;
    expect(await count(stale)).toBe(0);
  });

  test('finds every star by its Korean name, its romanisation and its fandom', async () => {
    for (const words of ['심야버스', 'simya', 'ㅅㅇㅂㅅ', 'last stop', 'noseon']) {
      const slugs = await list(
        `select slug from stars where search_key like '%' || byeol_fold('${words}') || '%'`,
      );
      expect(slugs).toContain('simya-bus');
    }
    expect(await count('name_table where star_id is not null')).toBe(await count('stars'));
    expect(await count('name_table')).toBeGreaterThan(100);
  });

  test('leaves no date token anywhere', async () => {
    for (const { table, column } of await textColumns()) {
      const unresolved = await list(`select ${column}::text from ${table} where ${column}::text like '%{{%'`);
      expect({ table, column, left: unresolved }).toEqual({ table, column, left: [] });
    }
  });

  test('says everything in all languages', async () => {
    const tables =
      await list(`select distinct table_name from information_schema.columns where table_schema = 'public'
      and column_name = 'language' and table_name not in ('users', 'ai_calls', 'story_drafts')`);
    expect(tables.length).toBe(9);
    for (const table of tables) {
      const each = await list(`select count(*)::int from ${table} group by language`);
      expect({ table, languages: each.length, sizes: new Set(each).size }).toEqual({
        table,
        languages: languages.length,
        sizes: 1,
      });
    }
    for (const { table, column } of await textColumns()) {
      if (!tables.includes(table)) continue;
      const blank = await count(`${table} where btrim(${column}::text) = ''`);
      const filled = await list(`select count(${column})::int from ${table} group by language`);
      expect({ table, column, blank, sizes: new Set(filled).size }).toEqual({
        table,
        column,
        blank: 0,
        sizes: 1,
      });
    }
  });
});

describe('an account that the operator makes', () => {
  const fan = { ...demoFan, password: 'byeol-starlight' };

  test('is brought to the wanted state when it is there already, and keeps its sessions with its password', async () => {
    const id = await createAccount(fan);
    await connection()`insert into sessions (id, user_id, expires_at) values ('kept', ${id}, now() + interval '1 day')`;
    expect(await createAccount({ ...fan, username: 'STARLIGHT', displayName: 'Star' })).toBe(id);
    expect(await list(`select display_name from users where id = ${id}`)).toEqual(['Star']);
    expect(await count(`sessions where user_id = ${id}`)).toBe(1);
    const [hash] = await list(`select password_hash from users where id = ${id}`);
    expect(String(hash)).toStartWith('$argon2id$');
    await connection()`insert into calendar_links (user_id, token_hash) values (${id}, decode('00', 'hex'))`;
    await createAccount({ ...fan, password: 'another-one' });
    for (const table of ['sessions', 'calendar_links'])
      expect([table, await count(`${table} where user_id = ${id}`)]).toEqual([table, 0]);
  });

  test('with a role leaves a line in the audit log, once', async () => {
    const admin = { ...operator, username: 'desk', email: 'desk@byeol.example', password: 'byeol-starlight' };
    const id = await createAccount(admin);
    await createAccount(admin);
    expect(
      await list(`select action || ' ' || (details->>'to') from audit_log where subject_id = ${id}`),
    ).toEqual(['user.role admin']);
  });

  test('cannot take the e-mail address of another', async () => {
    await createAccount(fan);
    const other = { ...fan, username: 'other', email: ' FAN@byeol.example' };
    await expect(createAccount(other)).rejects.toThrow('Another account has the e-mail address');
  });

  test('is unique whatever the letters’ width and case', () => {
    expect(accountKey('ＳｔａｒLight ')).toBe('starlight');
  });
});

describe('volume for benchmarks', () => {
  test('comes in the promised proportions on top of what is there', async () => {
    const countBefore = await count('articles');
    const progress = new Map<string, number>();
    const start = performance.now();
    await seedVolume(500, (message, done, total) => progress.set(message, done / total));
    expect(performance.now() - start).toBeLessThan(30_000 * contention());
    expect([...progress.values()].every((share) => share === 1)).toBe(true);
    expect(await count('articles')).toBe(countBefore + 500);
    expect(
      await count(`article_rewrites r join articles a on a.id = r.article_id where a.model = 'volume'`),
    ).toBe(500 * languages.length);
    const lengths = `article_rewrites r join articles a on a.id = r.article_id where a.model = 'volume'`;
    expect(await count(`${lengths} and char_length(content) not between 1500 and 2500`)).toBe(0);
    expect(await count(`${lengths} and content_html not like '<p>%</p>'`)).toBe(0);
    expect(await count(`stars where slug like 'volume-%'`)).toBe(10);
    expect(await count(`messages m join users u on u.id = m.user_id where u.username like 'volume_%'`)).toBe(
      5000,
    );
    expect(await count(`events where source_article_id is null and id > 120`)).toBe(100);
    expect(
      await count('stars s where article_count <> (select count(*) from article_stars where star_id = s.id)'),
    ).toBe(0);
    expect(
      await count('articles a where not exists (select from article_stars where article_id = a.id)'),
    ).toBe(0);
  }, 120_000);
});

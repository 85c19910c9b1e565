import { sql } from 'drizzle-orm';
import { type Lang, languages } from '#content/locales.ts';
import { type Database, database } from '../client.ts';
import type { ArtSource } from '../schema/media.ts';
import type { StoryStage } from '../schema/newsroom.ts';
import { type AuditAction, recordDecision } from './audit.ts';

type Executor = Pick<Database, 'execute'>;

/** A rewrite on its way (§3 rewrittenArticles): summary one sentence per line, content Markdown. */
export interface DraftRow {
  language: Lang;
  title: string;
  summary: string;
  content: string;
  model: string | null;
  promptVersion: string | null;
  authorId: number | null;
  problem: string | null;
}

/** Stores what the machine wrote. A draft that stands, above all a person's, is never replaced. */
export async function insertDraft(storyId: number, draft: DraftRow): Promise<void> {
  await database().execute(sql`
    insert into story_drafts (story_id, language, title, summary, content, model, prompt_version, author_id, problem)
    values (${storyId}, ${draft.language}, ${draft.title}, ${draft.summary}, ${draft.content}, ${draft.model},
      ${draft.promptVersion}, ${draft.authorId}::int, ${draft.problem})
    on conflict (story_id, language) do update set title = excluded.title, summary = excluded.summary,
      content = excluded.content, model = excluded.model, prompt_version = excluded.prompt_version,
      problem = excluded.problem, created_at = now()
    where story_drafts.problem is not null and story_drafts.author_id is null`);
}

/** A person's rewrite of a story that is not published yet; it replaces what the machine wrote. @returns false when none */
export function saveDraft(
  storyId: number,
  draft: Pick<DraftRow, 'language' | 'title' | 'summary' | 'content'>,
  editorId: number,
): Promise<boolean> {
  return database().transaction(async (tx) => {
    if (!(await lockOpenStory(tx, storyId))) return false;
    await tx.execute(sql`
      insert into story_drafts (story_id, language, title, summary, content, author_id)
      values (${storyId}, ${draft.language}, ${draft.title}, ${draft.summary}, ${draft.content}, ${editorId})
      on conflict (story_id, language) do update set title = excluded.title, summary = excluded.summary,
        content = excluded.content, author_id = excluded.author_id, problem = null, created_at = now(),
        model = story_drafts.model, prompt_version = story_drafts.prompt_version`);
    await decided(tx, editorId, 'story.write', storyId, { language: draft.language });
    return true;
  });
}

/** An editor's choice of the stars, the most important first. @returns false when the story is none that is open */
export function replaceStoryStars(
  storyId: number,
  starIds: readonly number[],
  editorId: number,
): Promise<boolean> {
  return database().transaction(async (tx) => {
    if (!(await lockOpenStory(tx, storyId))) return false;
    await writeStoryStars(
      tx,
      storyId,
      starIds.map((starId) => ({ starId, score: 100 })),
    );
    await tx.execute(sql`update stories set stage = 'waiting', reason = null, details = null, next_try_at = now(),
      updated_at = now() where id = ${storyId} and (stage = 'new' or reason = 'no_star')`);
    await decided(tx, editorId, 'story.stars', storyId, { starIds });
    return true;
  });
}

export async function writeStoryStars(
  tx: Executor,
  storyId: number,
  stars: readonly { starId: number; score: number }[],
): Promise<void> {
  await tx.execute(sql`delete from story_stars where story_id = ${storyId}`);
  const rows = stars.map((star, position) => ({ ...star, position }));
  await tx.execute(sql`
    insert into story_stars (story_id, star_id, position, score)
    select ${storyId}::int, s.id, given.position, given.score
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given("starId" int, position int, score int)
    join stars s on s.id = given."starId" on conflict do nothing`);
}

/** An editor throws a story away or lets the machine try it anew. @returns false when the story is none that is open */
export function decideStory(
  storyId: number,
  stage: 'dismissed' | 'waiting',
  editorId: number,
  notes: string | null,
): Promise<boolean> {
  return database().transaction(async (tx) => {
    if (!(await lockOpenStory(tx, storyId))) return false;
    if (stage === 'waiting') {
      await tx.execute(
        sql`delete from story_drafts where story_id = ${storyId} and problem is not null and author_id is null`,
      );
      await tx.execute(sql`update newsroom_failures set replayed_at = now(), replayed_by = ${editorId}
        where story_id = ${storyId} and stage = 'rewrite' and replayed_at is null`);
    }
    await tx.execute(sql`update stories set stage = ${stage}, reason = null, details = null, attempts = 0,
      next_try_at = now(), updated_at = now() where id = ${storyId}`);
    await decided(tx, editorId, stage === 'dismissed' ? 'story.dismiss' : 'story.retry', storyId, {}, notes);
    return true;
  });
}

async function lockOpenStory(tx: Executor, storyId: number): Promise<boolean> {
  const rows = await tx.execute(
    sql`select 1 from stories where id = ${storyId} and stage not in ('published', 'dismissed') for update`,
  );
  return rows.length > 0;
}

async function decided(
  tx: Executor,
  actorId: number,
  action: Extract<AuditAction, `story.${string}`>,
  storyId: number,
  details: Record<string, unknown>,
  notes: string | null = null,
): Promise<void> {
  await recordDecision(tx, { actorId, action, subject: 'story', subjectId: storyId, notes, details });
}

/** Sets a waiting story aside: an editor decides. */
export async function holdStory(storyId: number, reason: string, details: string): Promise<void> {
  await database().execute(sql`
    update stories set stage = 'held', reason = ${reason}, details = ${details}, updated_at = now()
    where id = ${storyId} and stage = 'waiting'`);
}

/** What publishing needs to know and may not find out in db. */
export interface PublishRules {
  renderMarkdown(markdown: string): string;
  /** `shown`: the recipes of pictures that stand near in a reader's eyes, the nearest first. */
  picture(
    star: { name: string; fandomColor: string; members: number },
    key: string,
    shown: readonly string[],
  ): { art: ArtSource; placeholder: string };
}

export interface Published {
  articleId: number;
  starIds: number[];
}

/**
 * Publishes a story with all four rewrites, its stars, picture and provenance in one transaction, once: whoever comes
 * second finds it done. @returns undefined while a rewrite, a star or a person's decision is missing
 */
export function publishStory(storyId: number, rules: PublishRules): Promise<Published | undefined> {
  return database().transaction(async (tx) => {
    const [story] = await tx.execute<{ stage: StoryStage }>(
      sql`select stage from stories where id = ${storyId} for update`,
    );
    if (!story || !['waiting', 'held', 'failed'].includes(story.stage)) return undefined;
    const drafts = await tx.execute<Record<string, unknown> & DraftRow & { author: string | null }>(sql`
      select d.language, d.title, d.summary, d.content, d.model, d.prompt_version as "promptVersion",
        coalesce(u.display_name, u.username) as author
      from story_drafts d left join users u on u.id = d.author_id
      where d.story_id = ${storyId} and d.problem is null`);
    const stars = await starsOf(tx, storyId);
    const [lead] = stars;
    if (!lead || !languages.every((language) => drafts.some((draft) => draft.language === language)))
      return undefined;
    const key = `story-${storyId}`;
    const { art, placeholder } = rules.picture(lead, key, await recipesNear(tx, stars));
    await tx.execute(sql`insert into pictures (key, art, aspect, placeholder)
      values (${key}, ${JSON.stringify(art)}::jsonb, '3:2', ${placeholder}) on conflict (key) do nothing`);
    const author = drafts.find((draft) => draft.author !== null)?.author;
    const machine = drafts.find((draft) => draft.model !== null);
    const reviewer = author
      ? JSON.stringify(Object.fromEntries(languages.map((each) => [each, author])))
      : null;
    const [article] = await tx.execute<{ id: number }>(sql`
      insert into articles (entertainment_category, picture_key, outlet, original_url, original_title, original_content,
        original_published_at, model, prompt_version, reviewer, published_at)
      select ${lead.category}, ${key}, s.outlet, i.canonical_url, i.title, i.text, i.published_at,
        ${machine?.model ?? null}, ${machine?.promptVersion ?? null}, ${reviewer}::jsonb, now()
      from items i join sources s on s.id = i.source_id where i.story_id = ${storyId} order by i.id limit 1
      on conflict (original_url) do nothing returning id`);
    if (!article) {
      await tx.execute(sql`update stories set stage = 'held', reason = 'known_article', updated_at = now()
        where id = ${storyId}`);
      return undefined;
    }
    for (const { language, title, summary, content } of drafts) {
      await tx.execute(sql`insert into article_rewrites (article_id, language, title, summary, content, content_html)
        values (${article.id}, ${language}, ${title}, ${summary}, ${content}, ${rules.renderMarkdown(content)})`);
    }
    await tx.execute(sql`insert into article_stars (article_id, star_id, position, published_at)
      select ${article.id}::int, star_id, position, now() from story_stars where story_id = ${storyId}`);
    await tx.execute(sql`update stories set stage = 'published', reason = null, details = null,
      article_id = ${article.id}, event_stage = 'pending', next_try_at = now(), updated_at = now() where id = ${storyId}`);
    await tx.execute(sql`update newsroom_failures set replayed_at = now()
      where story_id = ${storyId} and stage = 'rewrite' and replayed_at is null`);
    return { articleId: article.id, starIds: stars.map(({ id }) => id) };
  });
}

/** Recipes of the feed's newest story, then of the nine newest of each star, the first star's before the next one's. */
async function recipesNear(tx: Executor, stars: readonly { id: number }[]): Promise<string[]> {
  const rows = await tx.execute<{ recipe: string }>(sql`
    select p.art ->> 'recipe' as recipe from (
      (select 0 as place, published_at, picture_key from articles where withdrawn_at is null
        order by published_at desc, id desc limit 1)
      union all
      select s.place, x.published_at, a.picture_key
      from jsonb_array_elements_text(${JSON.stringify(stars.map(({ id }) => id))}::jsonb) with ordinality as s(id, place),
        lateral (select article_id, published_at from article_stars where star_id = s.id::int
          order by published_at desc, article_id desc limit 9) x
        join articles a on a.id = x.article_id
    ) near join pictures p on p.key = near.picture_key where p.art is not null
    order by near.place, near.published_at desc`);
  return rows.map(({ recipe }) => recipe);
}

interface LeadStar extends Record<string, unknown> {
  id: number;
  name: string;
  category: string;
  fandomColor: string;
  members: number;
}

const starsOf = (tx: Executor, storyId: number) =>
  tx.execute<LeadStar>(sql`
    select s.id, s.name, s.category, s.fandom_color as "fandomColor",
      (select count(*)::int from star_members m where m.group_id = s.id) as members
    from story_stars ss join stars s on s.id = ss.star_id where ss.story_id = ${storyId} order by ss.position`);

import { openSession } from '#api/plugins/session.ts';
import type { EventType } from '#content/event-types.ts';
import { searchTextOf } from '#content/plain-name.ts';
import { connection, database } from '#db/client.ts';
import type { Role } from '#db/schema/accounts.ts';
import type { Verification } from '#db/schema/events.ts';
import type { StarCategory } from '#db/schema/stars.ts';
import { seedCategories } from '#db/seed/events.ts';

/** Factories: each makes one thing with the least that it needs and returns its id. The database must be open. */

let serial = 0;
const next = () => ++serial;

interface StarWish {
  name?: string;
  category?: StarCategory;
  initials?: string;
  /** Names by language. */
  names?: Record<string, string>;
  biographies?: Record<string, string>;
  aliases?: string[];
}

export async function makeStar(options: StarWish = {}): Promise<number> {
  const number = next();
  const {
    name = `별${number}`,
    category = 'Idol',
    initials = 'ㅂ',
    biographies = {},
    aliases = [],
  } = options;
  // Whatever writes a star with names takes the raw one from the Korean one.
  const names: Record<string, string> | undefined = options.names && { ko: name, ...options.names };
  const sql = connection();
  const words = searchTextOf([name, ...Object.values(names ?? {}), ...aliases]);
  const [row] = await sql<{ id: number }[]>`
    insert into stars (slug, name, category, fandom_color, initials, search_text)
    values (${`star-${number}`}, ${name}, ${category}, '#3355FF', ${initials}, ${words}) returning id`;
  const id = row?.id ?? 0;
  for (const language of new Set([...Object.keys(names ?? {}), ...Object.keys(biographies)])) {
    await sql`insert into star_translations (star_id, language, name, biography)
      values (${id}, ${language}, ${names?.[language] ?? name}, ${biographies[language] ?? null})`;
  }
  for (const alias of aliases) await sql`insert into star_aliases (star_id, alias) values (${id}, ${alias})`;
  return id;
}

interface ArticleWish {
  stars?: number[];
  /** Title by language of the rewrites. */
  rewrites?: Record<string, string>;
  originalTitle?: string;
  originalContent?: string;
  category?: StarCategory;
  minutesAgo?: number;
  withdrawn?: boolean;
}

export async function makeArticle(options: ArticleWish = {}): Promise<number> {
  const number = next();
  const { stars = [], rewrites = {}, category = 'Idol', minutesAgo = number, withdrawn = false } = options;
  const sql = connection();
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const [row] = await sql<{ id: number }[]>`
    insert into articles (entertainment_category, outlet, original_url, original_title, original_content,
      original_published_at, published_at, withdrawn_at)
    values (${category}, '무대뒤뉴스', ${`https://mudaedwi.example/${number}`}, ${options.originalTitle ?? '원제'},
      ${options.originalContent ?? '본문'}, ${at}, ${at}, ${withdrawn ? at : null}) returning id`;
  const id = row?.id ?? 0;
  for (const [language, title] of Object.entries(rewrites)) {
    await sql`insert into article_rewrites (article_id, language, title, summary, content, content_html)
      values (${id}, ${language}, ${title}, ${`${title} 1\n${title} 2`}, ${`# ${title}`}, ${`<h2>${title}</h2>`})`;
  }
  for (const [position, star] of stars.entries()) {
    await sql`insert into article_stars (article_id, star_id, position, published_at)
      values (${id}, ${star}, ${position}, ${at})`;
  }
  return id;
}

export async function makePicture(aspect = '3:2'): Promise<string> {
  const key = `picture-${next()}`;
  await connection()`insert into pictures (key, source_url, aspect, placeholder)
    values (${key}, 'https://pictures.example/a.jpg', ${aspect}, '#112233')`;
  return key;
}

/** The row of an uploaded picture, without its bytes. */
export async function makeUpload(): Promise<{ id: number; key: string }> {
  const hash = next().toString(16).padStart(64, '0');
  const key = `upload-${hash.slice(-24)}`;
  const [row] = await connection()<{ id: number }[]>`
    insert into pictures (key, upload_hash, width, height, placeholder, credit, licence, credit_url)
    values (${key}, ${hash}, 600, 400, '#112233', 'Kim', 'CC BY 4.0', 'https://photos.example/1') returning id`;
  return { id: row?.id ?? 0, key };
}

/** An account and a token of an open session of it. */
export async function makeFan(
  wish: { role?: Role; deleted?: boolean } = {},
): Promise<{ id: number; token: string }> {
  const name = `fan${next()}`;
  const [row] = await connection()<{ id: number }[]>`
    insert into users (username, username_key, role, deleted_at)
    values (${name}, ${name}, ${wish.role ?? 'user'}, ${wish.deleted ? new Date().toISOString() : null}) returning id`;
  const id = row?.id ?? 0;
  return { id, token: (await openSession(id)).token };
}

interface EventWish {
  eventType?: EventType;
  state?: 'scheduled' | 'cancelled';
  verification?: Verification;
  /** An instant, also as ISO 8601. */
  start?: Date | string;
  end?: Date | string;
  /** IANA zone. */
  zone?: string;
  precision?: 'minute' | 'day';
  star?: number;
  /** Linked stars besides the primary one. */
  stars?: number[];
  article?: number;
  /** Title by language; English alone when missing. */
  titles?: Record<string, string>;
  description?: string;
  venue?: string;
  location?: string;
  capacity?: number;
  ticketUrl?: string;
  streamingUrl?: string;
  officialUrl?: string;
}

/** The categories of events, as the first start makes them; their ids by type. */
export async function makeEventCategories(): Promise<ReadonlyMap<string, number>> {
  const sql = connection();
  const listCategories = () =>
    sql<{ type: string; id: number }[]>`select event_type as type, id from event_categories`;
  if ((await listCategories()).length === 0)
    await database().transaction(async (tx) => {
      await seedCategories(tx);
    });
  return new Map((await listCategories()).map(({ type, id }) => [type, id]));
}

const instantText = (instant: Date | string | undefined) =>
  instant instanceof Date ? instant.toISOString() : instant;

/** An event, approved and a week ahead unless wished otherwise, in the category of its type. */
export async function makeEvent(options: EventWish = {}): Promise<number> {
  const { eventType = 'concert', titles = { en: `Event ${next()}` }, zone = 'Asia/Seoul' } = options;
  const categories = await makeEventCategories();
  const start = instantText(options.start) ?? new Date(Date.now() + 7 * 86_400_000).toISOString();
  const sql = connection();
  const [row] = await sql<{ id: number }[]>`
    insert into events (event_type, category_id, state, verification, start_time, end_time, zone, precision, capacity,
      primary_star_id, source_article_id, ticket_url, streaming_url, official_url)
    values (${eventType}, ${categories.get(eventType) ?? 0}, ${options.state ?? 'scheduled'}, ${options.verification ?? 'approved'},
      ${start}, ${instantText(options.end) ?? null}, ${zone}, ${options.precision ?? 'minute'}, ${options.capacity ?? null},
      ${options.star ?? null}, ${options.article ?? null}, ${options.ticketUrl ?? null}, ${options.streamingUrl ?? null},
      ${options.officialUrl ?? null}) returning id`;
  const id = row?.id ?? 0;
  for (const [language, title] of Object.entries(titles)) {
    await sql`insert into event_translations (event_id, language, title, description, venue, location)
      values (${id}, ${language}, ${title}, ${options.description ?? null}, ${options.venue ?? null}, ${options.location ?? null})`;
  }
  for (const star of [...(options.star ? [options.star] : []), ...(options.stars ?? [])]) {
    await sql`insert into event_stars (event_id, star_id) values (${id}, ${star})`;
  }
  return id;
}

/** A star with an open channel; returns the star's id, by which channels are named. */
export async function makeChannel(
  wish: StarWish & { members?: readonly number[]; slowMode?: number } = {},
): Promise<number> {
  const { members = [], slowMode = 0, ...star } = wish;
  const starId = await makeStar(star);
  const sql = connection();
  await sql`insert into channels (star_id, slow_mode_seconds) values (${starId}, ${slowMode})`;
  for (const member of members) {
    await sql`insert into channel_members (channel_id, user_id)
      select id, ${member} from channels where star_id = ${starId}`;
  }
  return starId;
}

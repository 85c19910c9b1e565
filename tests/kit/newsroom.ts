import { connection } from '#db/client.ts';

let serial = 0;

interface Telling {
  title: string;
  text: string;
  outlet?: string;
  url?: string;
}

/** A story as the desk gets it: grouped, not tagged. The database must be open. */
export async function makeStory(...tellings: Telling[]): Promise<number> {
  const sql = connection();
  const [story] = await sql<{ id: number }[]>`insert into stories default values returning id`;
  const id = story?.id ?? 0;
  for (const { title, text, outlet = '무대뒤뉴스', url } of tellings) {
    serial += 1;
    const address = url ?? `https://outlet.example/${process.pid}/${serial}`;
    const [source] = await sql<{ id: number }[]>`insert into sources (outlet, feed_url)
      values (${outlet}, ${`https://outlet.example/feed/${serial}`}) returning id`;
    await sql`insert into items (source_id, stage, story_id, url, canonical_url, title, text, digest, published_at)
      values (${source?.id ?? 0}, 'grouped', ${id}, ${address}, ${address}, ${title}, ${text}, 'x', now())`;
  }
  return id;
}

interface StoryState {
  stage: string;
  reason: string | null;
  details: string | null;
  attempts: number;
  articleId: number | null;
  eventStage: string;
  nextTryAt: string;
}

export async function storyState(id: number): Promise<StoryState> {
  const [row] = await connection()<
    StoryState[]
  >`select stage, reason, details, attempts, article_id as "articleId",
    event_stage as "eventStage", next_try_at as "nextTryAt" from stories where id = ${id}`;
  if (!row) throw new Error(`there is no story ${id}`);
  return row;
}

/** Lets the time of everything that waits come. */
export async function passTime(): Promise<void> {
  await connection()`update stories set next_try_at = now() where next_try_at > now()`;
}

import type { Browser, BrowserContext, Page } from '@playwright/test';
import postgres from 'postgres';
import { expect, watchRequests } from './browser.ts';
import type { TestServer } from './server.ts';

/** What tests of a channel need: a star of their own, fans who are logged in, many messages at once. */

let serial = 0;
const next = () => `${Date.now().toString(36)}${++serial}`;

/** Asks the database of the test's server. All of its tests come from one address, which is not what they test. */
export async function withDatabase<Answer>(
  server: TestServer,
  ask: (sql: postgres.Sql) => Promise<Answer>,
): Promise<Answer> {
  const sql = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await sql`delete from rate_limits`;
    return await ask(sql);
  } finally {
    await sql.end();
  }
}

interface TestStar {
  id: number;
  name: string;
}

/** A star whose channel nobody opened yet. */
export function newStar(server: TestServer): Promise<TestStar> {
  return withDatabase(server, async (sql) => {
    const name = `Test Star ${next()}`;
    const [star] = await sql<{ id: number }[]>`
      insert into stars (slug, name, category, fandom_color, initials, search_text)
      values (${name.toLowerCase().replaceAll(' ', '-')}, ${name}, 'K-Pop Group', '#3355FF', 'ㅌㅅ', ${name}) returning id`;
    return { id: star?.id ?? 0, name };
  });
}

/** Opens a star's channel and fills it with messages of one account, a minute apart, the newest a minute ago. */
export function fillChannel(server: TestServer, starId: number, count: number): Promise<void> {
  return withDatabase(server, async (sql) => {
    await sql`insert into channels (star_id) values (${starId}) on conflict do nothing`;
    const name = `writer_${next()}`;
    const [writer] = await sql<{ id: number }[]>`
      insert into users (username, username_key) values (${name}, ${name}) returning id`;
    await sql`
      insert into messages (channel_id, user_id, content, created_at)
      select c.id, ${writer?.id ?? 0}, 'message ' || n || repeat(' and more', n % 7), now() - (${count} - n + 1) * interval '1 minute'
      from channels c, generate_series(1, ${count}::int) n where c.star_id = ${starId} order by n`;
  });
}

interface TestFan {
  name: string;
  token: string;
  context: BrowserContext;
  page: Page;
}

interface FanWish {
  /** Member of this star's channel. */
  member?: number;
  role?: 'user' | 'editor';
  options?: Parameters<Browser['newContext']>[0];
}

/** A browser in which a new fan is logged in. */
export async function newFan(browser: Browser, server: TestServer, options: FanWish = {}): Promise<TestFan> {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', ...options.options });
  watchRequests(context);
  const name = `fan_${next()}`.slice(-20);
  const password = '밤하늘의 별 72';
  await withDatabase(server, async () => {});
  const answer = await context.request.post('/api/auth/register', {
    headers: { origin: server.url },
    data: { email: `${name}@byeol.example`, username: name, password, confirmPassword: password },
  });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  const { token, user }: { token: string; user: { id: number } } = await answer.json();
  await withDatabase(server, async (sql) => {
    if (options.role) await sql`update users set role = ${options.role} where id = ${user.id}`;
    if (options.member) {
      await sql`insert into channels (star_id) values (${options.member}) on conflict do nothing`;
      await sql`insert into channel_members (channel_id, user_id)
        select id, ${user.id} from channels where star_id = ${options.member}`;
    }
  });
  await context.addInitScript((value) => localStorage.setItem('auth_token', value), token);
  return { name, token, context, page: await context.newPage() };
}

/** Opens a channel and waits until its chat is alive. */
export async function openChannel(page: Page, starId: number, lang = 'en'): Promise<void> {
  await page.goto(`/${lang}/community/${starId}`);
  await expect(page.locator('.chat[data-live]')).toBeVisible();
}

/** The channel of a new star, open in the browser of a new member. */
export async function openAsMember(
  browser: Browser,
  server: TestServer,
): Promise<TestFan & { star: TestStar }> {
  const star = await newStar(server);
  const fan = await newFan(browser, server, { member: star.id });
  await openChannel(fan.page, star.id);
  return { ...fan, star };
}

/** Writes a message and presses Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('.chat textarea').fill(text);
  await page.locator('.chat textarea').press('Enter');
}

/** What the chat shows, from the oldest in view to the newest. */
export const bubbles = (page: Page) => page.locator('.chat-live .message-bubble');

import type { Page } from '@playwright/test';
import postgres from 'postgres';
import { storageKey } from '#content/site.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeStar } from '#tests/kit/make.ts';
import { makePendingEvent } from '#tests/kit/pending.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';
import type { TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';

/** What an editor types stays until it is saved (decision W7). */

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const status = (page: Page) => page.locator('[data-status]');
const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':draft:')));
const notSaved = 'What you hadn’t saved is here again. Not saved yet. Kept on this device until you save it.';

/** Runs with a story that waits for a person, and takes it away again. */
async function withStory(
  server: TestServer,
  run: (id: number, sql: postgres.Sql) => Promise<void>,
): Promise<void> {
  const sql = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });
  const [story] = await sql<{ id: number }[]>`insert into stories (stage) values ('held') returning id`;
  const id = story?.id ?? 0;
  await run(id, sql);
  await sql`delete from stories where id = ${id}`;
  await sql.end();
}

const writeAs = (sql: postgres.Sql, story: number, language: string, title: string) =>
  sql`insert into story_drafts (story_id, language, title, summary, content) values (${story}, ${language}, ${title}, 'S', 'C')
    on conflict (story_id, language) do update set title = ${title}`;

test('a story keeps what was typed in every field, whichever button is pressed, without a script', async ({
  page,
  server,
}) => {
  await signIn(page.context(), server, 'editor');
  await withStory(server, async (story, sql) => {
    const visit = new PlainVisit(page.context().request, server.url);
    await visit.goto(`/admin/stories/${story}?lang=en`);
    const typed = {
      'title.ko': '제목',
      'summary.ko': ' 한 줄 ',
      'content.ko': '본문',
      'title.en': 'English title',
      'title.vi': 'Tiêu đề',
      notes: 'For later',
    };
    const values = () => Object.fromEntries(Object.keys(typed).map((name) => [name, visit.value(name)]));
    const rest = 'Saved. What else you typed is still here, but isn’t saved yet.';
    expect(await visit.pressAt('button[value="stars"]', { ...typed, starIds: '1' })).toBe(200);
    expect(visit.text('.admin-saved')).toBe(rest);
    expect(values()).toEqual(typed);
    expect(visit.value('starIds')).toMatch(/^1 ./);

    await visit.press('Save this language: 한국어');
    expect(visit.text('.admin-saved')).toBe(rest);
    expect(values()).toEqual({ ...typed, 'summary.ko': '한 줄' });
    expect(await sql`select language, title from story_drafts where story_id = ${story}`).toEqual([
      { language: 'ko', title: '제목' },
    ]);
    // What is refused, and a press of Enter, save nothing and lose nothing.
    await visit.press('Save this language: English');
    visit.expectRefused(
      'summary.en',
      '“Summary (a sentence per line, up to three) (English)” is empty. Please fill it in.',
    );
    await visit.pressAt('button[value="none"]');
    expect(visit.text('.admin-failure')).toBe('Not saved yet.');
    expect(values()).toEqual({ ...typed, 'summary.ko': '한 줄' });

    // Somebody else's English is not replaced unseen, and the Vietnamese that nobody typed comes in.
    await writeAs(sql, story, 'en', 'Theirs');
    await writeAs(sql, story, 'ms', 'Tajuk');
    await visit.press('Save this language: English', { 'summary.en': 'One.', 'content.en': 'Text' });
    expect(visit.texts('.admin-differences dd')).toContain('Saved nowTheirs');
    expect(visit.value('title.en')).toBe('English title');
    expect(visit.value('title.ms')).toBe('Tajuk');
    expect(await sql`select title from story_drafts where story_id = ${story} and language = 'en'`).toEqual([
      { title: 'Theirs' },
    ]);
    await visit.press('Save this language: English');
    expect(visit.text('.admin-saved')).toBe(rest);
    expect(visit.value('title.vi')).toBe('Tiêu đề');
    // With nothing left, the page is a new one that may be read again.
    await visit.pressAt('button[value="stars"]', { 'title.vi': '', notes: '' });
    expect(visit.text('.admin-saved')).toBe('Saved.');
    expect(visit.url).toContain('saved=1');
  });
});

test('what was typed for an event, an article and a story comes back after a session that was lost', async ({
  page,
  context,
  server,
}) => {
  const { token } = await signIn(context, server, 'editor');
  const event = await inDatabase(server.databaseUrl, () => makePendingEvent({ starId: 1 }));
  await withStory(server, async (story, sql) => {
    const cookies = await context.cookies();
    const session = new Bun.CryptoHasher('sha256').update(token).digest('hex');
    const [row] = await sql`select * from sessions where id = ${session}`;
    for (const [address, name, button] of [
      [`/admin/events/${event}?lang=en`, 'venue.en', 'Save'],
      ['/admin/articles/44?lang=en', 'title.en', 'Publish the correction'],
      [`/admin/stories/${story}?lang=en`, 'starIds', 'Save'],
    ] as const) {
      await page.goto(address);
      await field(page, name).fill(`Typed ${name}`);
      await expect(status(page)).toHaveText('Not saved yet. Kept on this device until you save it.');
      await sql`delete from sessions where id = ${session}`;
      await context.clearCookies();
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.waitForURL(/\/login\?/);
      const next = new URL(page.url()).searchParams.get('next') ?? '';
      await sql`insert into sessions ${sql(row ?? {})}`;
      await context.addCookies(cookies);
      await page.goto(next);
      expect(next).toBe(address);
      await expect(field(page, name)).toHaveValue(`Typed ${name}`);
      await expect(status(page)).toHaveText(notSaved);
    }
    await expectAccessible(page);

    // A button that saves something else leaves it, as a reload does.
    await field(page, 'title.en').evaluate((each) => each.closest('details')?.setAttribute('open', ''));
    await field(page, 'title.en').fill('Mine');
    await field(page, 'starIds').fill('1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.locator('.admin-saved')).toContainText('isn’t saved yet');
    await page.goto(`/admin/stories/${story}?lang=en`);
    await expect(field(page, 'title.en')).toHaveValue('Mine');
    await writeAs(sql, story, 'en', 'Theirs');
    await page.reload();
    await expect(field(page, 'title.en')).toHaveValue('Mine');
    await field(page, 'summary.en').fill('One.');
    await field(page, 'content.en').fill('Text');
    await page.getByRole('button', { name: /^Save this language.*English$/ }).click();
    await expect(page.locator('.admin-differences')).toContainText('Theirs');
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await expect(field(page, 'title.en')).toHaveValue('Theirs');

    // Who signs an article has not saved what was typed in it.
    await page.goto('/admin/articles/44?lang=en');
    await page.getByRole('button', { name: 'I’ve reviewed it' }).click();
    await expect(page.locator('.admin-saved')).toContainText('isn’t saved yet');
    await expect(field(page, 'title.en')).toHaveValue('Typed title.en');

    // Saved, it is kept no more; what is old goes by itself, and the rest at the logout.
    await page.goto(`/admin/events/${event}?lang=en`);
    await page.reload();
    await expect(field(page, 'venue.en')).toHaveValue('Typed venue.en');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.locator('.admin-saved')).toHaveText('Saved.');
    await expect(field(page, 'venue.en')).toHaveValue('Typed venue.en');
    // By the script of this page, which forgets what is old as well.
    await expect.poll(() => kept(page)).toEqual([expect.stringContaining(':article:44')]);
    const old = `${storageKey}:draft:1:event:1`;
    await page.evaluate(([key, at]) => localStorage.setItem(key, JSON.stringify({ fields: [], at })), [
      old,
      Date.now() - 31 * 86_400_000,
    ] as const);
    expect(await kept(page)).toHaveLength(2);
    await page.reload();
    await expect.poll(() => kept(page)).toEqual([expect.stringContaining(':article:44')]);
    const menu = page.locator('.header .user-menu');
    await menu.locator('summary').click();
    await menu.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL((url) => url.pathname === '/ko');
    expect(await kept(page)).toEqual([]);
  });
});

test('a correction that was typed outlasts that somebody withdraws its article, and is brought back with it', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, 'editor');
  const other = new PlainVisit(context.request, server.url);
  const address = '/admin/articles/46?lang=en';
  await page.goto(address);
  const before = await field(page, 'title.en').inputValue();
  await field(page, 'title.en').fill('Typed meanwhile');
  await other.goto(address);
  await other.press('Withdraw article');
  await other.press('Yes, withdraw it');

  await page.getByRole('button', { name: 'Publish the correction' }).click();
  await expect(page.locator('.admin-failure')).toBeVisible();
  await expect(page.locator('.admin-differences dd')).toHaveText([
    'YoursTyped meanwhile',
    `Saved now${before}`,
  ]);
  await page.goto(address);
  await expect(status(page)).toBeEmpty();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.locator('.admin-saved')).toHaveText('Saved.');
  await expect(field(page, 'title.en')).toHaveValue('Typed meanwhile');
  await expect(status(page)).toHaveText(notSaved);
  await page.getByRole('button', { name: 'Publish the correction' }).click();
  await page.getByRole('button', { name: 'Publish the correction' }).click();
  await expect(page.locator('.admin-saved')).toHaveText('Saved.');
  await expect.poll(() => kept(page)).toEqual([]);

  // Who brings back what somebody else has brought back already meets no words to compare, and loses none.
  await field(page, 'title.en').fill('Typed once more');
  await other.goto(address);
  for (const button of ['Withdraw article', 'Yes, withdraw it']) await other.press(button);
  await page.goto(address);
  await other.press('Restore');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.locator('.admin-failure')).toBeVisible();
  await expect(page.locator('.admin-differences')).toHaveCount(0);
  await expect(field(page, 'title.en')).toHaveValue('Typed once more');
  await field(page, 'title.en').fill(before);
  await page.getByRole('button', { name: 'Publish the correction' }).click();
});

test('a form whose star or entry is gone, or whose editor is none any more, says so and keeps what was typed', async ({
  page,
  context,
  server,
}) => {
  const { id: editor } = await signIn(context, server, 'editor');
  const name = `Gone ${Date.now().toString(36)}`;
  const [star, into, alone] = await inDatabase(server.databaseUrl, async () => [
    await makeStar({ name, names: { en: name } }),
    await makeStar({ name: `${name} too`, names: { en: `${name} too` } }),
    await makeStar({ name: `${name} alone`, names: { en: `${name} alone` } }),
  ]);
  const sql = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });
  const other = new PlainVisit(context.request, server.url);
  const entries = `/admin/stars/${star}?lang=en&section=timeline`;
  await other.goto(`${entries}&entry=new`);
  await other.press('Add', { date: '2019', 'title.en': 'Debut stage' });
  await page.goto(entries);
  await page.getByRole('link', { name: 'Debut stage' }).click();
  await page.waitForURL(/entry=\d+/);

  await sql`update users set role = 'user' where id = ${editor}`;
  await field(page, 'title.en').fill('Typed');
  const forbidden = 'Not saved. Your account doesn’t have access. Log in with an editor’s account.';
  await expect(status(page)).toHaveText(forbidden);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(page)).toHaveText(forbidden);
  await sql`update users set role = 'editor' where id = ${editor}`;
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(page)).toHaveText(/^Saved at /);

  await other.goto(page.url());
  await other.press('Remove this entry');
  await field(page, 'title.en').fill('Typed again');
  await expect(status(page)).toHaveText('Not saved. This doesn’t exist.');
  // It may be added anew.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
  await expect(field(page, 'title.en')).toHaveValue('Typed again');

  const unread = new PlainVisit(context.request, server.url);
  await unread.goto(`/admin/stars/${star}?lang=en`);
  await page.goto(`/admin/stars/${star}?lang=en`);
  await other.goto(`/admin/stars/${star}?lang=en&section=actions&into=${into}`);
  await other.press('Merge for good');
  await field(page, 'height').fill('170');
  const merged =
    'Someone merged the star you were editing into another. Your changes aren’t in either of them.';
  await expect(status(page)).toHaveText(`Not saved. ${merged}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(page)).toHaveText(`Not saved. ${merged}`);
  await expect(field(page, 'height')).toHaveValue('170');
  await unread.press('Save', { height: '170' });
  expect([new URL(unread.url).pathname, unread.text('.admin-failure')]).toEqual([
    `/admin/stars/${into}`,
    merged,
  ]);

  await page.goto(`/admin/stars/${alone}?lang=en`);
  await other.goto(`/admin/stars/${alone}?lang=en&section=actions`);
  await other.press('Delete this star');
  await field(page, 'height').fill('171');
  await expect(status(page)).toHaveText('Not saved. This doesn’t exist.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(field(page, 'height')).toHaveValue('171');
  await sql.end();
});

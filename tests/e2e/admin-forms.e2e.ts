import type { Locator } from '@playwright/test';
import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makePendingEvent } from '#tests/kit/pending.ts';
import { PlainVisit, visitAs } from '#tests/kit/plain-visit.ts';
import { signIn } from '#tests/kit/sign-in.ts';

let markCount = 0;
const mark = () => `${Date.now().toString(36)}${++markCount}`;

/** What is wrong is said above the form and at the field, which has the focus. */
async function expectAt(field: Locator, sentence: string): Promise<void> {
  const page = field.page();
  await expect(page.locator('.admin-failure')).toHaveText(sentence);
  const name = await field.getAttribute('id');
  await expect(page.locator('.admin-failure a')).toHaveAttribute('href', `#${name}`);
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(
    new RegExp(sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
  );
  await expect(field).toBeFocused();
}

test.describe('forms of editors', () => {
  test('a new star is refused at the field, which has the focus', async ({ page, server }) => {
    await signIn(page.context(), server, 'editor');
    await page.goto('/admin/stars/new?lang=en');
    const field = (name: string) => page.locator(`[id="${name}"]`);
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    const name = mark();
    await field('category').selectOption('Idol');
    await field('name.ms').fill(name);
    await save();
    await expectAt(field('name.ko'), 'Give the star a name in Korean or in English.');
    await expect(field('name.en')).toHaveAttribute('aria-invalid', 'true');
    await expect(field('name.ms')).not.toHaveAttribute('aria-invalid');
    await field('name.en').fill(name);
    await field('agency.vi').fill('Naru');
    await save();
    await expectAt(
      field('name.vi'),
      '“Name (Tiếng Việt)” is empty, but other fields of this language aren’t. Fill it in, or empty those as well.',
    );
    await expectAccessible(page);
  });

  test('a new star is refused in the words of its language, whatever is wrong', async ({ page, server }) => {
    const visit = await visitAs('editor', page, server);
    await visit.goto('/admin/stars/new?lang=en');
    const name = mark();
    expect(visit.text('.admin-form')).toContain('One name is enough');
    for (const code of languages) expect(visit.attribute(`[id="name.${code}"]`, 'required')).toBeNull();
    const refused = async (typed: Record<string, string>, field: string, sentence: string) => {
      expect(await visit.press('Save', typed)).toBe(400);
      visit.expectRefused(field, sentence);
    };
    await refused(
      { 'name.ms': name, category: 'Idol' },
      'name.ko',
      'Give the star a name in Korean or in English.',
    );
    // Spaces are something to the browser, and nothing to us.
    await refused(
      { 'name.en': name, 'name.ms': ' ', 'agency.vi': 'Naru' },
      'name.vi',
      '“Name (Tiếng Việt)” is empty, but other fields of this language aren’t. Fill it in, or empty those as well.',
    );
    expect(visit.attribute('[id="name.ms"]', 'aria-invalid')).toBeNull();
    await refused(
      { 'name.ms': 'x'.repeat(300), 'name.vi': name },
      'name.ms',
      '“Name (Bahasa Melayu)” is too long: it takes 80 characters at most.',
    );
    await refused(
      { 'name.ms': name, 'biography.vi': 'x'.repeat(5001) },
      'biography.vi',
      '“Biography (Tiếng Việt)” is too long: it takes 5,000 characters at most.',
    );
    await refused(
      {
        'biography.vi': '',
        aliases: Array.from({ length: 51 }, (_, number) => `별명 ${number}`).join('\n'),
      },
      'aliases',
      '“Aliases (one per line)” has too many entries: it takes 50 at most.',
    );
    await refused(
      { aliases: '', debutDate: '2001-02-30' },
      'debutDate',
      '“Debut date” isn’t a date such as 2001, 2001-02 or 2001-02-28.',
    );
    await refused(
      { debutDate: '', birthDate: '2001-02-30' },
      'birthDate',
      '“Birthday” isn’t a date such as 2001, 2001-02 or 2001-02-28.',
    );
  });

  test('a star keeps no name that its editor has taken out', async ({ page, server }) => {
    const visit = await visitAs('editor', page, server);
    await visit.goto('/admin/stars/1?lang=vi');
    expect(await visit.press('Lưu', { 'name.ko': ' ' })).toBe(400);
    visit.expectRefused(
      'name.ko',
      '“Tên (한국어)” đang trống nhưng các ô khác của ngôn ngữ này thì không. Hãy điền vào, hoặc xóa trống cả các ô kia.',
    );
  });

  test('a closed language opens for the field that must be filled in', async ({ page, server }) => {
    await signIn(page.context(), server, 'editor');
    await page.goto('/admin/stars/1?lang=en');
    const part = page.locator('details.admin-language').filter({ hasText: 'Tiếng Việt' });
    await part.locator('summary').click();
    await part.locator('[name="name.vi"]').fill('');
    await part.locator('summary').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(part.locator('[name="name.vi"]')).toBeFocused();
  });

  test('articles and events are refused the same way, in four languages', async ({ page, server }) => {
    const visit = await visitAs('editor', page, server);
    await visit.goto('/admin/articles/41?lang=ko');
    await visit.pressAt('button[value="amend"]', { 'title.ko': ' ' });
    visit.expectRefused('title.ko', '‘제목 (한국어)’ 칸이 비어 있어요. 채워 주세요.');
    await visit.goto('/admin/articles/41?lang=ms');
    await visit.pressAt('button[value="amend"]', { 'summary.ms': 'satu\ndua\ntiga\nempat' });
    visit.expectRefused(
      'summary.ms',
      '“Ringkasan (satu ayat sebaris, hingga tiga) (Bahasa Melayu)” perlu satu hingga tiga ayat, setiap satu paling banyak 400 aksara.',
    );
    // Which of the demo's events is the first, and whether it takes whole days, depends on the day.
    const event = await inDatabase(server.databaseUrl, () => makePendingEvent({ starId: 1 }));
    await visit.goto(`/admin/events/${event}?lang=vi`);
    for (const [typed, field, sentence] of [
      [{ endDay: '2001-01-01' }, 'endDay', '“Ngày kết thúc (không bắt buộc)” sớm hơn thời điểm bắt đầu.'],
      [
        { endDay: '', startTime: '20:00', endTime: '19:00' },
        'endTime',
        '“Giờ kết thúc (không bắt buộc)” sớm hơn thời điểm bắt đầu.',
      ],
      [{ endTime: '', zone: 'Seoul' }, 'zone', '“Múi giờ” không phải là múi giờ, chẳng hạn Asia/Seoul.'],
    ] as const) {
      await visit.pressAt('button[value="save"]', typed);
      visit.expectRefused(field, sentence);
    }
  });
});

test('the form of an event refuses days, stars and a reason where they stand', async ({ page, server }) => {
  const visit = await visitAs('editor', page, server);
  const id = await inDatabase(server.databaseUrl, () => makePendingEvent({ starId: 1 }));
  await visit.goto(`/admin/events/${id}?lang=en`);
  // A language without words may stay so.
  expect(visit.attribute('[id="title.ms"]', 'required')).toBeNull();
  const starIds = visit.value('starIds') ?? '';
  const isInvalid = (field: string) => visit.attribute(`[id="${field}"]`, 'aria-invalid') === 'true';
  const refused = async (typed: Record<string, string>, field: string, sentence: string) => {
    await visit.pressAt('button[value="save"]', typed);
    visit.expectRefused(field, sentence);
  };
  for (const startTime of ['', '19:00']) {
    await refused(
      { allDay: 'on', startDay: '1999-01-01', startTime },
      'startDay',
      '“Start date” isn’t a date from 2000 to 2100.',
    );
  }
  expect(isInvalid('startTime')).toBe(false);
  await refused(
    { startDay: '2027-03-02', endDay: '2027-03-01' },
    'endDay',
    '“End date (optional)” is before the start.',
  );
  const notStar = (value: string) =>
    `“${value}” isn’t a star’s number. Enter numbers, such as 12. Nothing was changed.`;
  await refused({ endDay: '', primaryStarId: 'abc' }, 'primaryStarId', notStar('abc'));
  expect(isInvalid('starIds')).toBe(false);
  await refused({ starIds: 'def' }, 'primaryStarId', notStar('abc, def'));
  expect(isInvalid('starIds')).toBe(true);
  await refused(
    { starIds, primaryStarId: '999999' },
    'primaryStarId',
    '“Main star” has a number that doesn’t exist.',
  );
  expect(isInvalid('starIds')).toBe(false);
  for (const decision of ['reject', 'approve']) {
    await visit.pressAt(`button[value="${decision}"]`, { primaryStarId: '', reason: 'x'.repeat(1001) });
    visit.expectRefused(
      'reason',
      '“Notes or reason (optional)” is too long: it takes 1,000 characters at most.',
    );
  }
});

test('a source is renamed and corrected, and refused where it stands', async ({ page, server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [source] = await sql<{ id: number }[]>`
    insert into sources (outlet, feed_url, state) values ('K3', ${`https://${mark()}.example/feed`}, 'paused') returning id`;
  const id = source?.id ?? 0;
  const visit = await visitAs('admin', page, server);
  await visit.goto('/admin?tab=tools&tool=sources&lang=en');
  const save = `form:has(#outlet-${id}) button`;
  expect(visit.attribute(`details:has(#outlet-${id})`, 'open')).toBeNull();
  await visit.pressAt(save, { outlet: 'KBS', intervalMinutes: '2' });
  visit.expectRefused(
    `intervalMinutes-${id}`,
    '“Read every … minutes (5–1440)” takes a whole number from 5 to 1,440.',
  );
  expect(visit.attribute(`details:has(#outlet-${id})`, 'open')).not.toBeNull();
  expect(visit.attribute(`#outlet-${id}`, 'value')).toBe('KBS');
  await visit.pressAt(save, { intervalMinutes: '45', fullText: null });
  expect(visit.text('.admin-saved')).toBe('Saved.');
  expect(await sql`select outlet, interval_minutes, full_text, state from sources where id = ${id}`).toEqual([
    { outlet: 'KBS', interval_minutes: 45, full_text: false, state: 'paused' },
  ]);
  // What another admin has changed since the page was opened stays.
  await sql`update sources set interval_minutes = 60, full_text = true where id = ${id}`;
  await visit.pressAt(save, { outlet: 'MBC' });
  expect(await sql`select outlet, interval_minutes, full_text from sources where id = ${id}`).toEqual([
    { outlet: 'MBC', interval_minutes: 60, full_text: true },
  ]);
  await sql`delete from sources where id = ${id}`;
  await sql.end();
});

test('a source that failed says why in the language of the visit', async ({ page, server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [source] = await sql<{ id: number }[]>`
    insert into sources (outlet, feed_url, state, failures, last_error)
    values ('끊긴신문', 'https://nope.invalid/feed', 'paused', 1, 'network: The host nope.invalid is not known.')
    returning id`;
  const visit = await visitAs('admin', page, server);
  for (const address of ['/admin?tab=tools&tool=sources', '/admin?tab=system']) {
    for (const [lang, sentence] of [
      ['ko', '사이트에 연결할 수 없어요.'],
      ['vi', 'Không kết nối được với trang.'],
    ] as const) {
      await visit.goto(`${address}&lang=${lang}`);
      const row = [...visit.document.querySelectorAll('.admin-row')].find((each) =>
        each.textContent?.includes('끊긴신문'),
      );
      expect(row?.textContent).toContain(sentence);
      expect(row?.textContent).not.toContain('network:');
      expect(row?.querySelector('[lang="en"]')?.textContent).toBe('The host nope.invalid is not known.');
    }
  }
  await sql`delete from sources where id = ${source?.id ?? 0}`;
  await sql.end();
});

test('notes on a report that are too long are said at the report they were written for', async ({
  page,
  server,
}) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const editor = await signIn(page.context(), server, 'editor');
  const reports = await sql<{ id: number }[]>`
    insert into message_reports (message_id, reporter_id, reason)
    select id, ${editor.id}, 'spoiler' from messages order by id limit 2 returning id`;
  const visit = new PlainVisit(page.context().request, server.url);
  await visit.goto('/admin?tab=tools&tool=reports&lang=en');
  const [told, other] = reports.map(({ id }) => `notes-${id}`);
  expect(visit.attribute(`#${told}`, 'maxlength')).toBe('500');
  await visit.pressAt(`form:has(#${told}) button[value="dismiss"]`, { notes: 'x'.repeat(501) });
  visit.expectRefused(`${told}`, '“Notes (optional)” is too long: it takes 500 characters at most.');
  expect(visit.attribute(`#${told}`, 'value')).toBe('x'.repeat(501));
  expect(visit.attribute(`#${other}`, 'value') ?? '').toBe('');
  await sql`delete from message_reports where id in ${sql(reports.map(({ id }) => id))}`;
  await sql.end();
});

test('a story that another settled meanwhile keeps what was typed in sight', async ({ page, server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [story] = await sql<{ id: number }[]>`
    insert into stories (stage, reason) values ('held', 'namesakes') returning id`;
  const id = story?.id ?? 0;
  await sql`insert into story_candidates ${sql([1, 2].map((starId) => ({ story_id: id, name: '민솔', star_id: starId, score: 50 })))}`;
  const visit = await visitAs('editor', page, server);
  const other = visit.another();
  for (const each of [visit, other]) await each.goto(`/admin/stories/${id}?lang=en`);
  await visit.pressAt('button[name="open"][value="1 민솔"]');
  expect(await other.pressAt('button[name="open"][value="2 민솔"]', { 'title.vi': 'Tựa của tôi' })).toBe(409);
  const conflict = 'Someone changed this in the meantime. Check how it looks now.';
  expect(other.text('.admin-failure')).toBe(conflict);
  expect(other.value('starIds')).toMatch(/^1 /);
  expect(other.value('title.vi')).toBe('Tựa của tôi');

  await visit.pressAt('button[value="dismiss"]');
  expect((await sql`select stage from stories where id = ${id}`)[0]?.stage).toBe('waiting');
  expect(visit.text('.admin-failure')).toContain('It hasn’t been dismissed yet');
  expect(await visit.press('Yes, dismiss it')).toBe(200);
  expect((await sql`select stage from stories where id = ${id}`)[0]?.stage).toBe('dismissed');
  const words = { 'summary.vi': 'Một câu.', 'content.vi': 'Lời của tôi' };
  expect(await other.pressAt('button[name="language"][value="vi"]', words)).toBe(409);
  expect(other.text('.admin-failure')).toBe(conflict);
  expect(other.text('.admin-differences')).toContain('Tựa của tôi');
  expect(other.text('.admin-differences')).toContain('Lời của tôi');
  expect(await visit.press('Bring it back')).toBe(200);
  expect((await sql`select stage from stories where id = ${id}`)[0]?.stage).toBe('waiting');
  await sql`delete from stories where id = ${id}`;
  await sql.end();
});

test('the fields of a story, an article and an event that must be filled in say so', async ({
  page,
  server,
}) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [story] = await sql<{ id: number }[]>`insert into stories (stage) values ('held') returning id`;
  const visit = await visitAs('editor', page, server);
  for (const address of [`/admin/stories/${story?.id}?lang=en`, '/admin/articles/42?lang=en']) {
    await visit.goto(address);
    expect(visit.text('main')).toContain('Fields marked * must be filled in.');
    for (const name of ['title', 'summary', 'content']) {
      expect(visit.attribute(`[id="${name}.vi"]`, 'required')).toBe('');
      expect(visit.text(`label[for="${name}.vi"]`)).toContain('*');
    }
  }
  // A field of a language that is closed is shown when the browser refuses it.
  for (const [address, button] of [
    ['/admin/articles/42?lang=en', 'Publish the correction'],
    ['/admin/events/1?lang=en', 'Save'],
  ] as const) {
    await page.goto(address);
    await expect(page.locator('label[for="title.vi"]')).toContainText('*');
    await page.locator('[id="title.vi"]').evaluate((field) => field.setAttribute('value', ''));
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(page.locator('[id="title.vi"]')).toBeFocused();
  }
  await visit.goto(`/admin/stories/${story?.id}?lang=en`);
  expect(await visit.pressAt('button[value="dismiss"]', { notes: 'x'.repeat(1001) })).toBe(400);
  expect(visit.text('.admin-failure')).toContain('It hasn’t been dismissed yet');
  await visit.pressAt('button[value="dismissNow"]');
  visit.expectRefused('notes', '“Notes (optional)” is too long: it takes 1,000 characters at most.');
  await sql`delete from stories where id = ${story?.id ?? 0}`;
  await sql.end();
});

test.describe('what a form of editors is refused for', () => {
  test('links are told what they must be', async ({ page, server }) => {
    await signIn(page.context(), server, 'editor');
    const kinds =
      '“Link” can’t be shown here. You can add links to videos, posts, music and podcasts on YouTube, X, Instagram, TikTok and Spotify.';
    await page.goto('/admin?tab=multimedia&lang=en');
    await page.locator('#articleId').fill('42');
    await page.locator('#url').fill('https://vimeo.com/1234');
    await page.getByRole('button', { name: 'Add' }).click();
    await expectAt(page.locator('#url'), kinds);
    const icon = await page.locator('.admin-failure svg').boundingBox();
    const sentence = await page.locator('.admin-failure a').boundingBox();
    expect(icon && sentence && icon.x + icon.width <= sentence.x).toBe(true);
    expect(icon && sentence && Math.abs(icon.y - sentence.y)).toBeLessThan(5);

    const visit = new PlainVisit(page.context().request, server.url);
    await visit.goto('/admin?tab=multimedia&lang=en');
    await visit.press('Add', { articleId: '42', url: 'https://www.youtube.com/@chan' });
    visit.expectRefused('url', kinds);
    await visit.goto('/admin/events/2?lang=en');
    for (const ticketUrl of ['foo', 'javascript:alert(1)']) {
      await visit.pressAt('button[value="save"]', { ticketUrl });
      visit.expectRefused(
        'ticketUrl',
        '“Ticket link” isn’t a web address: it must begin with http:// or https://.',
      );
    }
    // A browser asks for it before it sends; others do not.
    visit.document.getElementById('startDay')?.removeAttribute('required');
    await visit.pressAt('button[value="save"]', { ticketUrl: '', startDay: '' });
    visit.expectRefused('startDay', '“Start date” is empty. Please fill it in.');
  });

  test('what is there already is called so, and led to', async ({ page, server }) => {
    const visit = await visitAs('admin', page, server);
    for (const sentence of [undefined, 'This article already has this one.']) {
      await visit.goto('/admin?tab=multimedia&lang=en');
      await visit.press('Add', { articleId: '42', url: 'https://www.youtube.com/watch?v=abcdefghi_1' });
      if (sentence) expect(visit.text('.admin-failure')).toContain(sentence);
      else expect(visit.texts('.admin-saved')).toHaveLength(1);
    }
    await visit.follow('Open', '.admin-failure');
    expect(visit.url).toContain('articleId=42');
    expect(visit.document.querySelector('.admin-list')?.outerHTML).toContain('abcdefghi_1');

    const feedUrl = `https://naru.example/${mark()}`;
    for (const sentence of [undefined, '이미 출처에 있는 피드예요.']) {
      await visit.goto('/admin?tab=tools&tool=sources&lang=ko');
      await visit.pressAt('button[value="sourceAdd"]', { feedUrl, outlet: '연예나루' });
      if (sentence) visit.expectRefused('feedUrl', sentence);
      else expect(visit.texts('.admin-saved')).toHaveLength(1);
    }
  });

  test('a correction that changes nothing, half a note and an article that is not there are named', async ({
    page,
    server,
  }) => {
    const visit = await visitAs('editor', page, server);
    await visit.goto('/admin/articles/43?lang=en');
    const publish = (typed: Record<string, string> = {}) => visit.press('Publish the correction', typed);
    await publish();
    expect(visit.text('.admin-failure')).toBe('Nothing was changed.');
    await publish({ 'note.en': 'The date was wrong.' });
    visit.expectRefused(
      'note.ko',
      '“What was corrected? (한국어, Bahasa Melayu and Tiếng Việt)” is empty. Please fill it in.',
    );
    await publish(
      Object.fromEntries(
        languages.flatMap((language) => [
          [`note.${language}`, 'x'],
          [`content.${language}`, '가 '.repeat(6_000)],
        ]),
      ),
    );
    expect(visit.text('.admin-failure')).toBe(
      'That wasn’t saved: it’s too much to send at once. Please shorten it.',
    );
    for (const [id, button, typed] of [
      ['articleId', 'Add', { url: 'https://www.youtube.com/watch?v=abcdefghi_2' }],
      ['articleId-video', 'Search YouTube', {}],
    ] as const) {
      for (const [articleId, sentence] of [
        ['999999', 'There’s no public article with the number 999999.'],
        ['', '“Article number” is empty. Please fill it in.'],
      ] as const) {
        await visit.goto('/admin?tab=multimedia&lang=en');
        visit.document.getElementById(id)?.removeAttribute('required');
        await visit.press(button, { ...typed, articleId });
        visit.expectRefused(id, sentence);
      }
    }
  });
});

test('what is not there says so in the language of the visit, as the address of its page has it', async ({
  page,
  server,
}) => {
  const visit = await visitAs('admin', page, server);
  for (const [path, lang, sentence] of [
    ['/admin/stars/999999?lang=en', 'en', 'The page has moved or no longer exists.'],
    ['/admin/events/999999?lang=ms', 'ms', 'Halaman ini telah dialihkan atau tidak wujud lagi.'],
    ['/admin/articles/x?lang=vi', 'vi', 'Trang đã được chuyển đi hoặc không còn tồn tại.'],
    ['/admin/stories/999999?lang=en', 'en', 'The page has moved or no longer exists.'],
    ['/admin/nothing?lang=en', 'en', 'The page has moved or no longer exists.'],
    ['/admin/nothing?lang=xx', 'ko', '주소가 바뀌었거나 사라진 페이지예요.'],
    ['/vi/nothing?lang=en', 'vi', 'Trang đã được chuyển đi hoặc không còn tồn tại.'],
    ['/vi/events/999999?lang=en', 'vi', 'Trang đã được chuyển đi hoặc không còn tồn tại.'],
  ] as const) {
    expect([path, await visit.goto(path)]).toEqual([path, 404]);
    expect(visit.document.documentElement.getAttribute('lang')).toBe(lang);
    expect(visit.text('main')).toContain(sentence);
  }
});

test('a star that was added is said to be saved, and seen', async ({ page, server }) => {
  test.slow();
  await signIn(page.context(), server, 'editor');
  await page.goto('/admin/stars/new?lang=en');
  const name = mark();
  await page.locator('[id="name.ko"]').fill(name);
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Idol');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.admin-saved')).toHaveText('Saved.');
  await expect(page).toHaveURL(/\/admin\/stars\/\d+\?lang=en/);
  await expect(page.locator('.admin-language summary', { hasText: 'Missing' })).toHaveCount(
    languages.length - 1,
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await page.getByRole('link', { name: 'See it on the site' }).click();
  await expect(page).toHaveURL(/\/en\/star\/\d+/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);

  // Nobody told a fan colour: its page names none until an editor does, and none again once that is taken back.
  const address = page.url();
  await expect(page.locator('.fandom')).toHaveCount(0);
  const editor = address.replace(/\/en\/star\/(\d+).*/, '/admin/stars/$1?lang=en');
  for (const [told, shown] of [
    [true, 1],
    [false, 0],
  ] as const) {
    await page.goto(editor);
    const unknown = page.getByRole('checkbox', { name: 'No fan colour is known' });
    await expect(unknown).toBeChecked({ checked: told });
    if (told) await page.locator('[name="fandomColor"]').fill('#c8102e');
    else await unknown.check();
    await expect(unknown).toBeChecked({ checked: !told });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('.admin-saved')).toHaveText('Saved.');
    await page.goto(address);
    await expect(page.locator('.fandom-colour', { hasText: '#C8102E' })).toHaveCount(shown);
  }
});

test('Enter in a field makes nothing public', async ({ page, server }) => {
  await signIn(page.context(), server, 'editor');
  const event = await inDatabase(server.databaseUrl, () => makePendingEvent({ starId: 1 }));
  await page.goto(`/admin/events/${event}?lang=en`);
  await page.locator('[name="venue.en"]').fill('The pier');
  await page.locator('[name="venue.en"]').press('Enter');
  await expect(page.locator('.admin-saved')).toContainText('Saved.');
  await expect(page.locator('[name="venue.en"]')).toHaveValue('The pier');
  expect((await page.request.get(`/api/events/${event}`)).status()).toBe(404);

  const readTitle = async () => (await (await page.request.get('/api/articles/43?language=en')).json()).title;
  const title = await readTitle();
  await page.goto('/admin/articles/43?lang=en');
  await page.locator('[name="title.en"]').fill('New');
  await page.locator('[name="title.en"]').press('Enter');
  await expect(page.locator('.admin-failure')).toHaveText('Not saved yet.');
  await expect(page.locator('[name="title.en"]')).toHaveValue('New');
  expect(await readTitle()).toBe(title);
});

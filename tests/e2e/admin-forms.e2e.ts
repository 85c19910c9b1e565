import type { Locator, Page } from '@playwright/test';
import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makePendingEvent } from '#tests/kit/pending.ts';
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
  for (const javaScriptEnabled of [true, false])
    test(`a new star is refused at the field, in the words of its language, ${javaScriptEnabled ? 'with' : 'without'} a script`, async ({
      browser,
      server,
      baseURL,
    }) => {
      const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), javaScriptEnabled });
      await signIn(context, server, 'editor');
      const page = await context.newPage();
      await page.goto('/admin/stars/new?lang=en');
      const field = (name: string) => page.locator(`[id="${name}"]`);
      const save = () => page.getByRole('button', { name: 'Save' }).click();
      const name = mark();
      await expect(page.locator('.admin-form')).toContainText('One name is enough');
      for (const code of languages) await expect(field(`name.${code}`)).not.toHaveAttribute('required');
      await field('name.ms').fill(name);
      await save();
      await expectAt(field('name.ko'), 'Give the star a name in Korean or in English.');
      await expect(field('name.en')).toHaveAttribute('aria-invalid', 'true');
      await expect(field('name.ms')).not.toHaveAttribute('aria-invalid');
      await field('name.en').fill(name);
      // Spaces are something to the browser, and nothing to us.
      await field('name.ms').fill(' ');
      await field('agency.vi').fill('Naru');
      await save();
      await expectAt(field('name.vi'), '“Name (Tiếng Việt)” is empty. Please fill it in.');
      await expect(field('name.ms')).not.toHaveAttribute('aria-invalid');
      if (javaScriptEnabled) await expectAccessible(page);
      await field('name.ms').fill('x'.repeat(300));
      await field('name.vi').fill(name);
      await save();
      await expectAt(field('name.ms'), '“Name (Bahasa Melayu)” is too long: it takes 80 characters at most.');
      await field('name.ms').fill(name);
      await field('biography.vi').fill('x'.repeat(5001));
      await save();
      await expectAt(
        field('biography.vi'),
        '“Biography (Tiếng Việt)” is too long: it takes 5,000 characters at most.',
      );
      await field('biography.vi').fill('');
      await field('aliases').fill(Array.from({ length: 51 }, (_, number) => `별명 ${number}`).join('\n'));
      await save();
      await expectAt(field('aliases'), '“Aliases (one per line)” has too many entries: it takes 50 at most.');
      await field('aliases').fill('');
      for (const [id, label] of [
        ['debutDate', 'Debut date'],
        ['birthDate', 'Birthday'],
      ] as const) {
        await field(id).fill('2001-02-30');
        await save();
        await expectAt(field(id), `“${label}” isn’t a date such as 2001, 2001-02 or 2001-02-28.`);
        await field(id).fill('');
      }
      await context.close();
    });

  test('a star keeps no name that its editor has taken out', async ({ page, server }) => {
    await signIn(page.context(), server, 'editor');
    await page.goto('/admin/stars/1?lang=vi');
    await page.locator('details.admin-language').filter({ hasText: '한국어' }).locator('summary').click();
    for (const field of await page.locator('[name$=".ko"]').all()) await field.fill(' ');
    await page.getByRole('button', { name: 'Lưu' }).click();
    await expectAt(page.locator('[id="name.ko"]'), '“Tên (한국어)” đang để trống. Vui lòng điền vào.');
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
    await signIn(page.context(), server, 'editor');
    const field = (name: string) => page.locator(`[id="${name}"]`);
    const button = (value: string) => page.locator(`button[name="do"][value="${value}"]`);
    await page.goto('/admin/articles/41?lang=ko');
    await field('title.ko').fill(' ');
    await button('amend').click();
    await expectAt(field('title.ko'), '‘제목 (한국어)’ 칸이 비어 있어요. 채워 주세요.');
    await page.goto('/admin/articles/41?lang=ms');
    await field('summary.ms').fill('satu\ndua\ntiga\nempat');
    await button('amend').click();
    await expectAt(
      field('summary.ms'),
      '“Ringkasan (satu ayat sebaris, hingga tiga) (Bahasa Melayu)” perlu satu hingga tiga ayat, setiap satu paling banyak 400 aksara.',
    );
    await page.goto('/admin/events/1?lang=vi');
    await field('endDay').fill('2001-01-01');
    await button('save').click();
    await expectAt(field('endDay'), '“Ngày kết thúc (không bắt buộc)” sớm hơn thời điểm bắt đầu.');
    await field('endDay').fill('');
    await field('startTime').fill('20:00');
    await field('endTime').fill('19:00');
    await button('save').click();
    await expectAt(field('endTime'), '“Giờ kết thúc (không bắt buộc)” sớm hơn thời điểm bắt đầu.');
    await field('endTime').fill('');
    await field('zone').fill('Seoul');
    await button('save').click();
    await expectAt(field('zone'), '“Múi giờ” không phải là múi giờ, chẳng hạn Asia/Seoul.');
  });
});

test('the form of an event refuses days, stars and a reason where they stand', async ({ page, server }) => {
  await signIn(page.context(), server, 'editor');
  const id = await inDatabase(server.databaseUrl, () => makePendingEvent({ starId: 1 }));
  const field = (name: string) => page.locator(`[id="${name}"]`);
  const button = (value: string) => page.locator(`button[name="do"][value="${value}"]`);
  await page.goto(`/admin/events/${id}?lang=en`);
  // A language without words may stay so.
  await expect(field('title.ms')).not.toHaveAttribute('required');
  await page.getByLabel('Time not known (all day)').check();
  for (const startTime of ['', '19:00']) {
    await field('startDay').fill('1999-01-01');
    await field('startTime').fill(startTime);
    await button('save').click();
    await expectAt(field('startDay'), '“Start date” isn’t a date from 2000 to 2100.');
  }
  await expect(field('startTime')).not.toHaveAttribute('aria-invalid');
  await field('startDay').fill('2027-03-02');
  await field('endDay').fill('2027-03-01');
  await button('save').click();
  await expectAt(field('endDay'), '“End date (optional)” is before the start.');
  await field('endDay').fill('');
  const starIds = await field('starIds').inputValue();
  await field('primaryStarId').fill('abc');
  await button('save').click();
  const notStar = (value: string) =>
    `“${value}” isn’t a star’s number. Enter numbers, such as 12. Nothing was changed.`;
  await expectAt(field('primaryStarId'), notStar('abc'));
  await expect(field('starIds')).not.toHaveAttribute('aria-invalid');
  await field('starIds').fill('def');
  await button('save').click();
  await expectAt(field('primaryStarId'), notStar('abc, def'));
  await expect(field('starIds')).toHaveAttribute('aria-invalid', 'true');
  await field('starIds').fill(starIds);
  await field('primaryStarId').fill('999999');
  await button('save').click();
  await expectAt(field('primaryStarId'), '“Main star” has a number that doesn’t exist.');
  await expect(field('starIds')).not.toHaveAttribute('aria-invalid');
  await field('primaryStarId').fill('');
  const reason = page.getByLabel('Notes or reason (optional)');
  for (const decision of ['reject', 'approve']) {
    await reason.evaluate((element) => element.removeAttribute('maxlength'));
    await reason.fill('x'.repeat(1001));
    await button(decision).click();
    await expectAt(reason, '“Notes or reason (optional)” is too long: it takes 1,000 characters at most.');
  }
});

test('a source that failed says why in the language of the visit', async ({ page, server }) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [source] = await sql<{ id: number }[]>`
    insert into sources (outlet, feed_url, state, failures, last_error)
    values ('끊긴신문', 'https://nope.invalid/feed', 'paused', 1, 'network: The host nope.invalid is not known.')
    returning id`;
  await signIn(page.context(), server, 'admin');
  for (const address of ['/admin?tab=tools&tool=sources', '/admin?tab=system']) {
    for (const [lang, sentence] of [
      ['ko', '사이트에 연결할 수 없어요.'],
      ['vi', 'Không kết nối được với trang.'],
    ] as const) {
      await page.goto(`${address}&lang=${lang}`);
      const row = page.locator('.admin-row').filter({ hasText: '끊긴신문' });
      await expect(row).toContainText(sentence);
      await expect(row).not.toContainText('network:');
      await expect(row.locator('[lang="en"]')).toHaveText('The host nope.invalid is not known.');
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
  await page.goto('/admin?tab=tools&tool=reports&lang=en');
  const notes = page.locator(`[id="notes-${reports[0]?.id}"]`);
  await expect(notes).toHaveAttribute('maxlength', '500');
  await notes.evaluate((field) => field.removeAttribute('maxlength'));
  await notes.fill('x'.repeat(501));
  await page.locator('form', { has: notes }).locator('button[value="dismiss"]').click();
  await expectAt(notes, '“Notes (optional)” is too long: it takes 500 characters at most.');
  await expect(notes).toHaveValue('x'.repeat(501));
  await expect(page.locator(`[id="notes-${reports[1]?.id}"]`)).toHaveValue('');
  await sql`delete from message_reports where id in ${sql(reports.map(({ id }) => id))}`;
  await sql.end();
});

test('the fields of a story, an article and an event that must be filled in say so', async ({
  page,
  server,
}) => {
  const sql = postgres(server.databaseUrl, { max: 1 });
  const [story] = await sql<{ id: number }[]>`insert into stories (stage) values ('held') returning id`;
  await signIn(page.context(), server, 'editor');
  for (const address of [`/admin/stories/${story?.id}?lang=en`, '/admin/articles/42?lang=en']) {
    await page.goto(address);
    await expect(page.locator('main')).toContainText('Fields marked * must be filled in.');
    for (const name of ['title', 'summary', 'content']) {
      await expect(page.locator(`[id="${name}.vi"]`)).toHaveAttribute('required');
      await expect(page.locator(`label[for="${name}.vi"]`)).toContainText('*');
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
  await page.goto(`/admin/stories/${story?.id}?lang=en`);
  const notes = page.getByLabel('Notes (optional)');
  await notes.evaluate((field) => field.removeAttribute('maxlength'));
  await notes.fill('x'.repeat(1001));
  await page.locator('button[value="dismiss"]').click();
  await expectAt(notes, '“Notes (optional)” is too long: it takes 1,000 characters at most.');
  await sql`delete from stories where id = ${story?.id ?? 0}`;
  await sql.end();
});

test.describe('what a form of editors is refused for', () => {
  const failure = (page: Page) => page.locator('.admin-failure');

  test('links are told what they must be', async ({ page, server }) => {
    await signIn(page.context(), server, 'editor');
    const kinds =
      '“Link” isn’t one that can be shown. Taken are links to videos, posts, music and podcasts on YouTube, X, Instagram, TikTok and Spotify.';
    for (const url of ['https://vimeo.com/1234', 'https://www.youtube.com/@chan']) {
      await page.goto('/admin?tab=multimedia&lang=en');
      await page.locator('#articleId').fill('42');
      await page.locator('#url').fill(url);
      await page.getByRole('button', { name: 'Add' }).click();
      await expectAt(page.locator('#url'), kinds);
      const icon = await page.locator('.admin-failure svg').boundingBox();
      const sentence = await page.locator('.admin-failure a').boundingBox();
      expect(icon && sentence && icon.x + icon.width <= sentence.x).toBe(true);
      expect(icon && sentence && Math.abs(icon.y - sentence.y)).toBeLessThan(5);
    }
    await page.goto('/admin/events/2?lang=en');
    for (const link of ['foo', 'javascript:alert(1)']) {
      await page.locator('#ticketUrl').evaluate((field) => field.setAttribute('type', 'text'));
      await page.locator('#ticketUrl').fill(link);
      await page.locator('button[name="do"][value="save"]').click();
      await expectAt(
        page.locator('#ticketUrl'),
        '“Ticket link” isn’t a web address: it must begin with http:// or https://.',
      );
    }
    await page.locator('#ticketUrl').fill('');
    await page.locator('#startDay').evaluate((field) => field.removeAttribute('required'));
    await page.locator('#startDay').fill('');
    await page.locator('button[name="do"][value="save"]').click();
    await expectAt(page.locator('#startDay'), '“Start date” is empty. Please fill it in.');
  });

  test('what is there already is called so, and led to', async ({ page, server }) => {
    await signIn(page.context(), server, 'admin');
    for (const sentence of [undefined, 'This article already has this one.']) {
      await page.goto('/admin?tab=multimedia&lang=en');
      await page.locator('#articleId').fill('42');
      await page.locator('#url').fill('https://www.youtube.com/watch?v=abcdefghi_1');
      await page.getByRole('button', { name: 'Add' }).click();
      if (sentence) await expect(failure(page)).toContainText(sentence);
      else await expect(page.locator('.admin-saved')).toBeVisible();
    }
    await failure(page).getByRole('link', { name: 'Open' }).click();
    await expect(page).toHaveURL(/articleId=42/);
    await expect(page.locator('.admin-list')).toContainText('abcdefghi_1');

    const feed = `https://naru.example/${mark()}`;
    for (const sentence of [undefined, '이미 출처에 있는 피드예요.']) {
      await page.goto('/admin?tab=tools&tool=sources&lang=ko');
      await page.locator('#feedUrl').fill(feed);
      await page.locator('#outlet').fill('연예나루');
      await page.locator('button[value="sourceAdd"]').click();
      if (sentence) await expectAt(page.locator('#feedUrl'), sentence);
      else await expect(page.locator('.admin-saved')).toBeVisible();
    }
  });

  test('a correction that changes nothing, half a note and an article that is not there are named', async ({
    page,
    server,
  }) => {
    await signIn(page.context(), server, 'editor');
    await page.goto('/admin/articles/43?lang=en');
    const publish = () => page.getByRole('button', { name: 'Publish the correction' }).click();
    await publish();
    await expect(failure(page)).toHaveText('Nothing was changed.');
    await page.locator('[id="note.en"]').fill('The date was wrong.');
    await publish();
    await expectAt(
      page.locator('[id="note.ko"]'),
      '“What was corrected? (한국어, Bahasa Melayu and Tiếng Việt)” is empty. Please fill it in.',
    );
    for (const language of languages) {
      await page.locator(`[id="note.${language}"]`).fill('x', { force: true });
      await page.locator(`[id="content.${language}"]`).fill('가 '.repeat(6_000), { force: true });
    }
    await publish();
    await expect(failure(page)).toHaveText(
      'That wasn’t saved: it’s too much to send at once. Please shorten it.',
    );
    for (const [id, button] of [
      ['articleId', 'Add'],
      ['articleId-video', 'Search YouTube'],
    ] as const) {
      for (const [number, sentence] of [
        ['999999', 'There’s no public article with the number 999999.'],
        ['', '“Article number” is empty. Please fill it in.'],
      ] as const) {
        await page.goto('/admin?tab=multimedia&lang=en');
        await page.locator('#url').fill('https://www.youtube.com/watch?v=abcdefghi_2');
        await page.locator(`#${id}`).evaluate((field) => field.removeAttribute('required'));
        await page.locator(`#${id}`).fill(number);
        await page.getByRole('button', { name: button }).click();
        await expectAt(page.locator(`#${id}`), sentence);
      }
    }
  });
});

test('what is not there says so in the language of the visit, as the address of its page has it', async ({
  page,
  server,
}) => {
  await signIn(page.context(), server, 'admin');
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
    expect([path, (await page.goto(path))?.status()]).toEqual([path, 404]);
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(page.locator('main')).toContainText(sentence);
  }
});

test('a star that was added is said to be saved, and seen', async ({ page, server }) => {
  await signIn(page.context(), server, 'editor');
  await page.goto('/admin/stars/new?lang=en');
  const name = mark();
  await page.locator('[id="name.ko"]').fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.admin-saved')).toHaveText('Saved.');
  await expect(page).toHaveURL(/\/admin\/stars\/\d+\?lang=en/);
  await expect(page.locator('.admin-language summary', { hasText: 'Missing' })).toHaveCount(
    languages.length - 1,
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await page.getByRole('link', { name: 'See it on the site' }).click();
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

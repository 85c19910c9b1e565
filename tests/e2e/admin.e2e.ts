import type { Page } from '@playwright/test';
import postgres from 'postgres';
import { languages } from '#content/locales.ts';
import { expect, expectAccessible, expectNoThirdParty, holdScripts, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeStar } from '#tests/kit/make.ts';
import { delayTimers } from '#tests/kit/page-timers.ts';
import { visitAs } from '#tests/kit/plain-visit.ts';
import { signIn } from '#tests/kit/sign-in.ts';
import { setVisibility } from '#tests/kit/visibility.ts';

let eventCount = 0;

interface EventWish {
  confidence?: number;
  days?: number;
  updateOf?: number;
  verification?: 'pending' | 'approved';
}

/** An event that waits, in all four languages, some days from now; its title is nobody else's. */
async function makeEvent(
  databaseUrl: string,
  { confidence = 96, days = 3, updateOf, verification = 'pending' }: EventWish = {},
): Promise<{ id: number; titles: Record<string, string> }> {
  const sql = postgres(databaseUrl, { max: 1 });
  const mark = `${Date.now().toString(36)}${++eventCount}`;
  const titles = { ko: `물때 ${mark}`, en: `Tide ${mark}`, ms: `Pasang ${mark}`, vi: `Thủy triều ${mark}` };
  const evidence = JSON.stringify({ startTime: '오는 29일 오후 7시 강릉 등대 아래 홀에서 연다.' });
  const startTime = new Date(Date.now() + days * 86_400_000).toISOString();
  const [row] = await sql<{ id: number }[]>`
    insert into events (event_type, category_id, start_time, primary_star_id, extraction_confidence, evidence, created_at,
      checks, update_of_id, verification)
    select 'concert', id, ${startTime}, 1, ${confidence}, ${evidence}::text::jsonb, now() - interval '1 year',
      '{"dateNamed": true, "weekdayRight": false}', ${updateOf ?? null}, ${verification} from event_categories
    where event_type = 'concert' limit 1 returning id`;
  const id = row?.id ?? 0;
  for (const [language, title] of Object.entries(titles))
    await sql`insert into event_translations (event_id, language, title, venue) values (${id}, ${language}, ${title}, '등대 아래 홀')`;
  await sql.end();
  return { id, titles };
}

const desk = '/admin/events/verification';
const wrongWeekday = {
  ko: '요일이 달라요',
  en: 'The weekday is wrong',
  ms: 'Nama harinya salah',
  vi: 'Sai thứ trong tuần',
};
const rowOf = (page: Page, title: string) => page.locator('.verify-row').filter({ hasText: title });
const search = (page: Page, text: string) => page.getByRole('searchbox').fill(text);

test.describe('the administration', () => {
  test('sends guests to the login and back, and tells fans in their language that it is not for them', async ({
    page,
    server,
  }) => {
    for (const path of ['/admin', desk, '/admin/events/1']) {
      await page.goto(`${path}?lang=vi`);
      await expect(page).toHaveURL(new RegExp(`/login\\?lang=vi&next=${encodeURIComponent(path)}`));
    }
    await signIn(page.context(), server, 'user');
    for (const [lang, sentence] of [
      ['ko', '여기는 편집자만 볼 수 있어요'],
      ['ms', 'Halaman ini untuk editor sahaja'],
    ] as const) {
      const answer = await page.goto(`${desk}?lang=${lang}`);
      expect(answer?.status()).toBe(403);
      await expect(page.getByRole('heading', { name: sentence })).toBeVisible();
      await expectAccessible(page);
    }
    const foreign = await page.request.post(`${desk}?lang=ko`, {
      form: { approve: '1' },
      headers: { origin: 'https://evil.example' },
      maxRedirects: 0,
    });
    expect(foreign.status()).toBe(303);
  });
});

test.describe('verifying events', () => {
  test('an editor approves with a note, takes it back, approves again, and fans read it in four languages at once', async ({
    page,
    browser,
    server,
    baseURL,
  }) => {
    const { id, titles } = await makeEvent(server.databaseUrl);
    const fan = await (await browser.newContext({ ...(baseURL ? { baseURL } : {}) })).newPage();
    const events = (lang: string) => fan.request.get(`/api/events/${id}?language=${lang}`);
    expect((await events('ko')).status()).toBe(404);
    await signIn(page.context(), server, 'editor');
    // A decision can be taken back for ten seconds.
    await delayTimers(page, 10_000);
    await page.goto(`${desk}?lang=ko`);
    await search(page, titles.ko ?? '');
    const row = rowOf(page, titles.ko ?? '');
    await expect(page.locator('.verify-row')).toHaveCount(1);
    await expect(page).toHaveURL(/search=/);
    await expect(row.locator('.confidence')).toHaveText(/96% 높음/);
    await expect(row.locator('mark').first()).toHaveText('오는 29일');
    await row.getByRole('button', { name: /^승인/ }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(row.getByRole('button', { name: /^승인/ })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    // Asked anew before the browser has told that the dialog was closed.
    await dialog.evaluate((open: HTMLDialogElement) => {
      open.close();
      [...document.querySelectorAll('button')].find((each) => each.textContent?.startsWith('승인'))?.click();
    });
    await dialog.getByRole('textbox').fill('  공식 계정에서 확인했어요  ');
    await dialog.getByRole('button', { name: '승인' }).click();
    await expect(row).toHaveCount(0);
    await expect(page.locator('.verify-region')).toBeFocused();
    await expect(
      page.getByText('검증을 기다리는 일정이 없어요').or(page.getByText('찾는 일정이 없어요')),
    ).toBeVisible();
    expect((await events('ko')).status()).toBe(200);
    await page.locator('#toast').getByRole('button', { name: '되돌리기' }).click();
    await expect(row).toHaveCount(1);
    expect((await events('ko')).status()).toBe(404);
    await row.getByRole('button', { name: /^승인/ }).click();
    await expect(dialog.getByRole('textbox')).toBeFocused();
    await page.keyboard.press('Control+Enter');
    await expect(row).toHaveCount(0);
    await expect(page.locator('.verify-region')).toBeFocused();
    // In the month of Seoul, which may be the next one.
    const month = new Date(Date.now() + 3 * 86_400_000 + 9 * 3_600_000).toISOString().slice(0, 7);
    for (const lang of languages) {
      expect(await (await events(lang)).json()).toMatchObject({ title: titles[lang] });
      await expect(async () => {
        expect(await (await fan.request.get(`/${lang}/events?month=${month}`)).text()).toContain(
          titles[lang],
        );
      }).toPass();
    }
    await fan.context().close();
    expectNoThirdParty(page);
  });

  test('what is typed and chosen before the scripts have come counts when they have', async ({
    page,
    server,
  }) => {
    const { titles } = await makeEvent(server.databaseUrl);
    await signIn(page.context(), server, 'editor');
    let release = await holdScripts(page);
    await page.goto(`${desk}?lang=ko`, { waitUntil: 'commit' });
    await search(page, titles.ko ?? '');
    await release();
    await expect(page.locator('.verify-row')).toHaveCount(1);
    await expect(page.getByRole('searchbox')).toHaveValue(titles.ko ?? '');

    release = await holdScripts(page);
    await page.goto(`${desk}?lang=ko&search=${encodeURIComponent(titles.ko ?? '')}`, { waitUntil: 'commit' });
    await page.locator('[name="eventIds"]').check();
    await release();
    await expect(page.locator('.bulk[data-active]')).toBeVisible();
    await expect(page.locator('[name="eventIds"]')).toBeChecked();
  });

  test('many are chosen and rejected with one reason; the choice is gone afterwards, and what another decided is told', async ({
    page,
    server,
  }) => {
    const events = [
      await makeEvent(server.databaseUrl, { confidence: 90 }),
      await makeEvent(server.databaseUrl, { confidence: 75 }),
      await makeEvent(server.databaseUrl, { confidence: 74 }),
    ];
    const prefix = 'Tide';
    await signIn(page.context(), server, 'admin');
    await page.goto(`${desk}?lang=en&search=${prefix}`);
    for (const { titles } of events) await expect(rowOf(page, titles.en ?? '')).toHaveCount(1);
    await expect(rowOf(page, events[1]?.titles.en ?? '').locator('.confidence-medium')).toHaveText(
      /75% Medium/,
    );
    await expect(rowOf(page, events[0]?.titles.en ?? '').locator('.confidence-high')).toHaveText(/90% High/);
    await expect(rowOf(page, events[2]?.titles.en ?? '').locator('.confidence-low')).toHaveText(/74% Low/);
    const selectAll = page.getByRole('checkbox', { name: 'Select all on this page' });
    await selectAll.check();
    await expect(page.locator('.bulk')).toContainText(
      `${await page.locator('.verify-row').count()} selected`,
    );
    await selectAll.uncheck();
    await expect(page.locator('.bulk[data-active]')).toHaveCount(0);
    for (const { titles } of events)
      await page.getByRole('checkbox', { name: `Select ${titles.en}` }).check();
    await expect(page.locator('.bulk')).toContainText('3 selected');
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await expect(page.getByRole('dialog')).toContainText('They appear in the calendar at once');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const sql = postgres(server.databaseUrl, { max: 1 });
    await sql`update events set verification = 'approved', decided_at = now() where id = ${events[0]?.id ?? 0}`;
    await page.getByRole('button', { name: 'Reject selected' }).click();
    await expect(page.getByRole('dialog')).toContainText(
      'They stay under “Rejected”, where you can undo this.',
    );
    await page.getByRole('dialog').getByRole('textbox').fill('Not confirmed');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await expect(page.locator('#toast')).toContainText(
      'Rejected 2 events. 1 had already been decided by someone else.',
    );
    await expect(page.locator('.bulk[data-active]')).toHaveCount(0);
    await expect(page.locator('.verify-region')).toBeFocused();
    const states =
      await sql`select verification as state, decision_notes as notes from events where id = any(${events.map(({ id }) => id)}) order by id`;
    await sql.end();
    expect([...states]).toEqual([
      { state: 'approved', notes: null },
      { state: 'rejected', notes: 'Not confirmed' },
      { state: 'rejected', notes: 'Not confirmed' },
    ]);
    await page
      .getByRole('navigation', { name: 'Lists of events' })
      .getByRole('link', { name: 'Rejected' })
      .click();
    await expect(rowOf(page, events[2]?.titles.en ?? '')).toContainText('Not confirmed');
    await page.goBack();
    await expect(page.getByRole('link', { name: /^Pending/ })).toHaveAttribute('aria-current', 'page');
  });

  test('asks for the list every 10 s and for the figures every 30 s, only while somebody looks', async ({
    page,
    server,
  }) => {
    await signIn(page.context(), server, 'editor');
    await page.clock.install();
    await page.goto(`${desk}?lang=en`);
    // Its clocks run from when it can be used on.
    await page.locator('[name="eventIds"]').first().check();
    await expect(page.locator('.bulk[data-active]')).toBeVisible();
    const answerTo = (name: string) =>
      page.waitForResponse((answer) => answer.url().includes(`/verification/${name}`));
    // A list that is still being read is not asked for again.
    const isRead = () => expect(page.locator('.verify-region')).toHaveAttribute('aria-busy', 'false');
    // From now on only the test moves them: on a slow machine seconds pass between its lines. Both are asked for once for what is skipped.
    const skipped = Promise.all(['pending', 'stats'].map(answerTo));
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    await skipped;
    await isRead();
    const requestedNames: string[] = [];
    page.on('request', (request) => requestedNames.push(new URL(request.url()).pathname.replace(/.*\//, '')));
    const counts = () =>
      ['pending', 'stats'].map((name) => requestedNames.filter((each) => each === name).length);
    for (let n = 0; n < 3; n += 1) {
      // Answered before the clock is moved on: for a call, time that is skipped is time that it took.
      const answers = ['pending', ...(n === 2 ? ['stats'] : [])].map(answerTo);
      await page.clock.fastForward(10_000);
      await Promise.all(answers);
      await isRead();
    }
    expect(counts()).toEqual([3, 1]);
    await setVisibility(page, 'hidden');
    await page.clock.fastForward(90_000);
    expect(counts()).toEqual([3, 1]);
    const refreshedList = page.waitForResponse('**/verification/pending?*');
    await setVisibility(page, 'visible');
    expect((await refreshedList).status()).toBe(200);
    await expect.poll(counts).toEqual([4, 2]);
    await isRead();
    // What goes wrong is said, with a way on; the old list stays.
    const broken = '**/verification/pending?*';
    await page.route(broken, (route) => route.fulfill({ status: 400, json: { error: 'x', code: 'x' } }));
    await page.clock.fastForward(10_000);
    const trouble = page.locator('.verify-trouble');
    await expect(trouble).toContainText('Error while loading events');
    await expect(page.locator('.verify-row').first()).toBeVisible();
    await page.unroute(broken);
    await trouble.getByRole('button', { name: 'Try again' }).click();
    await expect(trouble).toHaveCount(0);
  });

  test('needs no script: events are decided, corrected and merged by plain forms', async ({
    page,
    server,
  }) => {
    const visit = await visitAs('editor', page, server);
    const [first, second] = [await makeEvent(server.databaseUrl), await makeEvent(server.databaseUrl)];
    const search = ({ titles }: typeof first) =>
      visit.goto(`${desk}?lang=en&search=${encodeURIComponent(titles.en ?? '')}`);
    await search(first);
    expect(await visit.pressAt('button[name="reject"][value="selected"]')).toBe(400);
    expect(visit.text('[role="alert"]')).toBe('Select at least one event first.');
    await search(first);
    await visit.pressAt('.verify-row button[name="approve"]', { notes: 'Seen at the venue' });
    expect(visit.text('[role="status"]')).toBe('Approved 1 event.');
    expect((await page.request.get(`/api/events/${first.id}`)).status()).toBe(200);
    await search(second);
    await visit.follow(/^Edit or merge/);
    await visit.press('Save', { startDay: '2031-05-05', startTime: '19:30' });
    expect(visit.text('.admin-saved')).toContain('Saved.');
    expect(visit.value('startDay')).toBe('2031-05-05');
    await visit.press('Merge', { into: String(second.id) });
    expect(visit.text('.admin-failure')).toBe(
      '“Number of the existing event” is this event itself. Enter the number of another one.',
    );
    expect(visit.value('into')).toBe(String(second.id));
    await visit.press('Merge', { into: '2147483647', takePlace: null });
    expect([visit.value('into'), visit.value('takeTime'), visit.value('takePlace')]).toEqual([
      '2147483647',
      'on',
      undefined,
    ]);
    await visit.press('Merge', { into: String(first.id) });
    const merged = await (await page.request.get(`/api/events/${first.id}`)).json();
    expect(merged.startTime).toBe('2031-05-05T10:30:00.000Z');
    expect(visit.text('main')).toContain('This event was rejected.');
  });

  test('presets what an older find would take over: nothing from an update of it that is public', async ({
    page,
    server,
  }) => {
    const visit = await visitAs('editor', page, server);
    const older = await makeEvent(server.databaseUrl);
    const newer = await makeEvent(server.databaseUrl, { updateOf: older.id, verification: 'approved' });
    const other = await makeEvent(server.databaseUrl, { updateOf: newer.id });
    const presets = () => [visit.value('into'), visit.value('takeTime'), visit.value('takePlace')];
    await visit.goto(`/admin/events/${other.id}?lang=en`);
    expect(presets()).toEqual([String(newer.id), 'on', 'on']);
    await visit.goto(`/admin/events/${older.id}?lang=en`);
    expect(presets()).toEqual([String(newer.id), undefined, undefined]);
  });

  test('says without a script what was done about many, and what another had decided', async ({
    page,
    server,
  }) => {
    await signIn(page.context(), server, 'editor');
    const events = [await makeEvent(server.databaseUrl), await makeEvent(server.databaseUrl)];
    const [decided, waiting] = events.map(({ id }) => id);
    const send = (form: string) =>
      page.request.post(`${desk}?lang=en`, {
        headers: { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
        data: form,
      });
    expect((await send(`approve=${decided}`)).status()).toBe(200);
    const both = `reject=selected&eventIds=${decided}&eventIds=${waiting}`;
    const answer = await send(both);
    expect(await answer.text()).toContain('Rejected 1 event. 1 had already been decided by someone else.');
    const again = await send(both);
    expect(again.status()).toBe(409);
    expect(await again.text()).toContain('2 had already been decided by someone else.');
    const decisionOf = async () =>
      (await (await page.request.get(`/api/admin/events/${waiting}/verification`)).json()).decision;
    const first = await decisionOf();
    expect((await send(`undo=${waiting}+x`)).status()).toBe(400);
    expect(await (await send(`undo=${waiting}+${first}`)).text()).toContain(
      'waiting for verification again.',
    );
    expect(await (await send(`undo=${waiting}+${first}`)).text()).toContain('be undone. It may have changed');
    // A list that somebody left open takes back what it shows, and not what was decided since.
    await send(`reject=${waiting}`);
    expect((await send(`undo=${waiting}`)).status()).toBe(409);
    const shown = await decisionOf();
    await send(`undo=${waiting}+${shown}`);
    await send(`approve=${waiting}`);
    expect((await send(`undo=${waiting}+${shown}`)).status()).toBe(409);
    expect(await (await send(`undo=${waiting}+${await decisionOf()}`)).text()).toContain(
      'waiting for verification again.',
    );
  });

  test('has its buttons about many on a phone without a sideways scroll, each of its own width', async ({
    page,
    server,
  }) => {
    const { titles } = await makeEvent(server.databaseUrl);
    await signIn(page.context(), server, 'editor');
    await page.setViewportSize({ width: 360, height: 740 });
    for (const lang of languages) {
      await page.goto(`${desk}?lang=${lang}&search=${titles[lang]}`);
      await page.locator('.verify-row input[type=checkbox]').check();
      const widths = await page
        .locator('.bulk[data-active]')
        .evaluate((bar) => [bar.scrollWidth - bar.clientWidth, document.body.scrollWidth]);
      expect([lang, ...widths]).toEqual([lang, 0, 360]);
      const buttons = await page
        .locator('.bulk-actions .button')
        .evaluateAll((all) =>
          all.map((button) => button.scrollWidth - button.clientWidth + (button.clientHeight > 50 ? 1 : 0)),
        );
      expect([lang, ...buttons]).toEqual([lang, 0, 0]);
    }
  });

  test('is accessible in every language, light and dark, at every width', async ({ page, server }) => {
    const knownEvent = await makeEvent(server.databaseUrl, { verification: 'approved' });
    const { titles } = await makeEvent(server.databaseUrl, { updateOf: knownEvent.id });
    await signIn(page.context(), server, 'admin');
    for (const [lang, colorScheme, width] of [
      ['ko', 'light', 360],
      ['ms', 'dark', 768],
      ['vi', 'light', 1280],
      ['en', 'dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${desk}?lang=${lang}&search=${encodeURIComponent(titles[lang] ?? '')}`);
      await page.getByRole('checkbox').nth(1).check();
      await expect(page.locator('.bulk[data-active]')).toBeVisible();
      await expect(page.locator('.verify-known a')).toHaveText(knownEvent.titles[lang] ?? '');
      await expect(page.locator('[data-check="weekdayRight"]')).toHaveText(wrongWeekday[lang]);
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
});

/** Presses a button of the form of an event, and gives what is said about it. */
async function answerTo(page: Page, button: string): Promise<string> {
  // What was said of an earlier press stands there until the next page has come.
  await page.evaluate(() => document.documentElement.setAttribute('data-pressed', ''));
  await page.getByRole('button', { name: button, exact: true }).click();
  const answers = page.locator('html:not([data-pressed]) :is(.admin-failure, .admin-saved)');
  await answers.first().waitFor();
  return (await answers.allTextContents()).map((text) => text.trim()).join(' ');
}

test.describe('the form of an event', () => {
  test('takes no star off because of a word that it does not understand, and names it', async ({
    page,
    server,
  }) => {
    const { id } = await makeEvent(server.databaseUrl);
    await signIn(page.context(), server, 'editor');
    await page.goto(`/admin/events/${id}?lang=en`);
    const starIds = async () => (await (await page.request.get(`/api/admin/events/${id}`)).json()).starIds;
    const allStars = page.getByLabel('All stars');
    const mainStar = page.getByLabel('Main star');
    await allStars.fill('1, 2 3');
    expect(await answerTo(page, 'Save')).toBe('Saved.');
    expect(await starIds()).toEqual([1, 2, 3]);
    const savedStars = await allStars.inputValue();
    const savedMainStar = await mainStar.inputValue();
    expect(savedStars).toMatch(/^1 \D+, 2 \D+, 3 \D+$/);
    for (const [stars, primary, unread] of [
      ['abc', savedMainStar, 'abc'],
      ['1, PADOBAN, 2', savedMainStar, 'PADOBAN'],
      ['1 2 x', savedMainStar, '1 2 x'],
      [savedStars, 'PADOBAN', 'PADOBAN'],
    ] as const) {
      await allStars.fill(stars);
      await mainStar.fill(primary);
      expect(await answerTo(page, 'Save')).toBe(
        `“${unread}” isn’t a star’s number. Enter numbers, such as 12. Nothing was changed.`,
      );
      await expect(allStars).toHaveValue(stars);
    }
    expect(await starIds()).toEqual([1, 2, 3]);
    await allStars.fill(savedStars);
    await mainStar.fill(savedMainStar);
    expect(await answerTo(page, 'Save')).toBe('Saved.');
    expect(await starIds()).toEqual([1, 2, 3]);
  });
});

test.describe('approving by the form of an event', () => {
  test('asks for a start time, and once more about what is over or has no star', async ({ page, server }) => {
    const { id } = await makeEvent(server.databaseUrl, { days: -3 });
    await signIn(page.context(), server, 'editor');
    await page.goto(`/admin/events/${id}?lang=en`);
    const read = async () => (await page.request.get(`/api/admin/events/${id}`)).json();
    const time = page.getByLabel('Start time');
    const startTime = await time.inputValue();
    const eventBefore = await read();
    await time.fill('');
    expect(await answerTo(page, 'Save')).toBe(
      'A start time is needed. If it isn’t known, tick “Time not known (all day)”.',
    );
    expect(await read()).toEqual(eventBefore);
    await time.fill(startTime);
    await page.getByLabel('Notes or reason').fill('Seen at the venue');
    const pressAgain = 'To approve it anyway, press “Save and approve” again.';
    expect(await answerTo(page, 'Save and approve')).toBe(
      `Saved, but not approved yet. This event is over already. ${pressAgain}`,
    );
    expect((await read()).verification).toBe('pending');
    await page.getByLabel('Main star').fill('');
    await page.getByLabel('All stars').fill('');
    expect(await answerTo(page, 'Save and approve')).toBe(
      `Saved, but not approved yet. This event is over already. It has no star. ${pressAgain}`,
    );
    expect(await read()).toMatchObject({ verification: 'pending', starIds: [] });
    await expect(page.getByLabel('Notes or reason')).toHaveValue('Seen at the venue');
    expect(await answerTo(page, 'Save and approve')).toBe('Saved.');
    expect((await read()).verification).toBe('approved');
  });
});

test.describe('the forms of a star and of a source', () => {
  test('take no life that cannot be, and no language that the newsroom cannot read', async ({
    page,
    server,
  }) => {
    await signIn(page.context(), server, 'admin');
    const names = { ko: '한평생', en: 'LIFELONG', ms: 'LIFELONG', vi: 'LIFELONG' };
    const star = await inDatabase(server.databaseUrl, () => makeStar({ name: names.ko, names }));
    await page.goto(`/admin/stars/${star}?lang=en`);
    const birthday = page.getByLabel('Birthday');
    await birthday.fill('2098-01-01');
    await page.getByLabel('Debut date').fill('1990-01-01');
    expect(await answerTo(page, 'Save')).toBe(
      'The birthday is in the future. The debut date is before the birthday.',
    );
    await birthday.fill('1991-01-01');
    expect(await answerTo(page, 'Save')).toBe('The debut date is before the birthday.');
    await birthday.fill('1970-01-01');
    expect(await answerTo(page, 'Save')).toBe('Saved.');
    await page.goto('/admin?tab=tools&tool=sources&lang=ms');
    await expect(page.getByLabel('Bahasa', { exact: true }).locator('option')).toHaveText([
      '한국어',
      'English',
    ]);
    await expectAccessible(page);
  });
});

test.describe('two editors of one thing', () => {
  test('whoever corrects an event that is decided meanwhile compares at once, and saves with the next press', async ({
    page,
    server,
  }) => {
    const own = await visitAs('editor', page, server);
    const other = own.another();
    for (const button of ['Save', 'Save and approve']) {
      const { id } = await makeEvent(server.databaseUrl);
      await own.goto(`/admin/events/${id}?lang=en`);
      await other.goto(own.url);
      await other.press('Save and approve', { 'venue.vi': 'Hải đăng' });
      expect(await own.press(button, { 'venue.en': 'The pier' })).toBe(409);
      expect(own.texts('.admin-differences dd')).toEqual(['YoursThe pier', 'Saved now등대 아래 홀']);
      await own.press('Save');
      expect(own.text('.admin-saved')).toBe('Saved.');
      expect([own.value('venue.en'), own.value('venue.vi')]).toEqual(['The pier', 'Hải đăng']);
    }
  });

  test('nobody signs words as their reviewer that another has changed since', async ({ page, server }) => {
    const own = await visitAs('editor', page, server);
    const other = own.another();
    for (const visit of [own, other]) await visit.goto('/admin/articles/41?lang=en');
    const title = `Changed ${Date.now().toString(36)}`;
    await other.press('Publish the correction', { 'title.en': title });
    expect(await own.pressAt('button[value="review"]')).toBe(409);
    expect(own.text('.admin-failure')).toBe('Someone changed this in the meantime. Check how it looks now.');
    expect(own.value('title.en')).toBe(title);
  });

  test('the second is told, loses nothing that was typed, compares, and saves on purpose', async ({
    page,
    browser,
    server,
    baseURL,
  }) => {
    const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
    const { id } = await makeEvent(server.databaseUrl);
    await signIn(page.context(), server, 'editor');
    await signIn(context, server, 'editor');
    const otherEditor = await context.newPage();
    const mark = Date.now().toString(36);
    for (const [path, field, label, button] of [
      ['/admin/articles/41', 'title.en', 'Title · English', 'Publish the correction'],
      [`/admin/events/${id}`, 'venue.en', 'Venue · English', 'Save'],
    ] as const) {
      const input = (tab: Page) => tab.locator(`[name="${field}"]`);
      const save = (tab: Page) => tab.getByRole('button', { name: button, exact: true }).click();
      await page.goto(`${path}?lang=en`);
      await otherEditor.goto(`${path}?lang=en`);
      await input(page).fill(`First ${mark}`);
      await save(page);
      await expect(page.locator('.admin-saved')).toBeVisible();
      await input(otherEditor).fill(`Second ${mark}`);
      await save(otherEditor);
      await expect(otherEditor.getByRole('alert')).toHaveText(
        'Someone changed this in the meantime. Check how it looks now.',
      );
      await expect(input(otherEditor)).toHaveValue(`Second ${mark}`);
      const differences = otherEditor.locator('.admin-differences dl');
      await expect(differences).toHaveCount(1);
      await expect(differences.locator('dt')).toHaveText(label);
      await expect(differences.locator('dd')).toHaveText([`YoursSecond ${mark}`, `Saved nowFirst ${mark}`]);
      await expectAccessible(otherEditor);
      await page.reload();
      await expect(input(page)).toHaveValue(`First ${mark}`);
      await save(otherEditor);
      await expect(otherEditor.locator('.admin-saved')).toBeVisible();
      await expect(input(otherEditor)).toHaveValue(`Second ${mark}`);
    }
    await context.close();
  });
});

test.describe('the dashboard', () => {
  test('shows its figures, and each tab and tool at its address, accessible at every width', async ({
    page,
    browser,
    server,
  }) => {
    test.slow();
    const admin = await signIn(page.context(), server, 'admin');
    const sql = postgres(server.databaseUrl, { max: 1 });
    await sql`insert into audit_log (actor_id, action, subject, subject_id) values (${admin.id}, 'event.approve', 'event', 1)`;
    await sql`insert into message_reports (message_id, reporter_id, reason) select max(id), ${admin.id}, 'spoiler' from messages`;
    await sql.end();
    await page.clock.install();
    await page.goto('/admin?lang=ko');
    await expect(page.locator('[data-figure="totalStars"]')).toHaveText(/^\d+$/);
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    const stats = () => requestedPaths.filter((path) => path === '/api/admin/stats').length;
    // Every 30 s, but only while somebody can see it (§9).
    await setVisibility(page, 'hidden');
    // From now on only the test moves the clock: a slow machine would add its own seconds to the 28 below.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 65_000));
    expect(stats()).toBe(0);
    const answer = page.waitForResponse('**/api/admin/stats');
    await setVisibility(page, 'visible');
    expect((await answer).status()).toBe(200);
    await page.clock.fastForward(28_000);
    expect(stats()).toBe(1);
    await page.clock.fastForward(4_000);
    await expect.poll(stats).toBe(2);
    // axe needs time to pass.
    await page.clock.resume();
    const tools = ['stories', 'articles', 'stars', 'reports', 'sources', 'users', 'audit'];
    const adminPage = await page.context().newPage();
    for (const [index, path] of [
      '/admin?tab=system',
      '/admin?tab=multimedia',
      ...tools.map((tool) => `/admin?tab=tools&tool=${tool}`),
      '/admin/articles/1',
      '/admin/stars/1',
      '/admin/stars/new',
    ].entries()) {
      const width = [360, 768, 1280][index % 3] ?? 360;
      await adminPage.emulateMedia({ colorScheme: index % 2 ? 'dark' : 'light' });
      await adminPage.setViewportSize({ width, height: 800 });
      expect(
        (
          await adminPage.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${index % 2 ? 'ms' : 'ko'}`)
        )?.status(),
      ).toBe(200);
      await expectAccessible(adminPage);
      expect([path, await adminPage.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        path,
        width,
      ]);
    }
    await adminPage.goto('/admin?tab=tools&tool=users&lang=vi');
    await expect(adminPage.locator('main')).toContainText(
      'npx -y bun run admin fan@mail.example --role editor',
    );
    await expect(adminPage.locator('main form[method="post"]')).toHaveCount(0);
    await adminPage.goto('/admin?tab=tools&tool=reports&lang=ms');
    await expect(adminPage.locator('.admin-list')).toContainText('Bocoran cerita (spoiler)');
    await adminPage.goto('/admin?tab=tools&tool=audit&lang=vi');
    await expect(adminPage.locator('.admin-list')).toContainText('Duyệt sự kiện');
    await expect(adminPage.locator('.admin-list strong').filter({ hasText: '.' })).toHaveCount(0);
    const editorContext = await browser.newContext();
    await signIn(editorContext, server, 'editor');
    const editorPage = await editorContext.newPage();
    await editorPage.goto(`${server.url}/admin?tab=tools&tool=users&lang=ko`);
    await expect(editorPage.getByRole('heading', { name: '편집 데스크' })).toBeVisible();
    await expect(editorPage.getByRole('link', { name: '사용자와 역할' })).toHaveCount(0);
    await editorContext.close();
  });

  test('an editor corrects a story in four languages, and every page says the new words', async ({
    page,
    server,
  }) => {
    await signIn(page.context(), server, 'editor');
    await page.goto('/admin/articles/40?lang=en');
    const mark = Date.now().toString(36);
    for (const [code, language] of [
      ['ko', '한국어'],
      ['en', 'English'],
      ['ms', 'Bahasa Melayu'],
      ['vi', 'Tiếng Việt'],
    ] as const) {
      const part = page.locator('details.admin-language').filter({ hasText: language });
      if ((await part.getAttribute('open')) === null) await part.locator('summary').click();
      await part.locator(`[name="title.${code}"]`).fill(`${code} ${mark}`);
      await page.locator(`[name="note.${code}"]`).fill(`${code} correction`);
    }
    await page.getByRole('button', { name: 'Publish the correction' }).click();
    await expect(page.locator('.admin-saved')).toBeVisible();
    for (const lang of languages)
      await expect(async () => {
        const text = await (await page.request.get(`/${lang}/article/40`)).text();
        expect(text).toContain(`${lang} ${mark}`);
        expect(text).toContain(`${lang} correction`);
      }).toPass();
  });
});

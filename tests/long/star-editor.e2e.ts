import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { connection } from '#db/client.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeStar } from '#tests/kit/make.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';
import type { TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';

let starCount = 0;

/** A star that nothing is known of but its names in two languages. */
function addStar(server: TestServer): Promise<number> {
  const name = `Editable ${Date.now().toString(36)}${++starCount}`;
  return inDatabase(server.databaseUrl, () => makeStar({ name, names: { ko: name, en: name } }));
}

const field = (page: Page, name: string): Locator => page.locator(`[name="${name}"]`);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const saved = (page: Page) => expect(page.locator('.admin-saved')).toHaveText('Saved.');
const status = (page: Page) => page.locator('[data-status]');

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const one = field(page, name);
    if ((await one.evaluate((each) => each.localName)) === 'select') await one.selectOption(value);
    else await one.fill(value);
  }
}

/** The section's form for a new entry, filled in and added: pressed twice it makes one. */
async function add(page: Page, star: number, section: string, values: Readonly<Record<string, string>>) {
  await page.goto(`/admin/stars/${star}?lang=en&section=${section}&entry=new`);
  await fill(page, values);
  await page.getByRole('button', { name: 'Add', exact: true }).dblclick();
  await saved(page);
  // What was kept until then is forgotten by the script of this page: whoever leaves it before finds it in the next form.
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':draft:')));
  await expect.poll(kept).toEqual([]);
}

test.describe('without a script', () => {
  let visit: PlainVisit;

  test.beforeEach(async ({ context, server }) => {
    await signIn(context, server, 'editor');
    visit = new PlainVisit(context.request, server.url);
  });

  /** Presses a button of a form, and reads that it was saved. */
  async function save(button: string, typed: Readonly<Record<string, string>> = {}) {
    await visit.press(button, typed);
    expect([button, visit.text('.admin-saved')]).toEqual([button, 'Saved.']);
  }

  /** Pressed twice it makes one. */
  async function addEntry(star: number, section: string, typed: Readonly<Record<string, string>>) {
    await visit.goto(`/admin/stars/${star}?lang=en&section=${section}&entry=new`);
    await Promise.all([visit.press('Add', typed), visit.press('Add', typed)]);
    expect([section, visit.text('.admin-saved')]).toEqual([section, 'Saved.']);
  }

  test('an editor makes a profile rich, section by section, and its page shows it', async ({ server }) => {
    const star = await addStar(server);
    await visit.goto(`/admin/stars/${star}?lang=en`);
    await save('Save', {
      birthDate: '2001-02',
      height: '168',
      mbti: 'INFJ',
      activity: 'hiatus',
      'name.ms': 'Bintang',
      'biography.en': 'Sings since school.',
    });
    expect(visit.value('height')).toBe('168');

    await addEntry(star, 'timeline', {
      date: '2019-05',
      type: 'concert',
      'title.en': 'First hall concert',
      sourceName: 'The hall',
      sourceUrl: 'https://hall.example/2019',
    });
    await addEntry(star, 'achievements', {
      awardDate: '2020',
      'awardName.en': 'Harbour Award',
      'achievement.en': 'Song of the year',
    });
    await addEntry(star, 'links', {
      platform: 'instagram',
      profileUrl: `https://www.instagram.com/editable${star}`,
      displayName: '@editable',
      followerCount: '1200',
      countedOn: '2026-11-01',
    });
    await addEntry(star, 'members', { 'names.en': 'Zeta', since: '2018' });
    await addEntry(star, 'members', { 'names.en': 'Alpha', 'roles.en': 'Dance' });

    // A date that there is not is refused in words, at its field, and nothing that was typed is lost.
    await visit.goto(`/admin/stars/${star}?lang=en&section=timeline`);
    await visit.follow('First hall concert');
    await visit.press('Save', { date: '2019-02-30', 'title.en': 'Second hall concert' });
    expect(visit.texts('main [role="alert"]')).toEqual([
      '“Date” isn’t a date such as 2001, 2001-02 or 2001-02-28.',
    ]);
    expect(visit.attribute('[name="date"]', 'aria-invalid')).toBe('true');
    expect(visit.value('title.en')).toBe('Second hall concert');
    await save('Save', { date: '2019-06' });

    await visit.goto(`/admin/stars/${star}?lang=en&section=members`);
    const names = () => visit.texts('[data-ordered] > li a');
    expect(names()).toEqual(['Zeta', 'Alpha']);
    await visit.press('Move up: Alpha');
    expect(names()).toEqual(['Alpha', 'Zeta']);
    await visit.follow('Zeta');
    await save('Remove this entry');
    expect(names()).toEqual(['Alpha']);

    await visit.goto(`/admin/stars/${star}?lang=en&section=sources&entry=birthDate`);
    await save('Save', { sourceName: 'Agency profile' });

    await inDatabase(
      server.databaseUrl,
      () =>
        connection()`insert into star_offers (star_id, field, offered, source)
          values (${star}, 'mbti', '"ENFP"', '{"name": "An import"}'), (${star}, 'height', '170', '{"name": "An import"}')`,
    );
    await visit.goto(`/admin/stars/${star}?lang=en&section=offers`);
    expect(visit.text('.admin-list')).toContain('Saved now: INFJ');
    await save('Take MBTI: ENFP');
    await save('Decline Height (cm)');
    expect(visit.texts('.admin-list > li')).toEqual([]);

    await visit.goto(`/en/star/${star}`);
    expect(visit.text('main')).toContain('168 cm');
    expect(visit.text('main')).toContain('Second hall concert');

    await visit.goto(`/admin/stars/${star}?lang=en&section=history`);
    expect(visit.text('.admin-list > li')).toContain('Edited a star');
    await visit.pressAt('.admin-list > li:last-child button:not([type="button"])');
    expect(visit.text('.admin-saved')).toBe('Saved.');
    await visit.goto(`/admin/stars/${star}?lang=en`);
    expect(visit.value('height')).toBe('');
  });

  test('pictures are sent, placed, and shown with their words', async ({ server, page }) => {
    const star = await addStar(server);
    const background = { r: star % 200, g: 90, b: Date.now() % 200 };
    const bytes = await sharp({ create: { width: 900, height: 900, channels: 3, background } })
      .jpeg()
      .toBuffer();
    await visit.goto(`/admin/stars/${star}?lang=en&section=pictures`);
    await visit.press('Upload', {}, { name: 'star.jpg', mimeType: 'image/jpeg', buffer: bytes });
    expect(visit.url).toMatch(/section=pictures.*picture=\d+/);
    await save('Use as the round picture');
    expect(visit.attribute('img[alt="Round picture"]', 'src')).toMatch(/^\//);
    await visit.goto(`/admin/stars/${star}?lang=en&section=photos&entry=new`);
    const [photo = ''] = visit.choices('picture');
    await save('Add', {
      picture: photo,
      category: 'event',
      'title.en': 'At the harbour',
      photographer: 'Sori Kim',
    });
    await page.goto(`/en/star/${star}?tab=photos`);
    await expect(page.getByRole('img', { name: 'At the harbour' })).toBeVisible();

    // A moment of the timeline may have one, too, and none again.
    await visit.goto(`/admin/stars/${star}?lang=en&section=timeline&entry=new`);
    expect(visit.value('picture')).toBe('');
    const key = visit.choices('picture').find((choice) => choice !== '') ?? '';
    await inDatabase(
      server.databaseUrl,
      () =>
        connection()`update pictures set credit = 'Sori Kim', alt = '{"en":"The harbour gate"}' where key = ${key}`,
    );
    await save('Add', { picture: key, date: '2020-05', type: 'concert', 'title.en': 'First night' });
    await page.goto(`/en/star/${star}`);
    const moment = page.locator('.moment', { hasText: 'First night' });
    await expect(moment.getByRole('img', { name: 'The harbour gate' })).toBeVisible();
    await expect(moment.locator('.credit')).toHaveText('Photo: Sori Kim');
    await visit.goto(`/admin/stars/${star}?lang=en&section=timeline`);
    await visit.follow('First night');
    expect(visit.value('picture')).toBe(key);
    await save('Save', { picture: '' });
    await page.goto(`/en/star/${star}`);
    await expect(moment).toBeVisible();
    await expect(moment.getByRole('img')).toHaveCount(0);
  });

  test('a star is hidden, merged after its confirmation, and deleted while nothing refers to it', async ({
    server,
  }) => {
    const [doubled, kept, alone] = [await addStar(server), await addStar(server), await addStar(server)];
    const actions = (id: number) => visit.goto(`/admin/stars/${id}?lang=en&section=actions`);
    await actions(doubled);
    await visit.press('Hide this star');
    expect(visit.text('.admin-lead')).toBe('Hidden from readers');
    expect(await visit.goto(`/en/star/${doubled}`)).toBe(404);
    await actions(doubled);
    await visit.press('Show this star again');
    await visit.press('Search', { into: String(kept) });
    expect(visit.text('.admin-note')).toContain(`(${doubled}) →`);
    await visit.press('Merge for good');
    expect(visit.url).toContain(`/admin/stars/${kept}?`);
    await visit.goto(`/admin/stars/${doubled}?lang=en`);
    expect(visit.url).toContain(`/admin/stars/${kept}?`);
    await actions(kept);
    expect(visit.text('#delete-title + p')).toContain('stars that were merged into it (1)');
    await actions(alone);
    await save('Delete this star');
    expect(await visit.goto(`/admin/stars/${alone}`)).toBe(404);
  });
});

test.describe('with a script', () => {
  test('what is typed saves itself, survives a closed tab and a lost network, and says so', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, 'editor');
    const star = await addStar(server);
    const address = `/admin/stars/${star}?lang=en`;
    const stored = async () => {
      const [row] = await inDatabase(
        server.databaseUrl,
        () =>
          connection()<{ height: number | null }[]>`select height from star_profiles where star_id = ${star}`,
      );
      return row?.height ?? null;
    };
    await page.goto(address);
    await field(page, 'height').fill('170');
    await expect(status(page)).toHaveText(/^Saved at (?:[01]\d|2[0-3]):\d\d\.$/);
    expect(await stored()).toBe(170);
    // The version goes along: what is typed next is no conflict with oneself.
    await field(page, 'height').fill('171');
    await expect.poll(stored).toBe(171);

    await field(page, 'birthDate').fill('2001-02-30');
    await expect(status(page)).toContainText('isn’t a date such as');
    await expect(field(page, 'birthDate')).toHaveAttribute('aria-invalid', 'true');
    await field(page, 'birthDate').fill('');
    await expect(status(page)).toHaveText(/^Saved at /);
    await expect(field(page, 'birthDate')).not.toHaveAttribute('aria-invalid');

    await context.setOffline(true);
    await field(page, 'height').fill('172');
    await expect(status(page)).toContainText('No connection.');
    await page.close();
    await context.setOffline(false);
    const later = await context.newPage();
    await later.goto(address);
    await expect(field(later, 'height')).toHaveValue('172');
    await expect(status(later)).toHaveText(/^Saved at /);
    expect(await stored()).toBe(172);
    expect(
      await later.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':draft:'))),
    ).toEqual([]);
  });

  test('two editors of one entry see both versions, and one saves on purpose', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, 'editor');
    const star = await addStar(server);
    await add(page, star, 'timeline', { date: '2019', 'title.en': 'Debut stage' });
    await page.getByRole('link', { name: 'Debut stage' }).click();
    await page.waitForURL(/entry=\d+/);
    const other = await context.newPage();
    await other.goto(page.url());
    await field(other, 'title.en').fill('Theirs');
    await field(other, 'type').selectOption('concert');
    await expect(status(other)).toHaveText(/^Saved at /);
    await field(page, 'title.en').fill('Mine');
    await expect(status(page)).toContainText('Someone else changed this.');
    // The type was left alone here: what the other one chose came in.
    await expect(page.locator('.admin-differences dd')).toHaveText(['YoursMine', 'Saved nowTheirs']);
    await expect(field(page, 'type')).toHaveValue('concert');
    await expectAccessible(page);
    await press(page, 'Save');
    await saved(page);
    await expect(field(page, 'title.en')).toHaveValue('Mine');
    await expect(field(page, 'type')).toHaveValue('concert');
    await expect(page.locator('.admin-differences')).toHaveCount(0);
  });

  test('a member is chosen by name, and moves by the keyboard, which keeps its place', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, 'editor');
    const [star, member] = [await addStar(server), await addStar(server)];
    await add(page, star, 'members', { 'names.en': 'Only a name' });
    await page.goto(`/admin/stars/${star}?lang=en&section=members&entry=new`);
    await field(page, 'star').fill('Editable');
    await expect(status(page)).toHaveText('Kept on this device until you add it.');
    await press(page, 'Add');
    await expect(page.getByRole('alert')).toContainText('Choose the star that’s meant.');
    await page
      .locator('.star-candidates')
      .getByRole('button')
      .filter({ hasText: `${member} ·` })
      .click();
    await saved(page);
    const names = page.locator('[data-ordered] > li a');
    await expect(names).toHaveText(['Only a name', /^Editable /]);
    await page.locator('[data-ordered] > li').last().getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect(names).toHaveText([/^Editable /, 'Only a name']);
    // At the end of its way the other button has the focus.
    const entries = page.locator('[data-ordered] > li');
    await expect(entries.first().getByRole('button')).toBeFocused();
    await entries.last().dragTo(entries.first(), { targetPosition: { x: 20, y: 4 } });
    await expect(page).toHaveURL(/saved=1$/);
    await expect(names).toHaveText(['Only a name', /^Editable /]);
  });

  test('every section is accessible and fits, light and dark', async ({ page, context, server }) => {
    test.slow();
    await signIn(context, server, 'editor');
    const sections = [
      'pictures',
      'members',
      'photos',
      'timeline&entry=new',
      'achievements',
      'links&entry=new',
      'sources&entry=debutDate',
      'offers',
      'history',
      'actions',
    ];
    for (const [index, section] of sections.entries()) {
      const width = [360, 768, 1280][index % 3] ?? 360;
      await page.emulateMedia({ colorScheme: index % 2 ? 'dark' : 'light' });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/admin/stars/1?section=${section}&lang=${index % 2 ? 'ms' : 'ko'}`);
      await expectAccessible(page);
      expect([section, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        section,
        width,
      ]);
    }
  });
});

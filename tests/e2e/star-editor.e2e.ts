import type { BrowserContext, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { connection } from '#db/client.ts';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeStar } from '#tests/kit/make.ts';
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
}

test.describe('without a script', () => {
  let context: BrowserContext;
  let page: Page;

  test.beforeEach(async ({ browser, server, baseURL }) => {
    context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), javaScriptEnabled: false });
    await signIn(context, server, 'editor');
    page = await context.newPage();
  });
  test.afterEach(() => context.close());

  test('an editor makes a profile rich, section by section, and its page shows it', async ({ server }) => {
    test.slow();
    const star = await addStar(server);
    await page.goto(`/admin/stars/${star}?lang=en`);
    await fill(page, {
      birthDate: '2001-02',
      height: '168',
      mbti: 'INFJ',
      activity: 'hiatus',
      'name.ms': 'Bintang',
      'biography.en': 'Sings since school.',
    });
    await press(page, 'Save');
    await saved(page);
    await expect(field(page, 'height')).toHaveValue('168');

    await add(page, star, 'timeline', {
      date: '2019-05',
      type: 'concert',
      'title.en': 'First hall concert',
      sourceName: 'The hall',
      sourceUrl: 'https://hall.example/2019',
    });
    await add(page, star, 'achievements', {
      awardDate: '2020',
      'awardName.en': 'Harbour Award',
      'achievement.en': 'Song of the year',
    });
    await add(page, star, 'links', {
      platform: 'instagram',
      profileUrl: `https://www.instagram.com/editable${star}`,
      displayName: '@editable',
      followerCount: '1200',
      countedOn: '2026-11-01',
    });
    await add(page, star, 'members', { 'names.en': 'Zeta', since: '2018' });
    await add(page, star, 'members', { 'names.en': 'Alpha', 'roles.en': 'Dance' });

    // A date that there is not is refused in words, at its field, and nothing that was typed is lost.
    await page.goto(`/admin/stars/${star}?lang=en&section=timeline`);
    await page.getByRole('link', { name: 'First hall concert' }).click();
    await fill(page, { date: '2019-02-30', 'title.en': 'Second hall concert' });
    await press(page, 'Save');
    await expect(page.getByRole('alert')).toHaveText(
      '“Date” isn’t a date such as 2001, 2001-02 or 2001-02-28.',
    );
    await expect(field(page, 'date')).toHaveAttribute('aria-invalid', 'true');
    await expect(field(page, 'title.en')).toHaveValue('Second hall concert');
    await fill(page, { date: '2019-06' });
    await press(page, 'Save');
    await saved(page);

    await page.goto(`/admin/stars/${star}?lang=en&section=members`);
    const names = page.locator('[data-ordered] > li a');
    await expect(names).toHaveText(['Zeta', 'Alpha']);
    await press(page, 'Move up: Alpha');
    await expect(names).toHaveText(['Alpha', 'Zeta']);
    await page.getByRole('link', { name: 'Zeta' }).click();
    await press(page, 'Remove this entry');
    await saved(page);
    await expect(names).toHaveText(['Alpha']);

    await page.goto(`/admin/stars/${star}?lang=en&section=sources&entry=birthDate`);
    await fill(page, { sourceName: 'Agency profile' });
    await press(page, 'Save');
    await saved(page);

    await inDatabase(
      server.databaseUrl,
      () =>
        connection()`insert into star_offers (star_id, field, offered, source)
          values (${star}, 'mbti', '"ENFP"', '{"name": "An import"}'), (${star}, 'height', '170', '{"name": "An import"}')`,
    );
    await page.goto(`/admin/stars/${star}?lang=en&section=offers`);
    await expect(page.locator('.admin-list')).toContainText('Saved now: INFJ');
    await press(page, 'Take MBTI: ENFP');
    await saved(page);
    await press(page, 'Decline Height (cm)');
    await saved(page);
    await expect(page.locator('.admin-list > li')).toHaveCount(0);

    await page.goto(`/en/star/${star}`);
    await expect(page.locator('main')).toContainText('168 cm');
    await expect(page.locator('main')).toContainText('Second hall concert');

    await page.goto(`/admin/stars/${star}?lang=en&section=history`);
    const revisions = page.locator('.admin-list > li');
    await expect(revisions.first()).toContainText('Edited a star');
    await revisions.last().getByRole('button').click();
    await saved(page);
    await page.goto(`/admin/stars/${star}?lang=en`);
    await expect(field(page, 'height')).toHaveValue('');
  });

  test('pictures are sent, placed, and shown with their words', async ({ server }) => {
    const star = await addStar(server);
    const background = { r: star % 200, g: 90, b: Date.now() % 200 };
    const bytes = await sharp({ create: { width: 900, height: 900, channels: 3, background } })
      .jpeg()
      .toBuffer();
    await page.goto(`/admin/stars/${star}?lang=en&section=pictures`);
    await page
      .getByLabel('Picture file')
      .setInputFiles({ name: 'star.jpg', mimeType: 'image/jpeg', buffer: bytes });
    await press(page, 'Upload');
    await expect(page).toHaveURL(/section=pictures.*picture=\d+/);
    await press(page, 'Use as the round picture');
    await saved(page);
    await expect(page.getByRole('img', { name: 'Round picture' })).toBeVisible();
    await page.goto(`/admin/stars/${star}?lang=en&section=photos&entry=new`);
    await page.getByRole('radio').first().check();
    await fill(page, { category: 'event', 'title.en': 'At the harbour', photographer: 'Sori Kim' });
    await press(page, 'Add');
    await saved(page);
    await page.goto(`/en/star/${star}?tab=photos`);
    await expect(page.getByRole('img', { name: 'At the harbour' })).toBeVisible();

    // A moment of the timeline may have one, too, and none again.
    await page.goto(`/admin/stars/${star}?lang=en&section=timeline&entry=new`);
    await expect(page.getByRole('radio', { name: 'No picture' })).toBeChecked();
    const chosen = page.locator('[name="picture"]:not([value=""])').first();
    const key = await chosen.getAttribute('value');
    await inDatabase(
      server.databaseUrl,
      () =>
        connection()`update pictures set credit = 'Sori Kim', alt = '{"en":"The harbour gate"}' where key = ${key}`,
    );
    await chosen.check();
    await fill(page, { date: '2020-05', type: 'concert', 'title.en': 'First night' });
    await press(page, 'Add');
    await saved(page);
    await page.goto(`/en/star/${star}`);
    const moment = page.locator('.moment', { hasText: 'First night' });
    await expect(moment.getByRole('img', { name: 'The harbour gate' })).toBeVisible();
    await expect(moment.locator('.credit')).toHaveText('Photo: Sori Kim');
    await page.goto(`/admin/stars/${star}?lang=en&section=timeline`);
    await page.getByRole('link', { name: 'First night' }).click();
    await page.getByRole('radio', { name: 'No picture' }).check();
    await press(page, 'Save');
    await saved(page);
    await page.goto(`/en/star/${star}`);
    await expect(moment).toBeVisible();
    await expect(moment.getByRole('img')).toHaveCount(0);
  });

  test('a star is hidden, merged after its confirmation, and deleted while nothing refers to it', async ({
    server,
  }) => {
    const [doubled, kept, alone] = [await addStar(server), await addStar(server), await addStar(server)];
    const actions = (id: number) => page.goto(`/admin/stars/${id}?lang=en&section=actions`);
    await actions(doubled);
    await press(page, 'Hide this star');
    await expect(page.locator('.admin-lead')).toHaveText('Hidden from readers');
    expect((await page.request.get(`/en/star/${doubled}`)).status()).toBe(404);
    await press(page, 'Show this star again');
    await page.getByRole('searchbox').fill(String(kept));
    await press(page, 'Search');
    await expect(page.locator('.admin-note')).toContainText(`(${doubled}) →`);
    await press(page, 'Merge for good');
    await expect(page).toHaveURL(new RegExp(`/admin/stars/${kept}\\?`));
    await page.goto(`/admin/stars/${doubled}?lang=en`);
    await expect(page).toHaveURL(new RegExp(`/admin/stars/${kept}\\?`));
    await actions(kept);
    await expect(page.locator('#delete-title + p')).toContainText('stars that were merged into it (1)');
    await actions(alone);
    await press(page, 'Delete this star');
    await saved(page);
    expect((await page.request.get(`/admin/stars/${alone}`)).status()).toBe(404);
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
    await expect(status(page)).toHaveText(/^Saved at /);
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

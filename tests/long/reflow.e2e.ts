import type { Page } from '@playwright/test';
import postgres from 'postgres';
import { type Lang, languages } from '#content/locales.ts';
import { expect, test } from '#tests/kit/browser.ts';
import { calendarReady, inDatabase, phone } from '#tests/kit/events-page.ts';
import { makeEvent } from '#tests/kit/make.ts';
import { publicPages } from '#tests/kit/public-pages.ts';
import { layOutInWidestFont, misfits, setFontSize, setTextSize, zoomed } from '#tests/kit/reflow.ts';
import { signIn } from '#tests/kit/sign-in.ts';

interface View {
  name: string;
  size: { width: number; height: number };
  /** The browser's own font size in pixels. */
  font: number;
  /** The size of the page's text in per cent of it. */
  text: number;
}

const usual: View = { name: 'as it comes', size: phone, font: 16, text: 100 };
const zoom: View = { name: 'zoom at 400 %', size: zoomed, font: 16, text: 100 };

/** WCAG 1.4.4 and 1.4.10: the browser's text twice as large on a phone, and a desk's page at 400 %. */
const views: readonly View[] = [{ name: 'text at 200 %', size: phone, font: 32, text: 100 }, zoom];

/** The page's text twice as large where no media query hears of it: what fits so, fits with the browser's twice as large, too. */
const publicViews: readonly View[] = [{ name: 'its text at 200 %', size: phone, font: 16, text: 200 }, zoom];

/** The same where the header shows all that it has. */
const deskViews: readonly View[] = [768, 1280].map((width) => ({
  name: `its text at 200 %, ${width}`,
  size: { width, height: 900 },
  font: 16,
  text: 200,
}));

/** Pages whose language is the visitor's. */
const unprefixedPages = [
  '/login',
  '/login?tab=register',
  '/login/forgot',
  '/login/reset',
  '/login/verify',
  '/nowhere',
];

async function applyView(page: Page, { size, font, text }: View): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== size.width || now.height !== size.height) await page.setViewportSize(size);
  await setFontSize(page, font);
  await setTextSize(page, text);
}

async function expectFits(page: Page, state: string): Promise<void> {
  await expectFitsIn(page, state, views);
  await applyView(page, usual);
}

async function expectFitsIn(page: Page, state: string, order: readonly View[]) {
  for (const view of order) {
    await applyView(page, view);
    await expect.poll(() => misfits(page), `${state}, ${view.name}`).toEqual([]);
  }
}

/** Each page is opened in the view in which the one before was left: one change of view a page instead of three. */
async function expectPagesFit(page: Page, paths: readonly string[], inViews = views): Promise<void> {
  let order = inViews;
  for (const path of paths) {
    await page.goto(path);
    await expectFitsIn(page, path, order);
    order = order.toReversed();
  }
}

const withLang = (path: string, lang: Lang) => `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;

for (const lang of languages) {
  test.describe(`large text and zoom in ${lang}`, () => {
    /** Far from Seoul, where events say their time twice. */
    test.use({ viewport: phone, timezoneId: 'America/New_York' });
    test.beforeEach(({ page }) => layOutInWidestFont(page));

    test('fit every public page without sideways scrolling, cut or broken words', async ({
      page,
      server,
    }) => {
      test.slow();
      const now = Date.now();
      await inDatabase(server.databaseUrl, () =>
        makeEvent({ start: new Date(now - 600_000), end: new Date(now + 3_600_000) }),
      );
      await expectPagesFit(
        page,
        [
          ...publicPages.map((each) => `/${lang}${each}`),
          ...unprefixedPages.map((each) => withLang(each, lang)),
        ],
        publicViews,
      );
    });

    test('fit menus, sheets and dialogs', async ({ page }) => {
      test.slow();
      await page.goto(`/${lang}`);
      await page.locator('.header [data-language-menu] summary').first().click();
      await expectFits(page, 'language menu');
      await page.goto(`/${lang}`);
      await page.locator('.tab-bar [data-my-stars]').click();
      await page.locator('.star-grid button').nth(10).click();
      await page.locator('.star-grid button').nth(1).click();
      await expectFits(page, 'My Stars');

      await page.goto(`/${lang}/events?date=2026-11-22`);
      await calendarReady(page);
      await expectFits(page, 'living calendar');
      await page.locator('.calendar-filters button').first().click();
      await page.getByRole('dialog').waitFor();
      await expectFits(page, 'calendar filters');

      await page.goto(`/${lang}/events?tab=upcoming`);
      await page.locator('.ticket-heart').first().click();
      await page.getByRole('dialog').waitFor();
      await expectFits(page, 'login to be reminded');

      await page.goto(`/${lang}/star/1?tab=photos`);
      await page.locator('[data-photo]').first().click();
      await page.getByRole('dialog').waitFor();
      await expectFits(page, 'photo viewer');
    });

    test('fit what members and editors see', async ({ page, server }) => {
      test.slow();
      const { id } = await signIn(page.context(), server, 'admin');
      const sql = postgres(server.databaseUrl, { max: 1 });
      await sql`update users set username = ${`aisyah_${lang}`}, username_key = ${`aisyah_${lang}`}, email = ${`nurul_aisyah_${lang}@byeol.example`} where id = ${id}`;
      await sql`insert into channel_members (channel_id, user_id) select id, ${id} from channels where star_id = 1`;
      await sql.end();
      await page.goto(withLang('/profile', lang));
      await page.locator('.profile-delete summary').click();
      await expectFits(page, 'profile');
      await page.goto(`/${lang}/community/1`);
      await page.mouse.move(20, 20);
      await page.locator('.chat textarea').waitFor();
      await expectFits(page, 'living channel');
      await page.locator('[data-channel-tools] button').click();
      await expectFits(page, 'channel menu');
      await page.getByRole('menuitem').first().click();
      await page.getByRole('dialog').waitFor();
      await expectFits(page, 'channel dialog');

      const tools = ['stories', 'articles', 'stars', 'reports', 'sources', 'users', 'audit'];
      await expectPagesFit(
        page,
        [
          '/admin',
          '/admin?tab=system',
          '/admin?tab=multimedia',
          ...tools.map((tool) => `/admin?tab=tools&tool=${tool}`),
          '/admin/articles/1',
          '/admin/events/1',
          '/admin/stars/1',
          '/admin/stars/1?section=photos&entry=new',
          '/admin/stars/1?section=links&entry=new',
          '/admin/stars/1?section=actions&into=a',
          '/admin/stars/new',
          '/admin/directory',
          '/admin/events/verification',
        ].map((path) => withLang(path, lang)),
      );
      await page.getByRole('checkbox').nth(1).check();
      await expectFits(page, 'verification, chosen');
      // At a desk, whose header has most in it.
      await page.goto(withLang('/admin', lang));
      await expectFitsIn(page, 'administration at a desk', deskViews);
    });
  });
}

for (const lang of languages) {
  test(`nothing on a phone takes two lines in ${lang} that has room in one`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/${lang}/star/1`);
    const boxOf = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return { top, bottom };
      });
    const facts = await boxOf('.follow-facts');
    const actions = await boxOf('.follow-actions');
    expect(Math.max(facts.top, actions.top)).toBeLessThan(Math.min(facts.bottom, actions.bottom));

    await page.goto(`/${lang}/article/48`);
    const crumbs = page.locator('.breadcrumb');
    const name = crumbs.locator('[aria-current]');
    await name.evaluate((last) => {
      last.textContent = 'The star with the longest name of all';
    });
    expect(await crumbs.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0);
    expect(await name.evaluate((last) => last.scrollWidth - last.clientWidth)).toBeGreaterThan(0);
    await expect(name).toHaveCSS('text-overflow', 'ellipsis');

    await page.goto(`/${lang}/events?date=2026-11-22`);
    await calendarReady(page);
    await page.locator('.calendar-filters button').first().click();
    const lines = await page
      .getByRole('dialog')
      .locator('.sheet-footer button')
      .evaluateAll((buttons) =>
        buttons.map((button) => {
          const words = document.createRange();
          words.selectNodeContents(button);
          return words.getClientRects().length;
        }),
      );
    expect(lines).toEqual([1, 1]);
  });
}

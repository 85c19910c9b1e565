import { fileURLToPath } from 'node:url';
import type { APIRequestContext, Page } from '@playwright/test';
import kpopnet from 'kpopnet.json';
import { type Lang, languages } from '#content/locales.ts';
import { type AiStandIn, startAi } from '#tests/kit/ai.ts';
import { test as base, expect, expectAccessible } from '#tests/kit/browser.ts';
import { leaveTestCluster } from '#tests/kit/cluster.ts';
import { documentAt } from '#tests/kit/document-at.ts';
import { type Outlet, startOutlet } from '#tests/kit/feeds.ts';
import { makeFile } from '#tests/kit/pictures.ts';
import { plainForm, sendPlainForm } from '#tests/kit/plain-form.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';
import {
  commonsCredit,
  describeGroups,
  entriesOf,
  type Group,
  headlineOf,
  nameOf,
  nationality,
  rewriteOf,
  tellOf,
  tenGroups,
  wordsOf,
} from '#tests/kit/ten-groups.ts';
import { startWikimedia, type Wikimedia } from '#tests/kit/wikimedia.ts';

interface Outside {
  wiki: Wikimedia;
  outlet: Outlet;
  ai: AiStandIn;
}

/** The built site with an empty database, and all that it asks outside: Wikidata and Commons, an outlet, a model. */
const test = base.extend<object, { outside: Outside; server: TestServer }>({
  outside: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from its first parameter.
    async ({}, use) => {
      const outside = { wiki: startWikimedia(), outlet: startOutlet(), ai: startAi() };
      await use(outside);
      await Promise.all(Object.values(outside).map((each) => each.stop()));
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ outside: { wiki, outlet, ai } }, use) => {
      const settings = {
        FETCH_ALLOW: `${wiki.host},${new URL(outlet.url).host}`,
        WIKIDATA_BASE_URL: wiki.url,
        COMMONS_BASE_URL: wiki.url,
        AI_BASE_URL: ai.url,
        AI_MODEL: ai.model,
      };
      const server = await startTestServer({ world: 'empty', settings });
      await use(server);
      await server.stop();
      await leaveTestCluster();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ server }, use) => use(server.url),
});

const kpopnetFile = fileURLToPath(import.meta.resolve('kpopnet.json'));
const starCount = kpopnet.groups.length + kpopnet.idols.length;
const counted = new Intl.NumberFormat('en').format(starCount);

/** A photograph that no other group has. */
async function photoOf(index: number, ground: string): Promise<Buffer> {
  const colour = `#${(0x30 + index * 16).toString(16)}4080`;
  return Buffer.from(await makeFile('jpeg', { width: 960, height: 640, colours: [colour, ground] }));
}

const photoCredit = { credit: 'Byeol', licence: 'CC0', creditUrl: 'https://photos.example/group' };

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const saved = (page: Page) => expect(page.locator('.admin-saved')).toHaveText('Saved.');

/** Hands kpopnet.json over and reads what it would do: stars to add, to change, to leave alone, refused. */
async function previewKpopnet(page: Page, counts: readonly string[]): Promise<void> {
  await page.getByLabel('File', { exact: true }).setInputFiles(kpopnetFile);
  await press(page, 'Check the file');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('kpopnet.json');
  await expect(page.locator('.figures dd')).toHaveText([...counts]);
}

/** Makes a group's profile full, every step by what is seen on the screen. */
async function enrich(page: Page, group: Group, photo: Buffer): Promise<void> {
  await page.goto('/admin?tab=tools&tool=stars&lang=en');
  await page.getByLabel('Name or alias').fill(group.korean);
  await press(page, 'Show');
  await page.getByRole('link', { name: group.name, exact: true }).click();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  const panel = page.locator('#wikidata');
  await panel.getByRole('searchbox').fill(group.korean);
  await panel.getByRole('button', { name: 'Look up' }).click();
  await panel.getByRole('link', { name: group.name, exact: true }).click();
  // What has no name in a language yet can take no other word in it.
  for (const value of [
    `Bahasa Melayu: ${group.name}`,
    `Tiếng Việt: ${group.name}`,
    'Bahasa Melayu: Korea Selatan',
    'CC BY 4.0',
  ]) {
    const take = panel.getByRole('button', { name: value });
    await take.click();
    await expect(take).toHaveCount(0);
  }
  await expect(panel.locator('.wikidata-row').filter({ hasText: 'CC BY 4.0' })).toContainText(
    'Already there',
  );
  await takeAll(page.request, page.url().split('#')[0] ?? '');

  const section = (name: string) =>
    page.getByRole('navigation', { name: 'Parts of the profile' }).getByRole('link', { name });
  await section('Pictures').click();
  await page.getByLabel('Credit (who took it)').fill(photoCredit.credit);
  await page.getByLabel('Licence', { exact: true }).fill(photoCredit.licence);
  await page.getByLabel(/^Source/).fill(photoCredit.creditUrl);
  await page
    .getByLabel('Picture file')
    .setInputFiles({ name: 'group.jpg', mimeType: 'image/jpeg', buffer: photo });
  await page.getByRole('link', { name: /^group\.jpg: added/ }).click();
  await press(page, 'Use as the large picture');
  await saved(page);
  for (const [name, values] of Object.entries(entriesOf(group))) {
    await page.goto(`/admin/stars/${id}?lang=en&section=${name}&entry=new`);
    if (name === 'photos') await page.getByRole('radio').first().check();
    for (const [field, value] of Object.entries(values)) {
      const control = page.locator(`[name="${field}"]`);
      if (field === 'type') await control.selectOption(value);
      else await control.fill(value);
    }
    await press(page, 'Add');
    await saved(page);
  }
}

/** Takes all that a look-up offers, as a browser without a script does. */
async function takeAll(request: APIRequestContext, address: string): Promise<void> {
  const page = await documentAt(request, address);
  const form = plainForm(page, '#wikidata form[method="post"]');
  for (const button of page.querySelectorAll('#wikidata button[name="take"]'))
    await sendPlainForm(request, address, form, { take: button.getAttribute('value') ?? '' });
}

/** The same by the same forms, as a browser without a script sends them. */
async function enrichPlainly(
  request: APIRequestContext,
  siteUrl: string,
  id: number,
  group: Group,
  photo: Buffer,
): Promise<void> {
  const editor = (query: string) => documentAt(request, `${siteUrl}/admin/stars/${id}?${query}`);
  await takeAll(request, `${siteUrl}/admin/stars/${id}?lang=vi&wikidata=${group.item}`);
  const pictures = await editor('lang=ko&section=pictures');
  const file = { name: 'group.jpg', mimeType: 'image/jpeg', buffer: photo };
  const sent = await sendPlainForm(
    request,
    siteUrl,
    plainForm(pictures, 'form[data-upload]'),
    photoCredit,
    file,
  );
  const uploaded = await documentAt(request, sent.href);
  const picture = uploaded.querySelector('[name="picture"][checked]')?.getAttribute('value') ?? '';
  const places = plainForm(uploaded, 'form:has([name="picture"])');
  await sendPlainForm(request, siteUrl, places, { picture, do: 'heroSet' });
  for (const [section, values] of Object.entries(entriesOf(group))) {
    const page = await editor(`lang=ms&section=${section}&entry=new`);
    const typed = section === 'photos' ? { ...values, picture } : values;
    await sendPlainForm(request, siteUrl, plainForm(page, '#entry-new form[data-save]'), typed);
  }
}

/** The numbers of the groups, as the result of the import links to them. */
async function groupIds(request: APIRequestContext, result: string): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (let page = 1; ids.size < kpopnet.groups.length; page += 1) {
    const links = (await documentAt(request, `${result}&page=${page}`)).querySelectorAll('.import-row a');
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      const id = Number(link.getAttribute('href')?.match(/stars\/(\d+)/)?.[1]);
      // Groups come first: who is called like one of them comes later.
      if (!ids.has(link.textContent)) ids.set(link.textContent, id);
    }
  }
  return ids;
}

const tabs = ['timeline', 'photos', 'achievements', 'articles'] as const;

/** Where each tab has its words, and which they are for a group in a language. */
const shownIn: Record<(typeof tabs)[number], readonly [string, (group: Group, lang: Lang) => string]> = {
  timeline: ['.moment h4', (group, lang) => wordsOf('debut', group, lang)],
  photos: ['.mosaic img', (group, lang) => wordsOf('photo', group, lang)],
  achievements: ['.award-title', (group, lang) => wordsOf('achievement', group, lang)],
  articles: ['.star-stories h3', headlineOf],
};

/** Whose the large picture and the round one are. */
const credits = [
  ['.star-hero .credit', photoCredit.credit],
  ['.star-profile', commonsCredit],
] as const;

/** As it is read: particles are kept with their names by signs that nobody sees. */
const readable = (element: Element | null) =>
  (element?.getAttribute('alt') ?? element?.textContent ?? '').replaceAll('\u2060', '').trim();

test('from an empty database a person with a browser makes the full profiles of ten real groups in four languages', async ({
  page,
  browser,
  server,
  outside: { wiki, outlet, ai },
}) => {
  test.setTimeout(420_000);
  const ofCommons = await Promise.all(tenGroups.map((_, index) => photoOf(index, '#203040')));
  describeGroups(wiki, (index) => new Uint8Array(ofCommons[index] ?? []));
  tellOf(outlet);
  ai.answer = ({ kind, language, names }) =>
    kind === 'rewrite' ? rewriteOf(language, [...names.values()][0] ?? '') : undefined;
  const { context, request } = { context: page.context(), request: page.request };
  await signIn(context, server, 'admin');
  const step = (name: string) => page.locator(`[data-step="${name}"]`);
  const ids = new Map<Group, number>();

  await test.step('the checklist leads to the file, which is checked and taken in', async () => {
    await page.goto('/admin?lang=en');
    await expect(step('stars')).toHaveAttribute('data-state', 'open');
    await step('stars').getByRole('link').click();
    await previewKpopnet(page, [counted, '0', '0', '0']);
    await press(page, `Bring in ${counted}`);
    await expect(page.getByText('The import is done.')).toBeVisible({ timeout: 180_000 });
    const found = await groupIds(request, page.url());
    for (const group of tenGroups) ids.set(group, found.get(group.korean) ?? 0);
    await page.goto('/admin?lang=en');
    await expect(step('stars')).toHaveAttribute('data-state', 'done');
  });

  await test.step('a source is added, of which the newsroom writes while profiles are made', async () => {
    await step('sources').getByRole('link').click();
    await page.getByLabel('Feed URL (RSS, Atom)').fill(`${outlet.url}/rss`);
    await page.getByLabel('Name of the outlet').fill('시험신문');
    await press(page, 'Add');
    await saved(page);
  });

  await test.step('ten groups are looked up, and get their pictures and entries', async () => {
    const [first, ...others] = tenGroups;
    if (!first) throw new Error('there are no groups');
    // One account alone would be over the limit of changes in a minute.
    const plainEditors = [0, 1].map(async (half) => {
      const editor = await browser.newContext();
      await signIn(editor, server, 'editor');
      for (const [index, group] of others.entries())
        if (index % 2 === half)
          await enrichPlainly(
            editor.request,
            server.url,
            ids.get(group) ?? 0,
            group,
            await photoOf(index + 1, '#e0c040'),
          );
      await editor.close();
    });
    await Promise.all([enrich(page, first, await photoOf(0, '#e0c040')), ...plainEditors]);
  });

  await test.step('the newsroom has published a story of each, and the checklist is gone', async () => {
    const titlesAt = async (stage: string) => {
      const list = await documentAt(
        request,
        `${server.url}/admin?tab=tools&tool=stories&stage=${stage}&lang=en`,
      );
      return [...list.querySelectorAll('.admin-row a[lang="ko"]')].map((link) => link.textContent).sort();
    };
    const titles = outlet.stories.map(({ title }) => title).sort();
    await expect.poll(() => titlesAt('published')).toEqual(titles);
    await page.goto('/admin?lang=en');
    await expect(page.locator('[data-figure="totalStars"]')).toBeVisible();
    await expect(page.locator('[data-step]')).toHaveCount(0);
  });

  await test.step('every profile has its four tabs filled in every language', async () => {
    for (const [group, id] of ids)
      for (const lang of languages)
        for (const tab of tabs) {
          const address = `/${lang}/star/${id}?tab=${tab}`;
          const profile = await documentAt(request, server.url + address);
          const [place, wordsIn] = shownIn[tab];
          const panel = profile.querySelector('#tabs');
          expect({
            address,
            name: readable(profile.querySelector('h1')),
            credits: credits.map(([of, by]) => readable(profile.querySelector(of)).includes(by)),
            country: profile.querySelector('.facts')?.textContent.includes(nationality[lang]),
            words: [...(panel?.querySelectorAll(place) ?? [])].map(readable),
            // Nothing is missing, and nothing stands in another language.
            gaps: panel?.querySelectorAll('.state, [lang]').length,
          }).toEqual({
            address,
            name: nameOf(group, lang),
            credits: [true, true],
            country: group === tenGroups[0],
            words: [wordsIn(group, lang)],
            gaps: 0,
          });
        }
  });

  await test.step('it reads well at every width, light and dark', async () => {
    const [id] = ids.values();
    for (const [index, lang] of languages.entries())
      for (const [place, tab] of tabs.entries()) {
        await page.goto(`/${lang}/star/${id}?tab=${tab}`);
        for (const width of [360, (index + place) % 2 === 0 ? 768 : 1280]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        }
        // Each tab light and dark; what stands around it is the same on all of them.
        const isFirst = index === 0;
        if (!isFirst && index !== place) continue;
        await page.emulateMedia({ colorScheme: isFirst === (place % 2 === 0) ? 'light' : 'dark' });
        await expectAccessible(page);
      }
  });

  await test.step('the same file again changes nothing', async () => {
    await page.goto('/admin/directory?lang=en');
    await expect(page.locator('.admin-row').first()).toContainText(`${counted} entries`);
    await previewKpopnet(page, ['0', '0', counted, '0']);
    await expect(page.getByRole('button', { name: /^Bring in/ })).toHaveCount(0);
  });
});

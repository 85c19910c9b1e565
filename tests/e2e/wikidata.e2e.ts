import { connection } from '#db/client.ts';
import { test as base, expect, expectAccessible } from '#tests/kit/browser.ts';
import { leaveTestCluster } from '#tests/kit/cluster.ts';
import { inDatabase } from '#tests/kit/events-page.ts';
import { makeFile } from '#tests/kit/pictures.ts';
import { PlainVisit } from '#tests/kit/plain-visit.ts';
import { startTestServer, type TestServer } from '#tests/kit/server.ts';
import { signIn } from '#tests/kit/sign-in.ts';
import { link, says, startWikimedia, text, time, type Wikimedia } from '#tests/kit/wikimedia.ts';

const freePicture = {
  extmetadata: { Artist: 'Sori Kim', License: 'cc-by-4.0', LicenseShortName: 'CC BY 4.0' },
};

const test = base.extend<object, { wiki: Wikimedia; server: TestServer }>({
  wiki: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from its first parameter.
    async ({}, use) => {
      const wiki = startWikimedia();
      wiki.items = {
        Q7: {
          labels: { ko: '파도반', en: 'Padoban' },
          descriptions: { en: 'band from Gangneung' },
          aliases: { en: ['Wave Class'] },
          claims: {
            P264: [says(link('P264', 'Q21'))],
            P571: [says(time('P571', '2018-06'))],
            P527: [says(link('P527', 'Q11'), [time('P580', '2018'), time('P582', '2021')])],
            P2002: [says(text('P2002', 'padoban_wd'))],
            P18: [says(text('P18', 'Padoban.jpg'))],
          },
        },
        Q11: { labels: { en: 'Yunseul of Wikidata' } },
        Q21: { labels: { en: 'Harbor of Wikidata' } },
      };
      wiki.files['Padoban.jpg'] = { ...freePicture, download: () => new Response('', { status: 404 }) };
      await use(wiki);
      await wiki.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ wiki }, use) => {
      const settings = { FETCH_ALLOW: wiki.host, WIKIDATA_BASE_URL: wiki.url, COMMONS_BASE_URL: wiki.url };
      const server = await startTestServer({ settings });
      await use(server);
      await server.stop();
      await leaveTestCluster();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ server }, use) => use(server.url),
});

test('an editor takes values from Wikidata one by one, without a script, and nothing is overwritten', async ({
  page,
  server,
  wiki,
}) => {
  await signIn(page.context(), server, 'editor');
  const [star] = await inDatabase(
    server.databaseUrl,
    () => connection()<{ id: number }[]>`select id from stars where slug = 'padoban'`,
  );
  const visit = new PlainVisit(page.context().request, server.url);
  await visit.goto(`/admin/stars/${star?.id}?lang=en`);
  await visit.press('Look up', { wikidata: 'padob' });
  await visit.follow('Padoban', '#wikidata');
  const rows = () => visit.texts('#wikidata .wikidata-row');
  const row = (value: string) => rows().find((each) => each.includes(value));
  const take = (value: string) => {
    const place = rows().findIndex((each) => each.includes(value)) + 1;
    return visit.pressAt(`#wikidata .wikidata-row:nth-child(${place}) button`);
  };
  expect(visit.texts('#wikidata .wikidata-row a')).toContain('By Sori Kim, CC BY 4.0');
  expect(row('Harbor of Wikidata')).toContain('keeps it');
  expect(() => take('Harbor of Wikidata')).toThrow('there is no button');
  for (const value of ['Wave Class', 'Yunseul of Wikidata 2018–2021', 'X @padoban_wd']) {
    await take(value);
    expect(row(value)).toContain('Already there');
  }
  await take('CC BY 4.0');
  expect(visit.text('[role="alert"]')).toBe('Commons no longer has this picture.');
  const bytes = await makeFile('jpeg');
  wiki.files['Padoban.jpg'] = { ...freePicture, download: () => new Response(bytes) };
  expect(row('CC BY 4.0')).toContain('Round picture');
  await take('CC BY 4.0');
  expect(row('CC BY 4.0')).toContain('Already there');
  await visit.goto(`/en/star/${star?.id}`);
  expect(visit.text('main')).toContain('Yunseul of Wikidata');
  const facts = await inDatabase(
    server.databaseUrl,
    () =>
      connection()<
        { source: unknown }[]
      >`select source from star_members where names ->> 'en' = 'Yunseul of Wikidata'`,
  );
  expect(facts).toMatchObject([{ source: { name: 'Wikidata' } }]);
});

test('the look-up reads well at every width, and says when Wikidata is away', async ({
  page,
  context,
  server,
  wiki,
}) => {
  await signIn(context, server, 'editor');
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/admin/stars/1?lang=ko&wikidata=Q7#wikidata');
    await expect(page.locator('.wikidata-row').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await expectAccessible(page);
  wiki.instead = [() => new Response('', { status: 500 })];
  await page.goto('/admin/stars/1?lang=en&wikidata=Q7');
  await expect(page.getByText('Wikidata can’t be reached right now.')).toBeVisible();
});

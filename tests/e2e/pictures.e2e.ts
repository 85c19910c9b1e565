import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '#tests/kit/browser.ts';
import { type FileFormat, makeFile } from '#tests/kit/pictures.ts';
import { type PlainVisit, visitAs } from '#tests/kit/plain-visit.ts';
import { signIn } from '#tests/kit/sign-in.ts';

const library = '/admin?tab=multimedia&lang=en';

let serial = 0;
/** A picture that nobody has sent yet, as a browser chooses it. */
async function fresh(name: string, format: FileFormat = 'jpeg') {
  const colour = `#${(Date.now() % 0xffff).toString(16).padStart(4, '0')}${(++serial).toString(16).padStart(2, '0')}`;
  const bytes = await makeFile(format, { width: 600, height: 300, colours: [colour, '#ffffff'] });
  return { name, mimeType: `image/${format}`, buffer: Buffer.from(bytes) };
}

/** Hands files over as a drop or a paste does, which no pointer of a test can. */
async function hand(page: Page, kind: 'drop' | 'paste', files: Awaited<ReturnType<typeof fresh>>[]) {
  const sent = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }));
  await page.evaluate(
    ({ kind, sent }) => {
      const data = new DataTransfer();
      for (const { name, mimeType, base64 } of sent) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
      }
      const event =
        kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.querySelector('form[data-upload]')?.dispatchEvent(event);
    },
    { kind, sent },
  );
}

test.describe('the library of pictures', () => {
  test('takes, describes, takes down and restores a picture without a script', async ({ page, server }) => {
    const visit = await visitAs('editor', page, server);
    await visit.goto(library);
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    await visit.press('Upload', {}, { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: drawing });
    expect(visit.text('[role="alert"]')).toMatch(/An SVG can contain programs/);

    await visit.press('Upload', { credit: 'Kim Byeol' }, await fresh('stage.jpg'));
    expect(visit.texts('h1, h2')).toContain('Edit picture');
    expect(visit.value('credit')).toBe('Kim Byeol');
    await visit.press('Save', { 'alt.ko': '무대 위의 별', focusAuto: null, focusX: '10' });
    expect(visit.texts('.admin-saved')).toHaveLength(1);
    expect(visit.value('focusX')).toBe('10');
    expect(visit.value('alt.ko')).toBe('무대 위의 별');

    const sent = await fresh('twice.jpg');
    const twice = visit.another();
    for (const credit of ['First', 'Second']) {
      await twice.goto(library);
      await twice.press('Upload', { credit }, sent);
    }
    expect([twice.text('.admin-saved'), twice.text('.admin-note'), twice.value('credit')]).toEqual([
      undefined,
      'This picture is already in the library, with the credit “First”. That stays; check that it’s right.',
      'First',
    ]);
    await twice.press('Save', { credit: 'Second' });
    expect([twice.text('.admin-saved'), twice.text('.admin-note')]).toEqual(['Saved.', undefined]);

    const address = visit.attribute('[data-crop]', 'src');
    const statusOf = async () => (await page.request.get(address ?? '')).status();
    expect(await statusOf()).toBe(200);
    await visit.press('Take down picture');
    expect(visit.text('main')).toMatch(/This can be undone until/);
    expect(await statusOf()).toBe(410);
    await visit.press('Show it again');
    expect(visit.texts('main button')).toContain('Take down picture');
    expect(await statusOf()).toBe(200);
  });

  test('shows what another editor saved beside what was typed, and takes it in fields that were left alone', async ({
    page,
    server,
  }) => {
    const own = await visitAs('editor', page, server);
    const other = own.another();
    await own.goto(library);
    await own.press('Upload', {}, await fresh('shared.jpg'));
    await other.goto(own.url);
    const theirs = {
      'alt.vi': 'Sân khấu',
      credit: 'Kim Byeol',
      licence: 'CC BY 4.0',
      creditUrl: 'https://photos.example/shared',
      focusAuto: null,
      focusX: '10',
    };
    await other.press('Save', { ...theirs, 'alt.ko': '무대' });
    const saved = { ...theirs, focusAuto: undefined, 'alt.ko': '우리 무대', 'alt.en': 'The stage' };
    const values = (visit: PlainVisit) =>
      Object.fromEntries(Object.keys(saved).map((name) => [name, visit.value(name)]));

    expect(await own.press('Save', { 'alt.en': 'The stage', 'alt.ko': '우리 무대' })).toBe(409);
    expect(own.texts('.admin-differences dt')).toEqual([
      'Description of the picture (한국어)',
      'Description of the picture (English)',
    ]);
    expect(own.texts('.admin-differences dd')).toEqual([
      'Yours우리 무대',
      'Saved now무대',
      'YoursThe stage',
      'Saved now–',
    ]);
    expect(values(own)).toEqual(saved);
    await own.press('Save');
    expect(own.text('.admin-saved')).toBe('Saved.');
    expect(values(own)).toEqual(saved);
  });

  test('gives an article its picture without a script, with its credit on the page, and takes it back', async ({
    page,
    server,
  }) => {
    const visit = await visitAs('editor', page, server);
    const credit = `Park Eun ${Date.now()}`;
    await visit.goto('/admin/articles/5?lang=en');
    await visit.follow('Choose or upload a picture');
    await visit.press('Upload', { credit }, await fresh('story.jpg'));
    await visit.press('Save', { licence: 'CC BY 4.0', creditUrl: 'https://photos.example/story' });
    await visit.follow(/^Back/);
    await visit.press('Search', { search: credit });
    await visit.press(/^Use this picture/);
    expect(visit.texts('.admin-saved')).toHaveLength(1);
    await visit.goto('/en/article/5');
    expect(visit.text('main')).toContain(`Photo: ${credit}`);
    await visit.goto('/admin/articles/5?lang=en');
    await visit.press('Show what was drawn');
    expect(visit.text('main')).toContain('No picture is chosen');
  });

  test('is for editors: guests are led to the login, fans to what they may not', async ({
    page,
    context,
    server,
  }) => {
    const send = () =>
      page.request.post('/admin/pictures?lang=en', {
        headers: { origin: new URL(server.url).origin },
        multipart: { file: { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') } },
        maxRedirects: 0,
      });
    expect((await send()).headers().location).toContain('/login');
    await signIn(context, server, 'user');
    expect((await send()).headers().location).toContain('/admin/forbidden');
  });

  test('takes several at once, chosen, dropped and pasted, and says of each what became of it', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, 'editor');
    await page.goto(library);
    const before = Number.parseInt(
      (await page.locator('[data-library] .admin-help').textContent()) ?? '',
      10,
    );
    const lines = page.locator('[data-uploads] > li');
    const chooser = page.getByLabel('Picture file');
    await expect(chooser).toHaveAttribute('multiple');
    const again = await fresh('one.jpg');
    await chooser.setInputFiles([
      again,
      await fresh('two.png', 'png'),
      { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    ]);
    await hand(page, 'drop', [await fresh('three.webp', 'webp')]);
    await hand(page, 'paste', [await fresh('four.avif', 'avif'), await fresh('five.gif', 'gif')]);
    await expect(lines).toHaveCount(6);
    await expect(page.locator('[data-library]')).toContainText(`${before + 5} entries`);
    for (const name of ['one.jpg', 'two.png', 'three.webp', 'four.avif', 'five.gif'])
      await expect(page.getByRole('link', { name: `${name}: added.` })).toBeVisible();
    await expect(lines.filter({ hasText: 'notes.png' })).toContainText(
      'This isn’t a JPEG, PNG, WebP, AVIF or GIF.',
    );
    await expect(page.getByRole('button', { name: 'Try again: notes.png' })).toHaveCount(0);
    await page.getByLabel('Credit (who took it)').fill('Somebody else');
    await hand(page, 'drop', [again]);
    await expect(
      page.getByRole('link', { name: 'one.jpg: This picture is already in the library, without a credit.' }),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'one.jpg: added.' }).click();
    await expect(page.getByRole('heading', { name: 'Edit picture' })).toBeVisible();
    await expectAccessible(page);
  });

  test('lets an upload be cancelled and tried again, also after the connection was lost', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, 'editor');
    await page.goto(library);
    let isHeld = true;
    await page.route('**/api/admin/pictures', async (route) => {
      if (!isHeld) await route.continue();
    });
    const line = page.locator('[data-uploads] > li');
    await page.getByLabel('Picture file').setInputFiles(await fresh('slow.jpg'));
    await expect(line.getByRole('progressbar', { name: 'Uploading slow.jpg' })).toBeVisible();
    await line.getByRole('button', { name: 'Cancel: slow.jpg' }).click();
    await expect(line).toContainText('Cancelled.');
    isHeld = false;
    await context.setOffline(true);
    await line.getByRole('button', { name: 'Try again: slow.jpg' }).click();
    await expect(line).toContainText('Check the connection and try again.');
    await context.setOffline(false);
    await line.getByRole('button', { name: 'Try again: slow.jpg' }).click();
    await expect(page.getByRole('link', { name: 'slow.jpg: added.' })).toBeVisible();
  });

  test('sets the focal point by a press and by arrow keys, and shows the crops as they will be', async ({
    page,
    context,
    server,
  }) => {
    await signIn(context, server, 'editor');
    await page.goto(library);
    await page.getByLabel('Picture file').setInputFiles(await fresh('focus.jpg'));
    await page.getByRole('link', { name: 'focus.jpg: added.' }).click();
    await expect(page.getByRole('heading', { name: 'Edit picture' })).toBeVisible();
    // With the script that takes the press.
    await page.waitForLoadState();
    const whole = page.locator('[data-whole]');
    const size = await whole.boundingBox();
    await whole.click({ position: { x: (size?.width ?? 0) * 0.25, y: (size?.height ?? 0) * 0.5 } });
    await expect(page.getByLabel('From the left')).toHaveValue('25');
    await expect(page.getByLabel('Let the site choose')).not.toBeChecked();
    await page.getByLabel('From the left').press('ArrowRight');
    const crop = page.locator('[data-crop]').nth(1);
    await expect(crop).toHaveCSS('object-position', '26% 50%');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('.admin-saved')).toBeVisible();
    await expect(page.getByLabel('From the left')).toHaveValue('26');
  });
});

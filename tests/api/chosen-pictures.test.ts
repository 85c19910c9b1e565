import { beforeEach, describe, expect, test } from 'bun:test';
import { readArticlePage } from '#api/articles/articles.ts';
import { readEventPage } from '#api/events/events.ts';
import { connection } from '#db/client.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeArticle, makeEvent, makeFan, makePicture, makeStar, makeUpload } from '#tests/kit/make.ts';

useDatabase();

let editor: { id: number; token: string };
let upload: { id: number; key: string };
beforeEach(async () => {
  editor = await makeFan({ role: 'editor' });
  upload = await makeUpload();
  await connection()`update pictures set alt = ${JSON.stringify({ en: 'A stage' })}::text::jsonb where id = ${upload.id}`;
});

const ask = async (method: string, path: string, body?: object, token = editor.token) => {
  const init = body === undefined ? { method } : sending(body, method);
  return call(`/api/admin${path}`, { ...init, headers: { ...init.headers, ...bearer(token) } });
};
const withdraw = () => connection()`update pictures set withdrawn_at = now() where id = ${upload.id}`;
const credit = { name: 'Kim', licence: 'CC BY 4.0', url: 'https://photos.example/1' };

describe('a picture of the library', () => {
  test('stands with an article in the place of its drawn art, with its words, until it is withdrawn', async () => {
    const drawn = await makePicture();
    const article = await makeArticle({ rewrites: { en: 'Story' } });
    await connection()`update articles set picture_key = ${drawn} where id = ${article}`;
    const path = `/articles/${article}/picture`;
    const shown = async () => {
      const page = await readArticlePage(article, 'en', new Date());
      return [page?.pictureKey, page?.pictureAlt, page?.pictureCredit];
    };
    expect((await ask('PUT', path, { pictureKey: upload.key })).status).toBe(200);
    expect(await shown()).toEqual([upload.key, 'A stage', credit]);
    expect((await call(`/api/articles?limit=1`)).text).toContain(upload.key);
    expect((await ask('GET', `/pictures/${upload.id}`)).json).toMatchObject({
      usedBy: { starIds: [], articleIds: [article], eventIds: [] },
    });
    await withdraw();
    expect(await shown()).toEqual([drawn, null, null]);
    expect((await ask('PUT', path, { pictureKey: null })).status).toBe(200);
    expect(await shown()).toEqual([drawn, null, null]);
  });

  test('stands with an event before that of its article and its star', async () => {
    const [hero, story] = [await makePicture(), await makeUpload()];
    const star = await makeStar();
    await connection()`update stars set hero_key = ${hero} where id = ${star}`;
    const article = await makeArticle({ stars: [star] });
    const event = await makeEvent({ star, verification: 'approved' });
    await connection()`update events set source_article_id = ${article} where id = ${event}`;
    const change = (pictureKey: string | null) =>
      ask('PUT', `/events/${event}`, { expected: 'approved', pictureKey });
    const shown = async () => {
      const page = await readEventPage(event, 'en', new Date());
      return [page?.pictureKey, page?.pictureAlts?.en, page?.pictureCredit];
    };
    expect((await shown())[0]).toBe(hero);
    await ask('PUT', `/articles/${article}/picture`, { pictureKey: story.key });
    expect((await shown())[0]).toBe(story.key);
    expect((await change(upload.key)).json).toMatchObject({ pictureKey: upload.key });
    expect(await shown()).toEqual([upload.key, 'A stage', credit]);
    await withdraw();
    expect((await shown())[0]).toBe(story.key);
    await change(null);
    expect((await ask('GET', `/events/${event}`)).json).toMatchObject({ pictureKey: null });
  });

  test('is refused where it is unknown, drawn, withdrawn, or not for this person', async () => {
    const article = await makeArticle();
    const event = await makeEvent({ verification: 'approved' });
    const drawn = await makePicture();
    const refusals = async (pictureKey: string) => {
      const answers = [
        await ask('PUT', `/articles/${article}/picture`, { pictureKey }),
        await ask('PUT', `/events/${event}`, { expected: 'approved', pictureKey }),
      ];
      return answers.map(({ status, json }) => ({ status, ...Object(json) }));
    };
    const unknown = expect.objectContaining({ status: 400, code: 'unknown', field: 'pictureKey' });
    expect(await refusals('no-picture')).toEqual([unknown, unknown]);
    expect(await refusals(drawn)).toEqual([unknown, unknown]);
    await withdraw();
    const withdrawn = expect.objectContaining({ status: 400, code: 'withdrawn', field: 'pictureKey' });
    expect(await refusals(upload.key)).toEqual([withdrawn, withdrawn]);
    const fan = await makeFan();
    const body = { pictureKey: null };
    expect((await ask('PUT', `/articles/${article}/picture`, body, fan.token)).status).toBe(403);
    const stale = { ...body, version: 'an-older-one' };
    expect((await ask('PUT', `/articles/${article}/picture`, stale)).status).toBe(409);
    expect((await ask('PUT', '/articles/99999/picture', body)).status).toBe(404);
  });

  test('keeps its credit while it is shown', async () => {
    const star = await makeStar({ names: { en: 'Star' } });
    const path = `/pictures/${upload.id}`;
    const avatar = { avatar: { key: upload.key } };
    expect((await ask('PUT', `/stars/${star}`, avatar)).status).toBe(200);
    for (const field of ['credit', 'licence', 'creditUrl'])
      for (const nothing of [null, ' ']) {
        const { status, json } = await ask('PUT', path, { [field]: nothing });
        expect([status, json]).toEqual([400, expect.objectContaining({ code: 'shown', field })]);
      }
    expect((await ask('PUT', path, { credit: 'Kim Hana', alt: { ko: '무대' } })).status).toBe(200);
    expect((await ask('PUT', `/stars/${star}`, { avatar: null })).status).toBe(200);
    expect((await ask('PUT', path, { credit: null })).status).toBe(200);
  });

  test('is found by words of its description, credit and licence', async () => {
    await makeUpload();
    const found = async (search: string) => {
      const { json } = await ask('GET', `/pictures?search=${encodeURIComponent(search)}`);
      return Reflect.get(Object(json), 'pictures').map(({ id }: { id: number }) => id);
    };
    for (const search of ['stage', 'KIM', 'cc stage']) expect(await found(search)).toContain(upload.id);
    expect(await found('stage nowhere')).toEqual([]);
  });
});

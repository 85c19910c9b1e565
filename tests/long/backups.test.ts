import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupCommand } from '#api/backup/backup-command.ts';
import { keepNewest } from '#api/backup/generations.ts';
import { verifyBackup } from '#api/backup/open-backup.ts';
import { openPlace } from '#api/backup/open-place.ts';
import type { Place } from '#api/backup/place.ts';
import { restoreCommand } from '#api/backup/restore-command.ts';
import { sealByPassphrase } from '#api/backup/seal.ts';
import { config, setConfig } from '#api/config.ts';
import { addUpload, deleteBytes } from '#api/media/uploads.ts';
import { connection } from '#db/client.ts';
import { backUpTo, command, openPlain, refusal, silent, withFolder } from '#tests/kit/backups.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { startFlakyProxy } from '#tests/kit/flaky-proxy.ts';
import { makeArticle, makeFan, makeStar } from '#tests/kit/make.ts';
import { makeFile } from '#tests/kit/pictures.ts';
import { startStore } from '#tests/kit/s3.ts';
import { until } from '#tests/kit/until.ts';

setDefaultTimeout(300_000);

/** A small site: a star, an article, a fan, and three pictures of their own. */
const own = useDatabase();
let folder: string;
let dataDir: string;
let uploads: string[];

const upload = async (width: number) =>
  (await addUpload(await makeFile('jpeg', { width }), { actorId: null })).key;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'byeol-backups-'));
  dataDir = join(folder, 'data');
  setConfig({ ...config(), dataDir });
  await makeArticle({ stars: [await makeStar({ name: '비밀의 별' })] });
  await makeFan();
  uploads = await Promise.all([301, 302, 303].map(upload));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A place that fails as soon as it has taken so many pictures, and takes nothing back. */
function cutAfter(place: Place, pictures: number): Place {
  const full = fullAfter(place, pictures, 'the power went out');
  return { ...full, delete: dead, deleteFolder: dead };
}
const dead = () => Promise.reject(new Error('there is no power'));

/** A place that fails to write as soon as it has taken so many pictures. */
function fullAfter(place: Place, pictures: number, failure = 'the disk is full'): Place {
  let left = pictures;
  return {
    ...place,
    async write(path, bytes) {
      if (path.startsWith('pictures/')) {
        if (left === 0) throw new Error(failure);
        left -= 1;
      }
      await place.write(path, bytes);
    },
  };
}

test('a backup that fails by itself takes its room back, and leaves the pictures for the next one', () =>
  withFolder(async (target) => {
    const place = openPlace(target);
    expect(await refusal(backUpTo(fullAfter(place, 2), own.url))).toBe('the disk is full');
    expect(await readdir(target)).toEqual(['pictures']);
    const made = await backUpTo(place, own.url, { keep: 1 });
    expect([made.sent, made.waitsFor]).toEqual([1, undefined]);
  }));

test('a backup that cannot write lets go of the database', () =>
  withFolder(async (target) => {
    // More than its first file takes: the server has rows on their way when that cannot be written.
    await connection()`create table ample as
      select repeat(md5(n::text), 300) as text from generate_series(1, 5000) n`;
    const full = { ...openPlace(target), write: () => Promise.reject(new Error('the disk is full')) };
    expect(await refusal(backUpTo(full, own.url))).toBe('the disk is full');
    await until(async () => {
      const left = await connection()`
        select from pg_stat_activity where application_name = 'byeol-backup' and datname = current_database()`;
      return left.length === 0;
    });
    await connection()`drop table ample`;
  }));

test('a backup that was cut is refused, and the next one sends only the pictures that are missing', () =>
  withFolder(async (target) => {
    const place = openPlace(target);
    expect(await refusal(backUpTo(cutAfter(place, 2), own.url))).toBe('the power went out');
    expect(await refusal(openPlain(place))).toMatch(
      /^The backup \S+ in \S+ is torn: it has no manifest, because it was cut or is still being made\. There is none before it\.$/,
    );
    const second = await backUpTo(place, own.url);
    expect([second.pictures, second.sent, second.lost]).toEqual([3, 1, []]);
    expect(second.lacksKeys).toBe(false);
    // Whoever subscribes is bound to the keys, which are not where this backup is made.
    await connection()`
      insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
      select user_id, id, 'https://push.example/1', 'key', 'secret' from sessions limit 1`;
    const third = await backUpTo(place, own.url);
    expect([third.pictures, third.sent, third.lacksKeys]).toEqual([3, 0, true]);

    const extra = await upload(304);
    expect(await refusal(backUpTo(cutAfter(place, 0), own.url))).toBe('the power went out');
    await connection()`delete from pictures where key = ${extra}`;
    expect(await refusal(openPlain(place))).toEndWith(
      `The one before it that is whole can be had by --backup ${third.name}.`,
    );
    expect((await openPlain(place, third.name)).manifest.pictures.count).toBe(3);
  }));

test('a backup whose way to the bucket is cut tries again, and is whole in the end', async () => {
  const store = await startStore();
  const { port } = new URL(store.url.replace('s3:', 'http:'));
  const proxy = await startFlakyProxy(`http://127.0.0.1:${port}`);
  const address = `:${new URL(proxy.url).port}/pictures/nightly/site`;
  const place = openPlace(store.url.replace(`:${port}/pictures`, address));
  let isMended: Promise<void> | undefined;
  const cutOnce = (text: string) => {
    if (isMended || !text.includes('(articles)')) return;
    proxy.cut();
    isMended = (async () => {
      while (proxy.refused === 0) await Bun.sleep(1);
      proxy.mend();
    })();
  };
  const made = await backUpTo(place, own.url, { report: { ...silent, step: cutOnce } });
  expect([made.sent, proxy.refused > 0]).toEqual([3, true]);
  const { files } = await verifyBackup(await openPlain(place), silent);
  expect(files).toBeGreaterThan(6);
  await proxy.close();
  await store.remove();
});

test('a picture that the site has lost is told, one that it threw away is not, and neither keeps the backup from being made', () =>
  withFolder(async (target) => {
    const place = openPlace(target);
    const [lost, withdrawn] = [await upload(306), await upload(307)];
    await backUpTo(place, own.url);
    await Promise.all([deleteBytes(lost), deleteBytes(withdrawn)]);
    await connection()`update pictures set withdrawn_at = now() - interval '40 days' where key = ${withdrawn}`;
    // What an earlier backup has goes on: a picture that is lost here is not lost there.
    const second = await backUpTo(place, own.url);
    expect(second).toMatchObject({ pictures: 4, lost: [], onlyHere: [{ key: lost }] });
    await withFolder(async (other) =>
      expect(await backUpTo(openPlace(other), own.url)).toMatchObject({ pictures: 3, lost: [lost] }),
    );
    const before = config();
    setConfig({ ...before, databaseUrl: own.url });
    // Told all the same: until somebody puts it back, fans see drawn art.
    await expect(backupCommand([target])).rejects.toThrow(
      `The store of the site has lost originals that the place still has: put back pictures/${second.onlyHere[0]?.file}.`,
    );
    await withFolder(async (other) => {
      // The command fails, so that whoever watches it hears of it; what it made is whole.
      await expect(backupCommand([other])).rejects.toThrow(
        `The store of the site has lost the originals of ${lost}.`,
      );
      await backupCommand(['--verify', other]);
    });
    const told = spyOn(console, 'error');
    await expect(backupCommand([join(dataDir, 'backups')])).rejects.toThrow('has lost the originals');
    expect(told).toHaveBeenCalledWith(
      `${join(dataDir, 'backups')} is lost with DATA_DIR, of which it is a part: take a folder of another disk, or a bucket.`,
    );
    told.mockRestore();
    setConfig(before);
    await connection()`delete from pictures where key in ${connection()([lost, withdrawn])}`;
  }));

test('a damaged original is told as lost and not sent, and is sent once it is mended', () =>
  withFolder(async (target) => {
    const place = openPlace(target);
    const damaged = await Promise.all([308, 309].map(upload));
    const files = damaged.map((key) => join(dataDir, 'uploads', key, 'original.jpg'));
    const whole = await Promise.all(files.map((file) => readFile(file)));
    for (const [index, file] of files.entries()) await truncate(file, index * 1_000);
    const first = await backUpTo(place, own.url);
    expect([first.pictures, first.lost.sort()]).toEqual([3, damaged.sort()]);
    for (const [index, file] of files.entries()) await writeFile(file, whole[index] ?? '');
    expect(await backUpTo(place, own.url)).toMatchObject({ pictures: 5, sent: 2, lost: [] });
    await connection()`delete from pictures where key in ${connection()(damaged)}`;
  }));

const passphrase = 'correct horse battery staple';

test('keys of web push that cannot be read are told, and keep no backup from being made', () =>
  withFolder(async (target) => {
    const data = join(target, 'data');
    await mkdir(data);
    await writeFile(join(data, 'vapid.json'), '');
    const place = join(target, 'backups');
    const said = await command('backup', [place], { DATABASE_URL: own.url, DATA_DIR: data });
    expect([said.code, said.errors]).toEqual([
      1,
      expect.stringContaining(`It has no keys of web push: ${data}/vapid.json has no keys`),
    ]);
    expect((await openPlain(openPlace(place))).manifest.vapid).toBeNull();
  }));

test('an encrypted backup is opened by its passphrase alone, and the commands say what is wrong', () =>
  withFolder(async (target) => {
    const place = openPlace(target);
    const seal = await sealByPassphrase(place, passphrase);
    expect(await readdir(target)).toEqual([]);
    await seal.seal(new Uint8Array(1));
    const locked = await place.read('key.age', 1_000);
    await place.write('key.age', Buffer.from('age-encryption.org/v1 of another machine'));
    expect(await refusal(backUpTo(place, own.url, { seal }))).toBe(
      `Another first backup has put its own key.age into ${target} meanwhile: start this one again.`,
    );
    await place.write('key.age', locked ?? new Uint8Array());
    await backUpTo(place, own.url, { seal });
    for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      expect([path, (await stat(path)).mode & 0o777]).toEqual([path, entry.isFile() ? 0o600 : 0o700]);
      if (!entry.isFile() || entry.name === 'pictures.json') continue;
      expect((await readFile(path, 'latin1')).slice(0, 21)).toBe('age-encryption.org/v1');
    }
    const [secret, key] = [join(folder, 'passphrase'), join(folder, 'key')];
    await writeFile(secret, `${passphrase}\n`);
    await writeFile(key, 'nothing');

    const here = { DATABASE_URL: own.url, DATA_DIR: dataDir };
    const [verified, refused, help] = await Promise.all([
      command('backup', ['--verify', target, '--passphrase-file', secret], here),
      command('restore', [target], here),
      command('restore', ['--help'], {}),
    ]);
    expect([verified.code, verified.output]).toEqual([
      0,
      expect.stringMatching(/^The backup \S+ in \S+ is whole: \d+ files, \d\.\d MB\.\n$/),
    ]);
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringMatching(
        /^The backup \S+ in \S+ is encrypted: give --identity FILE, --passphrase-file FILE or BACKUP_PASSPHRASE\.\n$/,
      ),
    ]);
    expect([help.code, help.output]).toEqual([0, expect.stringContaining('bun run restore [PLACE]')]);

    const nowhere = join(folder, 'nowhere');
    const wrong =
      'Say what to do: bun run backup PLACE, or bun run backup --verify PLACE. --help tells the rest.';
    const sentences = new Map<() => Promise<void>, string>([
      [
        () => backupCommand([]),
        'Say where the backup is to be put: a folder, an s3:// address, or BACKUP_URL.',
      ],
      [() => backupCommand(['a', 'b']), wrong],
      [() => backupCommand(['a', '--identity', 'b']), wrong],
      [() => backupCommand(['a', '--verify', '--keep', '3']), wrong],
      [() => backupCommand([target, '--keep', '0']), '--keep takes a number from 1 on.'],
      [
        () => backupCommand([target, '--recipient', 'age1nobody']),
        '“age1nobody” is no recipient of age: it is like age1… and comes from age-keygen.',
      ],
      [
        () => backupCommand(['s3://key:sesame@127.0.0.1']),
        'The address of the backup must be like s3://key:secret@host/bucket?region=…&tls=on.',
      ],
      [
        () => backupCommand([nowhere]),
        `There is no site in DATA_DIR ${dataDir}: set DATA_DIR or DATABASE_URL to those of the site, or start it first.`,
      ],
      [
        () => backupCommand([target, '--passphrase-file', key]),
        `${key} must have at least 16 characters, such as six random words.`,
      ],
      [() => restoreCommand(['a', 'b']), 'Say from where: bun run restore PLACE. --help tells the rest.'],
      [() => restoreCommand([nowhere]), `There is no backup in ${nowhere}.`],
      [
        () => restoreCommand([target, '--identity', key]),
        `${key} has no key of age in it: it is like AGE-SECRET-KEY-1…, on a line of its own.`,
      ],
    ]);
    setConfig({ ...config(), databaseUrl: undefined });
    for (const [work, sentence] of sentences) expect(await refusal(work())).toBe(sentence);
    setConfig({
      ...config(),
      databaseUrl: own.url,
      backupUrl: target,
      backupPassphrase: 'not the passphrase',
    });
    expect(await refusal(restoreCommand([]))).toBe(`The passphrase does not open the backups in ${target}.`);

    // A setting whose name is misspelt does not arrive, and every backup of the night would be open.
    const unsealed = `The backups in ${target} are encrypted, and this one would not be: say --recipient, --passphrase-file or BACKUP_PASSPHRASE as for those, or take another place.`;
    setConfig({ ...config(), backupPassphrase: undefined });
    expect(await refusal(backupCommand([]))).toBe(unsealed);
    await rm(join(target, 'key.age'));
    expect(await refusal(backupCommand([]))).toBe(unsealed);
    setConfig({ ...config(), backupPassphrase: passphrase });
    expect(await refusal(backupCommand([]))).toBe(
      `${target} has encrypted backups, but no key.age, the key that a passphrase opens: put it back from a copy. If it is lost, or they were made with --recipient, take another place.`,
    );
    expect(await refusal(restoreCommand([]))).toBe(
      `There is no key.age in ${target}, the key that a passphrase opens: put it back from a copy, or, if the backup was made with --recipient, say --identity FILE.`,
    );
    expect((await readdir(target)).filter((name) => name === 'key.age')).toEqual([]);
    await place.write('key.age', locked ?? new Uint8Array());
    await Promise.all(
      (await readdir(target))
        .filter((name) => name !== 'key.age')
        .map((name) => rm(join(target, name), { recursive: true })),
    );
    setConfig({ ...config(), backupPassphrase: undefined });
    expect(await refusal(backupCommand([]))).toBe(unsealed);
  }));

test('only the newest backups are kept, with the pictures that they have', () =>
  withFolder(async (target) => {
    const place = openPlace(target);
    const pictures = () => readdir(join(target, 'pictures/open'));
    const gone = await upload(305);
    await backUpTo(place, own.url);
    await connection()`delete from pictures where key = ${gone}`;
    const second = await backUpTo(place, own.url);
    expect(await pictures()).toHaveLength(4);
    await place.write('pictures/open/holiday.jpg', new Uint8Array(1));
    const third = await backUpTo(place, own.url, { keep: 2 });
    await rm(join(target, 'pictures/open/holiday.jpg'));
    expect([third.deleted, ...(await readdir(target)).sort()]).toEqual([
      1,
      ...[second.name, third.name, 'pictures'].sort(),
    ]);
    expect((await pictures()).map((name) => name.slice(0, uploads[0]?.length)).sort()).toEqual(
      uploads.sort(),
    );

    // Another one may be under way, and counts on what it found.
    await place.write('20990101T000000000Z-abcdef/tables/001-stars.0001.zst', new Uint8Array(1));
    expect(await backUpTo(place, own.url, { keep: 1 })).toMatchObject({
      deleted: 0,
      waitsFor: '20990101T000000000Z-abcdef',
    });
    await place.deleteFolder('20990101T000000000Z-abcdef');
    await place.write('20200101T000000000Z-abcdef/tables/001-stars.0001.zst', new Uint8Array(1));
    expect((await backUpTo(place, own.url, { keep: 1 })).deleted).toBe(4);
    await openPlain(place);
  }));

test('pictures that a backup which began meanwhile found or sent are kept', () =>
  withFolder(async (target) => {
    const place = openPlace(target);
    await backUpTo(place, own.url);
    const [found, sent] = ['a', 'b'].map((sign) => `upload-${sign.repeat(24)}.${sign.repeat(64)}.jpg`) as [
      string,
      string,
    ];
    const put = (name: string) => place.write(`pictures/open/${name}`, new Uint8Array(1));
    const left = async () => {
      const names = await readdir(join(target, 'pictures/open'));
      return [names.includes(found), names.includes(sent)];
    };
    await put(found);
    const other = '20990101T000000000Z-abcdef';
    await keepNewest(
      {
        ...place,
        async read(path, most) {
          await place.write(`${other}/jobs.0001.zst`, new Uint8Array(1));
          return place.read(path, most);
        },
      },
      1,
    );
    expect(await left()).toEqual([true, false]);
    await place.deleteFolder(other);
    await keepNewest(
      {
        ...place,
        async listTop() {
          await put(sent);
          return place.listTop();
        },
      },
      1,
    );
    expect(await left()).toEqual([false, true]);
  }));

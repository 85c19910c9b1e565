import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import kpopnet from 'kpopnet.json';
import type { StarDocument } from '#api/directory/model.ts';
import { connection } from '#db/client.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFile } from '#tests/kit/pictures.ts';
import { runToEnd } from '#tests/kit/run-program.ts';

const own = useDatabase();
const folder = mkdtempSync(join(tmpdir(), 'byeol-directory-'));
const dataDir = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true }));

/** One group of the real file with its four members. */
const group = kpopnet.groups.find(({ name }) => name === 'QWER');
const some = {
  groups: [group],
  idols: kpopnet.idols.filter(({ groups }) => groups.includes(group?.id ?? '')),
};

/** `bun run directory …` as the operator types it. */
const directory = (...words: string[]) => run([process.execPath, 'api/directory-command.ts', ...words]);

/** The same where files have room for a kilobyte or less. */
const directoryWithoutRoom = (...words: string[]) =>
  run(['sh', '-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, 'api/directory-command.ts', ...words]);

function run(command: string[]) {
  return runToEnd(command, { DATABASE_URL: own.url, DATA_DIR: dataDir, NODE_ENV: 'test' });
}

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, content);
  return path;
}
const starCount = async () =>
  (await connection()<{ n: number }[]>`select count(*)::int as n from stars`)[0]?.n;
const lines = (text: string) => text.trim().split('\n');

const csv = 'category;words.ko.name;birthDate\r\nIdol;별;2001-02\r\nIdol;\u001B[31m한;2001-02-30\r\n';

describe('bun run directory', () => {
  test('tells what it does, and in which columns', async () => {
    const { code, output } = await directory('--help');
    expect(code).toBe(0);
    expect(output).toContain('bun run directory import FILE');
    expect(output).toContain('words.ko.name, words.ko.agency');
    const wrong = [
      [],
      ['import'],
      ['export', 'a', 'b'],
      ['import', 'a', 'b'],
      ['import', 'a', '--stars', 'b'],
      ['export', '--fetch-pictures'],
      ['import', '--all'],
    ];
    for (const words of wrong) {
      const { code, errors } = await directory(...words);
      expect([code, errors]).toEqual([
        1,
        expect.stringContaining('Say what to do: bun run directory import FILE'),
      ]);
    }
    const format = await directory('import', 'a', '--format', 'xml');
    expect([format.code, format.errors]).toEqual([
      1,
      'There is no format “xml” here: say one of byeol, csv, kpopnet.\n',
    ]);
  }, 300_000);

  test('leaves a file as it is where this site has nobody to write into it', async () => {
    const file = await fileOf('kept.json', 'of another site');
    const { code, output, errors } = await directory('export', file);
    expect([code, output, errors]).toEqual([
      1,
      '',
      expect.stringContaining(`This site has no star: ${file} stays as it is.`),
    ]);
    expect(await Bun.file(file).text()).toBe('of another site');
  }, 300_000);

  test('refuses a file that is none with a sentence and a status', async () => {
    const missing = await directory('import', join(folder, 'nowhere.json'));
    expect([missing.code, missing.errors]).toEqual([1, `${join(folder, 'nowhere.json')} cannot be read.\n`]);
    expect((await directory('import', folder)).errors).toBe(`${folder} cannot be read.\n`);
    const broken = await directory('import', await fileOf('broken.json', '{"stars":'));
    expect([broken.code, broken.errors]).toEqual([1, 'The file is not valid JSON.\n']);
    const huge = await fileOf('huge.csv', new Uint8Array(32 * 1024 * 1024 + 1));
    expect((await directory('import', huge)).errors).toContain('has more than 32 MB: split it.');
  }, 300_000);

  test('tells every row, and takes nothing in when one is refused', async () => {
    const path = await fileOf('stars.csv', csv);
    const dry = await directory('import', path, '--dry-run');
    expect([dry.code, ...lines(dry.output)]).toEqual([
      1,
      'stars.csv: 2 stars, read as csv.',
      '     2 add    별',
      '     3 refuse \\u{1b}[31m한: The field “birthDate” is wrong: Must be a date such as 2001, 2001-02 or 2001-02-28.; The field “words.ko.name” is wrong: Has characters that cannot be shown.',
      'It would be: 1 added, 0 changed, 0 left alone, 1 refused. Nothing was written.',
    ]);
    const whole = await directory('import', path);
    expect([whole.code, whole.errors, await starCount()]).toEqual([
      1,
      'Nothing was imported, because 1 star of the file is refused. The others can be taken with --row-by-row.\n',
      0,
    ]);
    const rows = await directory('import', path, '--row-by-row');
    expect([rows.code, lines(rows.output).at(-1), await starCount()]).toEqual([
      1,
      '1 added, 0 changed, 0 left alone, 1 refused.',
      1,
    ]);
    await connection()`truncate stars, pictures, audit_log restart identity cascade`;
  }, 300_000);

  test('takes in a kpopnet.json, and nothing the second time', async () => {
    const path = await fileOf('kpopnet.json', JSON.stringify(some));
    const first = await directory('import', path, '--format', 'kpopnet');
    expect([first.errors, first.code, lines(first.output).at(-1)]).toEqual([
      '',
      0,
      '5 added, 0 changed, 0 left alone, 0 refused.',
    ]);
    const again = await directory('import', path);
    expect([again.code, lines(again.output).at(-1)]).toEqual([
      0,
      '0 added, 0 changed, 5 left alone, 0 refused.',
    ]);
    const actions = await connection()<{ action: string; n: number }[]>`
      select action, count(*)::int as n from audit_log where actor_id is null group by action`;
    expect([...actions]).toEqual([{ action: 'star.import', n: 5 }]);
  }, 300_000);

  test('writes what it reads, to standard output or into a file', async () => {
    const { code, output, errors } = await directory('export');
    expect(errors).toContain('Set SITE_URL to the address of the site.');
    const { stars } = JSON.parse(output) as { stars: StarDocument[] };
    expect([code, stars.length]).toEqual([0, 5]);
    await connection()`update stars set hidden_at = now() where slug = ${stars[0]?.slug ?? ''}`;
    const path = join(folder, 'all.csv');
    const written = await directory('export', '--format', 'csv', path);
    expect(written.output).toBe(`5 stars in ${path}.\n`);
    expect(written.errors).toContain(
      '1 of them is hidden here: a site that takes the file in shows what is hidden.',
    );
    await connection()`update stars set hidden_at = null`;
    const before = await Bun.file(path).text();
    const full = await directoryWithoutRoom('export', path);
    expect([full.code, full.errors]).toEqual([1, `${path} cannot be written (EFBIG).\n`]);
    expect(await Bun.file(path).text()).toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('all.csv'))).toEqual(['all.csv']);
    const again = await directory('import', path, '--dry-run');
    expect([again.code, lines(again.output).at(-1)]).toEqual([
      0,
      'It would be: 0 added, 0 changed, 5 left alone, 0 refused. Nothing was written.',
    ]);
    const one = await directory('export', '--stars', stars.find(({ members }) => !members)?.slug ?? '');
    expect((JSON.parse(one.output) as { stars: StarDocument[] }).stars).toHaveLength(1);
    const nobody = await directory('export', '--stars', 'nobody,qwer');
    expect([nobody.code, nobody.errors]).toEqual([
      1,
      'Nobody is called nobody here: --stars takes slugs and numbers.\n',
    ]);
  }, 300_000);

  test('writes the pictures into a folder, and takes them out of it', async () => {
    const [pictures, path] = [join(folder, 'pictures'), join(folder, 'pictured.json')];
    await Bun.write(join(pictures, 'hero.png'), await makeFile('png'));
    const one: StarDocument = {
      slug: 'han',
      category: 'Idol',
      words: { ko: { name: '한' } },
      hero: { key: 'hero', credit: 'Lee', licence: 'CC0', creditUrl: 'https://photos.example/1' },
      avatar: { key: 'none' },
    };
    const start = await fileOf(
      'start.json',
      JSON.stringify({ format: 'byeol-directory', version: 1, stars: [one] }),
    );
    const taken = await directory('import', start, '--pictures', pictures);
    expect([taken.code, lines(taken.output)[1]]).toEqual([
      0,
      '     1 add    한 (star 6): pictures that are left out: none (The folder has none of this name.)',
    ]);
    const written = await directory('export', '--stars', 'han', '--pictures', join(folder, 'new'), path);
    expect([written.errors, written.output]).toEqual([
      '',
      `1 star in ${path}.\n1 picture in ${join(folder, 'new')}.\n`,
    ]);
    await connection()`truncate stars, pictures restart identity cascade`;
    rmSync(dataDir, { recursive: true });
    const again = await directory('import', path, '--pictures', join(folder, 'new'));
    expect([again.errors, again.code, lines(again.output).at(-1)]).toEqual([
      '',
      0,
      '1 added, 0 changed, 0 left alone, 0 refused.',
    ]);
    const [picture] = await connection()<{ n: number }[]>`
      select count(*)::int as n from pictures p join stars s on s.hero_key = p.key where p.upload_hash is not null`;
    expect(picture?.n).toBe(1);
    expect((await directory('import', path, '--pictures', join(folder, 'nowhere'))).errors).toBe(
      `${join(folder, 'nowhere')} cannot be read.\n`,
    );
  }, 300_000);
});

import { beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import kpopnet from 'kpopnet.json';
import { exportDirectory } from '#api/directory/export.ts';
import { applyImport, previewImport } from '#api/directory/import.ts';
import { mergeStar } from '#api/directory/merge.ts';
import type { StarDocument } from '#api/directory/model.ts';
import { countOutcomes } from '#api/directory/plan.ts';
import { readDirectoryFile } from '#api/directory/read-file.ts';
import { saveStar } from '#api/directory/write-star.ts';
import { drawMark } from '#content/art/draw.ts';
import type { MarkStyle } from '#content/art/mark-styles.ts';
import { site } from '#content/site.ts';
import { connection, database } from '#db/client.ts';
import { findStarDocuments } from '#db/queries/directory/document.ts';
import { lockImports } from '#db/queries/directory/import.ts';
import { contention } from '#tests/kit/contention.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeFan } from '#tests/kit/make.ts';
import { distanceOf, seenSmall, toldApart } from '#tests/kit/seen-marks.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();

const rowsOf = (value: unknown) =>
  readDirectoryFile(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))).rows;
const byeol = (...stars: StarDocument[]) => rowsOf({ format: 'byeol-directory', version: 1, stars });
const apply = (rows: ReturnType<typeof rowsOf>, rowByRow = false) =>
  applyImport(rows, { actorId: null, rowByRow });
const outcomes = async (rows: ReturnType<typeof rowsOf>) => countOutcomes(await previewImport(rows));
const allSame = (same: number) => ({ add: 0, change: 0, same, refuse: 0 });
const documents = async () => (await findStarDocuments()).map(({ document }) => document);
const count = async (table: string) =>
  (await connection().unsafe<{ n: number }[]>(`select count(*)::int as n from ${table}`))[0]?.n;
async function empty(): Promise<void> {
  await connection()`truncate stars, pictures restart identity cascade`;
}

const han: StarDocument = {
  slug: 'han',
  externalIds: { wikidata: 'Q1' },
  category: 'Idol',
  fandomColor: '#12ABEF',
  words: {
    ko: { name: '한', agency: '별 엔터' },
    en: { name: 'Han', biography: 'First line\nsecond, "line"' },
    vi: { name: 'Hàn', nationality: '=1+1' },
  },
  aliases: ['하나', '-한-'],
  birthDate: '2001-02-03',
  debutDate: '2019-07',
  activity: 'hiatus',
  height: 171,
  mbti: 'INFP',
  timeline: [
    { date: '2019', type: 'debut', importance: 9, isHighlight: true, words: { ko: { title: '데뷔' } } },
  ],
  achievements: [
    {
      awardDate: '2020-12',
      result: 'nominated',
      words: { en: { achievement: 'Nominee', awardName: 'Prize' } },
    },
  ],
  socialLinks: [
    {
      platform: 'twitter',
      profileUrl: 'https://x.com/han',
      displayName: '@han',
      followerCount: 12,
      countedOn: '2024-02-01',
    },
  ],
  sources: { birthDate: { name: 'Interview', url: 'https://news.example/1' } },
};
const duo: StarDocument = {
  slug: 'duo',
  category: 'K-Pop Group',
  words: { ko: { name: '듀오' }, en: { name: 'Duo' } },
  members: [
    { star: 'wikidata:Q1', names: { ko: '한' }, roles: { en: 'Leader' }, since: '2019', isFormer: true },
    { names: { en: 'Nobody' } },
  ],
};
const unit: StarDocument = {
  slug: 'duo-unit',
  category: 'K-Pop Group',
  words: { ko: { name: '유닛' }, en: { name: 'Unit' } },
  parent: 'duo',
  members: [{ star: 'han', names: { ko: '한' } }],
};

describe('all of kpopnet', () => {
  test('is in within a minute, and the same file again changes nothing', async () => {
    const rows = rowsOf(kpopnet);
    expect(await outcomes(rows)).toEqual({ add: 1017, change: 0, same: 0, refuse: 0 });
    expect(await count('stars')).toBe(0);
    const before = contention();
    const start = performance.now();
    const { isApplied, rows: told } = await apply(rows);
    expect(performance.now() - start).toBeLessThan(60_000 * Math.max(before, contention()));
    expect([isApplied, countOutcomes(told)]).toEqual([true, { add: 1017, change: 0, same: 0, refuse: 0 }]);
    expect([await count('stars'), await count('star_external_ids')]).toEqual([1017, 1017]);
    // It ended as a bulk load does: PostgreSQL knows how many there are.
    const [known] = await connection()<{ stars: number }[]>`
      select reltuples::int as stars from pg_class where oid = 'stars'::regclass`;
    expect(known?.stars).toBe(1017);

    const revisions = await count('star_revisions');
    expect(await outcomes(rows)).toEqual(allSame(1017));
    for (const rowByRow of [false, true])
      expect(countOutcomes((await apply(rows, rowByRow)).rows)).toEqual(allSame(1017));
    expect([await count('stars'), await count('star_revisions'), await count('star_offers')]).toEqual([
      1017,
      revisions,
      0,
    ]);
  }, 900_000);

  test('links members, former members and sub-units', async () => {
    const [members] = await connection()<{ all: number; linked: number; former: number }[]>`
      select count(*)::int as all, count(member_id)::int as linked, count(*) filter (where is_former)::int as former
      from star_members`;
    expect({ ...members }).toEqual({ all: 983, linked: 983, former: 456 });
    expect(await count('star_profiles where parent_id is not null')).toBe(24);
    const [fake] = await connection()<{ n: number }[]>`
      select count(*)::int as n from star_members m join stars s on s.id = m.member_id where m.names ->> 'ko' <> s.name`;
    expect(fake?.n).toBe(0);
  });

  test('keeps the five who are called 민지 five', async () => {
    const five = await connection()<{ slug: string; born: string; groups: number }[]>`
      select s.slug, p.birth_date as born, (select count(*)::int from star_members m where m.member_id = s.id) as groups
      from stars s join star_profiles p on p.star_id = s.id where s.name = '민지' order by born`;
    expect(five.map(({ born }) => born)).toEqual([
      '1994-01-18',
      '1999-03-31',
      '2001-01-16',
      '2004-05-07',
      '2006-09-26',
    ]);
    expect(new Set(five.map(({ slug }) => slug)).size).toBe(5);
    expect(five.every(({ groups }) => groups === 1)).toBe(true);
  });

  test('looks different for whoever stands under one name, and for whoever has the same initial consonants', async () => {
    const stars = await connection()<
      { id: number; name: string; initials: string; colour: string; style: MarkStyle; names: string[] }[]
    >`
      select s.id, s.name, initials, fandom_color as colour, mark_style as style, array_agg(distinct t.name) as names
      from stars s join star_translations t on t.star_id = s.id group by s.id`;
    const markOf = ({ name, colour, style }: (typeof stars)[number]) =>
      drawMark({ name, fandomColor: colour }, style);
    const byName = Map.groupBy(
      stars.flatMap((star) => star.names.map((name) => ({ name, star }))),
      ({ name }) => name,
    );
    const namesakes = [...byName].filter(([, all]) => all.length > 1);
    expect(namesakes.length).toBeGreaterThan(100);
    const alike: string[] = [];
    for (const [name, all] of namesakes) {
      const seen = await Promise.all(all.map(({ star }) => seenSmall(markOf(star))));
      seen.forEach((one, at) => {
        for (const other of seen.slice(at + 1)) if (distanceOf(one, other) < toldApart) alike.push(name);
      });
    }
    expect(alike).toEqual([]);
    expect(new Set(stars.map((star) => `${star.initials} ${markOf(star)}`)).size).toBe(stars.length);
  });

  test('has no fan colours, which kpopnet does not tell, and no star in the colour of the brand', async () => {
    const { stars } = JSON.parse((await exportDirectory('byeol')).text) as { stars: StarDocument[] };
    expect(stars.filter(({ fandomColor }) => fandomColor !== undefined)).toEqual([]);
    expect(await count('stars where not is_color_drawn')).toBe(0);
    expect(await count(`stars where upper(fandom_color) = upper('${site.brandColor}')`)).toBe(0);
  });

  test('is told apart by its file for ever, and stays one where an editor merged two', async () => {
    const rows = rowsOf(kpopnet);
    // Two of one group, the later into the earlier and the other way round.
    const pairs = await connection()<{ group: number; low: number; high: number }[]>`
      select group_id as "group", min(member_id) as low, max(member_id) as high from star_members
      group by group_id having count(distinct member_id) > 4 order by group_id limit 2`;
    const merges = pairs.map(({ group, low, high }, place) =>
      place === 0 ? { group, from: high, into: low } : { group, from: low, into: high },
    );
    const { id: editor } = await makeFan({ role: 'editor' });
    const own = await findStarDocuments(merges.map(({ into }) => into));
    for (const { from, into } of merges) await mergeStar(from, into, editor);
    const all = merges.flatMap(({ group, into }) => [group, into]);
    const before = await findStarDocuments(all);
    await apply(rows);
    expect(await outcomes(rows)).toEqual(allSame(1017));
    const after = await findStarDocuments(all);
    expect(after.map(({ document }) => document)).toEqual(before.map(({ document }) => document));
    for (const { id, document } of own) {
      const kept = after.find((star) => star.id === id);
      expect([kept?.document.externalIds, kept?.externalNames.length]).toEqual([document.externalIds, 2]);
    }
    expect(await count('stars')).toBe(1015);
  }, 120_000);
});

describe('an import', () => {
  beforeEach(empty);

  test('takes those that others name first, in whatever order they stand', async () => {
    const { rows } = await apply(byeol(unit, duo, han));
    expect(rows.map(({ outcome }) => outcome)).toEqual(['add', 'add', 'add']);
    const [made] = await connection()<{ parent: string; member: string; former: string }[]>`
      select (select slug from stars where id = p.parent_id) as parent,
        (select slug from stars where id = (select member_id from star_members where group_id = p.star_id)) as member,
        (select slug from stars where id = (select member_id from star_members where is_former)) as former
      from star_profiles p where p.parent_id is not null`;
    expect({ ...made }).toEqual({ parent: 'duo', member: 'han', former: 'han' });
  });

  test('takes stars that name each other', async () => {
    const crew = { ...duo, members: [{ star: 'duo-unit', names: { ko: '유닛' } }] };
    await apply(byeol(crew, unit, han));
    expect(
      (await documents()).map(({ slug, parent, members }) => [slug, parent, members?.[0]?.star]),
    ).toEqual(
      expect.arrayContaining([
        ['duo', undefined, 'duo-unit'],
        ['duo-unit', 'duo', 'han'],
      ]),
    );
    expect(await outcomes(byeol(crew, unit, han))).toEqual(allSame(3));
  });

  test('tells row by row what it would do, and does that', async () => {
    await apply(byeol(han, duo));
    const next = byeol(
      { ...han, height: 172, mbti: null, words: { en: { name: 'Han', agency: 'Star' } } },
      duo,
      { ...unit, parent: null },
      { ...unit, slug: 'lost', parent: 'nobody' },
    );
    const preview = await previewImport(next);
    expect(
      preview.map(({ outcome, changed, reasons }) => [
        outcome,
        changed.map(({ field, before, after }) => [field, before, after]),
        reasons.map(({ message }) => message),
      ]),
    ).toEqual([
      [
        'change',
        [
          ['height', 171, 172],
          ['mbti', 'INFP', null],
          ['words.en.agency', null, 'Star'],
        ],
        [],
      ],
      ['same', [], []],
      ['add', [], []],
      ['refuse', [], ['It names “nobody”, which nobody is.']],
    ]);
    const stood = await documents();
    expect(await apply(next)).toEqual({ isApplied: false, rows: preview });
    expect(await documents()).toEqual(stood);
    const { isApplied, rows } = await apply(next, true);
    expect([isApplied, countOutcomes(rows)]).toEqual([true, { add: 1, change: 1, same: 1, refuse: 1 }]);
    const [changed] = await documents();
    expect(changed).toMatchObject({
      height: 172,
      words: { en: { agency: 'Star' }, ko: { agency: '별 엔터' } },
    });
    expect(changed?.mbti).toBeUndefined();
  });

  test('reads lists that stand by their dates in whatever order a file has them', async () => {
    const entry = (date: string) =>
      ({ date, type: 'debut', importance: 5, isHighlight: false, words: { ko: { title: date } } }) as const;
    const award = (awardDate: string) =>
      ({ awardDate, result: 'won', words: { en: { achievement: 'Winner', awardName: 'Prize' } } }) as const;
    const account = (name: string, followerCount: number) =>
      ({
        platform: 'twitter',
        profileUrl: `https://x.com/${name}`,
        displayName: name,
        followerCount,
      }) as const;
    const lists = {
      timeline: [entry('2019-03-04'), entry('2020'), entry('2021')],
      achievements: [award('2019'), award('2021'), award('2020')],
      socialLinks: [account('small', 1), account('large', 1000)],
    };
    const { sources: _sources, ...plain } = han;
    await apply(byeol({ ...plain, ...lists }));
    const revisions = await count('star_revisions');
    for (const order of [(list: readonly object[]) => list, (list: readonly object[]) => list.toReversed()]) {
      const turned = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, order(list)]));
      expect(await outcomes(byeol({ ...plain, ...turned }))).toEqual(allSame(1));
      await apply(byeol({ ...plain, ...turned }));
    }
    expect(await count('star_revisions')).toBe(revisions);
    expect(await outcomes(byeol({ ...plain, ...lists, timeline: lists.timeline.slice(1) }))).toMatchObject({
      change: 1,
    });
  });

  test('offers what an editor emptied, until that is declined', async () => {
    await apply(byeol(han));
    await database().transaction((tx) =>
      saveStar(tx, {
        id: 1,
        document: { mbti: null, words: { en: { name: 'Han', biography: null } } },
        actorId: null,
        action: 'star.edit',
        byPerson: true,
      }),
    );
    const told = async () => {
      const { rows } = await apply(byeol(han));
      return rows.map(({ outcome, changed, offered }) => [
        outcome,
        changed,
        offered.map(({ field }) => field).sort(),
      ]);
    };
    expect(await told()).toEqual([['same', [], ['mbti', 'words.en.biography']]]);
    await connection()`update star_offers set declined_at = now() where field = 'mbti'`;
    expect(await told()).toEqual([['same', [], ['words.en.biography']]]);
    expect((await documents())[0]?.mbti).toBeUndefined();
  });

  test('tells before it writes whom it will refuse, each for itself', async () => {
    const account = { platform: 'twitter', profileUrl: 'https://x.com/a', displayName: 'a' } as const;
    const file = byeol(
      { category: 'Idol', words: { vi: { name: 'Chỉ tiếng Việt' } } },
      han,
      { ...duo, members: [1, 2].map(() => ({ star: 'han', names: { ko: '한' } })) },
      { ...unit, members: [], socialLinks: [account, account] },
    );
    const preview = await previewImport(file);
    expect(preview.map(({ outcome, reasons }) => [outcome, ...reasons.map(({ code }) => code)])).toEqual([
      ['refuse', 'nameless'],
      ['add'],
      ['refuse', 'known_member'],
      ['refuse', 'known'],
    ]);
    expect((await apply(file)).rows).toEqual(preview);
    const { rows } = await apply(file, true);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['refuse', 'add', 'refuse', 'refuse']);
  });

  test('is one transaction: what is refused at last takes all the rest back', async () => {
    const twice = [
      { platform: 'twitter', profileUrl: 'https://x.com/a', displayName: 'a' },
      { platform: 'twitter', profileUrl: 'https://x.com/a', displayName: 'a' },
    ] as const;
    const file = byeol(han, { ...duo, members: [], socialLinks: [...twice] });
    const { isApplied, rows } = await apply(file);
    expect([isApplied, rows.map(({ outcome }) => outcome), await count('stars')]).toEqual([
      false,
      ['add', 'refuse'],
      0,
    ]);
    expect(rows[1]?.reasons[0]?.message).toContain('This star has this account already.');
    expect((await apply(file, true)).isApplied).toBe(true);
    expect((await documents()).map(({ slug }) => slug)).toEqual(['han']);
  });

  test('never overwrites what a person wrote, and offers what it knows', async () => {
    await apply(byeol(han));
    const [star] = await findStarDocuments();
    await database().transaction((tx) =>
      saveStar(tx, {
        id: star?.id,
        document: { height: 180, words: { ko: { name: '한한' } } },
        actorId: null,
        action: 'star.edit',
        byPerson: true,
      }),
    );
    const next = byeol({ ...han, height: 175, mbti: 'ENFP' });
    const [preview] = await previewImport(next);
    expect([preview?.outcome, preview?.changed.map(({ field }) => field)]).toEqual(['change', ['mbti']]);
    expect(preview?.offered.map(({ field }) => field).sort()).toEqual(['height', 'words.ko.name']);
    await apply(next);
    expect((await documents())[0]).toMatchObject({
      height: 180,
      mbti: 'ENFP',
      words: { ko: { name: '한한' } },
    });
    const offers = await connection()<{ field: string; offered: unknown }[]>`
      select field, offered from star_offers order by field`;
    expect(offers.map(({ field, offered }) => [field, offered])).toEqual([
      ['height', 175],
      ['words.ko.name', '한'],
    ]);
    const again = await apply(next);
    expect([countOutcomes(again.rows).same, await count('star_offers')]).toEqual([1, 2]);
  });

  test('waits for no other: the second at the same time is refused', async () => {
    await database().transaction(async (tx) => {
      expect(await lockImports(tx)).toBe(true);
      await expect(apply(byeol(han))).rejects.toMatchObject({ code: 'import_running' });
    });
    expect(await count('stars')).toBe(0);
  });

  test('leaves nothing there twice, also when three come at once', async () => {
    const results = await Promise.allSettled([apply(byeol(han)), apply(byeol(han)), apply(byeol(han))]);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(refused)).toEqual(refused.length > 0 ? new Set(['import_running']) : new Set());
    expect(await count('stars')).toBe(1);
  });

  test('waits as long as it takes for what it writes row by row', async () => {
    const limit = await database().transaction(async (tx) => {
      expect(await lockImports(tx)).toBe(true);
      return tx.execute<{ limit: string }>(
        sql`select current_setting('idle_in_transaction_session_timeout') as limit`,
      );
    });
    expect(limit[0]?.limit).toBe('0');
  });

  test('is over with the connection of its lock: it writes no more while others may begin', async () => {
    const rows = byeol(
      ...Array.from(
        { length: 30 },
        (_, n): StarDocument => ({ category: 'Idol', words: { en: { name: `Nara ${n}` } } }),
      ),
    );
    const onProgress = async (done: number) => {
      if (done !== 3) return;
      const held = () => connection()`select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
          and objid = (hashtext('directory import')::bigint & 4294967295)::oid`;
      await until(async () => (await held()).length === 0);
      // Its end of the connection hears of it.
      await Bun.sleep(200);
    };
    await expect(applyImport(rows, { actorId: null, rowByRow: true, onProgress })).rejects.toThrow();
    // What it was at when it heard of that may still be written.
    await until(async () => {
      const busy = await connection()`select from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`;
      return busy.length === 0;
    });
    const written = await count('stars');
    await Bun.sleep(300);
    expect([await count('stars'), Number(written) < rows.length]).toEqual([written, true]);
  });

  test('leaves out pictures that are not here, and says which', async () => {
    const pictured: StarDocument = {
      ...han,
      hero: { key: '../../etc/passwd' },
      photos: [{ picture: { key: 'gone' }, category: 'casual', words: { ko: { title: '사진' } } }],
      timeline: [
        { ...(han.timeline?.[0] ?? { date: '2019', type: 'debut', words: {} }), picture: { key: 'gone' } },
      ],
    };
    const { rows } = await apply(byeol(pictured));
    expect(rows[0]?.missingPictures).toEqual(['../../etc/passwd', 'gone']);
    expect((await documents())[0]).toMatchObject({ timeline: [{ date: '2019' }] });
    expect(await count('photos')).toBe(0);
    expect(await outcomes(byeol(pictured))).toEqual(allSame(1));
  });
});

describe('a star of a file is one of the directory', () => {
  beforeEach(async () => {
    await empty();
    await apply(byeol(han, { ...duo, members: [] }));
  });
  const matched = async (...stars: StarDocument[]) =>
    (await previewImport(byeol(...stars))).map(({ outcome, starId, namesakes }) => [
      outcome,
      starId,
      namesakes,
    ]);
  const { slug: _, externalIds: __, ...nameless } = han;

  test('by the number of another directory, whatever it is called there', async () => {
    const renamed = {
      ...nameless,
      externalIds: { wikidata: 'Q1', kpopnet: 'k1' },
      words: { ko: { name: '딴이름' } },
    };
    expect(await matched(renamed)).toEqual([['change', 1, []]]);
    await apply(byeol(renamed));
    expect((await documents())[0]?.externalIds).toEqual({ wikidata: 'Q1', kpopnet: 'k1' });
    expect((await documents())[0]?.slug).toBe('han');
  });

  test('by its slug, unless another directory knows it by another number', async () => {
    const { externalIds: ___, ...bySlug } = han;
    expect(await matched(bySlug)).toEqual([['same', 1, []]]);
    expect(await matched({ ...han, externalIds: { wikidata: 'Q2' } })).toEqual([['add', undefined, [1]]]);
    await apply(byeol({ ...han, externalIds: { wikidata: 'Q2' } }));
    expect((await documents()).map(({ slug }) => slug)).toEqual(['han', 'duo', 'han-2']);
  });

  test('by its names and its day of birth, or as a group of these names', async () => {
    expect(await matched({ ...nameless, externalIds: { kpopnet: 'k1' } })).toEqual([['change', 1, []]]);
    expect(await matched({ ...nameless, birthDate: '2001-02-04' })).toEqual([['add', undefined, [1]]]);
    expect(await matched({ ...nameless, birthDate: null })).toEqual([['add', undefined, [1]]]);
    const group: StarDocument = { category: 'K-Pop Group', words: duo.words, debutDate: '2011' };
    expect(await matched(group)).toEqual([['change', 2, []]]);
    expect(await matched(group, { ...group, debutDate: '2012' })).toEqual([
      ['add', undefined, [2]],
      ['add', undefined, [2]],
    ]);
  });

  test('and whom a file brought without a day of birth is not brought twice by it', async () => {
    const plain = (name: string, more: Partial<StarDocument> = {}): StarDocument => ({
      category: 'Idol',
      words: { ko: { name: `${name}라` }, en: { name } },
      ...more,
    });
    const file = byeol(
      plain('Ara'),
      plain('Bora', { debutDate: '2019' }),
      plain('Cora', { birthDate: '2004' }),
    );
    await apply(file);
    for (const rowByRow of [false, true])
      expect(countOutcomes((await apply(file, rowByRow)).rows)).toEqual(allSame(3));
    // Nor once a person has found out more.
    const enter = (id: number | undefined, document: StarDocument | Pick<StarDocument, 'birthDate'>) =>
      database().transaction((tx) =>
        saveStar(tx, { id, document, actorId: null, action: 'star.edit', byPerson: true }),
      );
    await enter((await previewImport(file))[0]?.starId, { birthDate: '2004-05-06' });
    expect(await outcomes(file)).toEqual(allSame(3));
    // Whoever is known otherwise, and whoever a person entered, is somebody else.
    await enter(undefined, plain('Dora'));
    const others = byeol(
      plain('Ara', { category: 'Actor' }),
      plain('Bora', { debutDate: '2020' }),
      plain('Cora', { birthDate: '2005' }),
      plain('Dora'),
    );
    expect(await outcomes(others)).toEqual({ add: 4, change: 0, same: 0, refuse: 0 });
  });

  test('also by one name, where the dates or an import before say who it is', async () => {
    const born: StarDocument = {
      category: 'Actor',
      words: { ko: { name: '외자박' } },
      birthDate: '1990-01-01',
    };
    const file = byeol(
      born,
      { category: 'Solo Artist', words: { en: { name: 'Solo' } } },
      { category: 'K-Pop Group', words: { ko: { name: '외그룹' } }, debutDate: '2019-05-01' },
      { category: 'Idol', words: { ko: { name: '지민' } } },
      { category: 'Idol', words: { ko: { name: '지민' } } },
    );
    await apply(file);
    for (const rowByRow of [false, true])
      expect(countOutcomes((await apply(file, rowByRow)).rows)).toEqual(allSame(5));
    const enter = (id: number | undefined, words: StarDocument['words']) =>
      database().transaction((tx) =>
        saveStar(tx, { id, document: { words }, actorId: null, action: 'star.edit', byPerson: true }),
      );
    await enter((await previewImport(file))[0]?.starId, { en: { name: 'Oeja Park' } });
    expect(await outcomes(file)).toEqual(allSame(5));
    expect(await outcomes(byeol({ ...born, birthDate: '1991-01-01' }))).toMatchObject({ add: 1 });
    expect(
      await outcomes(
        byeol({ category: 'K-Pop Group', words: { ko: { name: '외그룹' } }, debutDate: '2020' }),
      ),
    ).toMatchObject({ add: 1 });
  });

  test('and one that an editor merged into another stays so, whether a file has slugs or only names', async () => {
    const twin: StarDocument = {
      slug: 'han-twin',
      category: 'Idol',
      words: { ko: { name: '한쌍' }, en: { name: 'Han Twin' } },
    };
    const crew: StarDocument = {
      slug: 'crew',
      category: 'K-Pop Group',
      words: { ko: { name: '크루' }, en: { name: 'Crew' } },
      members: [
        { star: 'han', names: { ko: '한' } },
        { star: 'han-twin', names: { ko: '한쌍' } },
      ],
    };
    const file = byeol(han, twin, crew);
    await apply(file);
    const { starId: from = 0 } = (await previewImport(file))[1] ?? {};
    const { id: editor } = await makeFan({ role: 'editor' });
    await mergeStar(from, 1, editor);
    const before = await documents();
    const { slug: ___, ...unslugged } = twin;
    for (const again of [file, byeol(twin), byeol(unslugged), byeol({ ...twin, height: 150 })]) {
      const { rows } = await apply(again, true);
      expect(countOutcomes(rows)).toEqual(allSame(rows.length));
      expect(rows.flatMap(({ reasons }) => reasons)).toEqual([
        { code: 'merged_into', about: 'han', message: 'It was merged into “han”.' },
      ]);
      expect(await documents()).toEqual(before);
    }
    // Another number, or another day of birth, is somebody else.
    expect(await outcomes(byeol({ ...unslugged, birthDate: '1999-01-01' }))).toMatchObject({ add: 1 });
    expect(await outcomes(byeol({ ...unslugged, externalIds: { wikidata: 'Q77' } }))).toMatchObject({
      add: 1,
    });
  });

  test('once in a file, and never two at a time', async () => {
    await apply(
      byeol({
        ...duo,
        slug: 'other',
        externalIds: { kpopnet: 'k9' },
        words: { ko: { name: '딴' } },
        members: [],
      }),
    );
    const rows = await previewImport(
      byeol(han, han, { ...nameless, externalIds: { wikidata: 'Q1', kpopnet: 'k9' } }),
    );
    expect(rows.map(({ outcome, reasons }) => [outcome, ...reasons.map(({ message }) => message)])).toEqual([
      ['same'],
      ['refuse', 'It is the same star as in row 1.'],
      [
        'refuse',
        'Its ids lead to more than one star of the directory: merge them first.',
        'It is the same star as in row 1.',
      ],
    ]);
  });

  test('and is refused when it names itself or one that is refused', async () => {
    const rows = await previewImport(
      byeol(
        { ...unit, parent: 'duo-unit' },
        { ...unit, slug: 'second', parent: 'duo-unit', members: [] },
        { ...unit, slug: 'third', parent: 'second', members: [] },
      ),
    );
    expect(rows.map(({ reasons }) => reasons.map(({ message }) => message))).toEqual([
      ['It names itself as its member or parent.'],
      ['It names row 1, which is refused.'],
      ['It names row 2, which is refused.'],
    ]);
  });
});

describe('an export', () => {
  test('of some stars brings along those that they name', async () => {
    await empty();
    await apply(byeol(han, duo, unit));
    const slugs = async (...names: string[]) => {
      const { text, unknown } = await exportDirectory('byeol', names);
      return [(JSON.parse(text) as { stars: StarDocument[] }).stars.map(({ slug }) => slug).sort(), unknown];
    };
    expect(await slugs('han')).toEqual([['han'], []]);
    expect(await slugs('duo-unit', 'nobody')).toEqual([['duo', 'duo-unit', 'han'], ['nobody']]);
    expect((await slugs('1'))[0]).toEqual([(await documents())[0]?.slug]);
  });
});

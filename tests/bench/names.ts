/**
 * `bun run bench --only names [--set dev|held|all]`: whether stories find their stars among the demo's and all of kpopnet, which is some
 * thousand with namesakes and everyday words among them (decision N8). The sentences of `names/` are made up and say nothing about anybody. Rules are
 * written by every second of them (`dev`, whose misses are listed); the others are held back and only counted.
 */

import kpopnet from 'kpopnet.json';
import { renderMarkdown } from '#api/articles/markdown.ts';
import { applyImport } from '#api/directory/import.ts';
import { readKpopnet } from '#api/directory/kpopnet.ts';
import { readNames } from '#api/newsroom/name-readings.ts';
import { loadNames } from '#api/newsroom/names.ts';
import { type Lang, languages } from '#content/locales.ts';
import { closeDatabase, connection, openDatabase } from '#db/client.ts';
import { startEmbedded } from '#db/embedded.ts';
import { createDatabase, migrateDatabase } from '#db/migrate.ts';
import { seedDemo } from '#db/seed/demo.ts';
import { textOption } from './arguments.ts';

/** A headline, and after the first line break what follows it. */
interface Sample {
  text: string;
  /** Whom it is about: `Blackpink/Jisoo` is a member of a group, `Blackpink` the group, `IU` somebody of no group. */
  stars: string[];
  /** Those among whom an editor is to choose. */
  candidates?: string[];
}

interface Tally {
  right: number;
  wrong: number;
  missed: number;
}

const dataDir = '.data/bench';
const sets = ['dev', 'held', 'all'] as const;

/** Prints precision, recall and speed. */
export async function benchNames(): Promise<void> {
  const wanted = textOption('set', 'all');
  const set = sets.find((each) => each === wanted) ?? 'all';
  const cluster = await startEmbedded(dataDir);
  try {
    const url = cluster.url('bench_names');
    await createDatabase(url);
    await migrateDatabase(url, { dataDir });
    openDatabase(url);
    await fill();
    await measure(set);
  } finally {
    await closeDatabase();
    await cluster.stop();
  }
}

/** The demo world and all of kpopnet, once. */
async function fill(): Promise<void> {
  const [row] = await connection()<{ n: number }[]>`select count(*)::int as n from stars`;
  if ((row?.n ?? 0) > kpopnet.groups.length + kpopnet.idols.length) return;
  await seedDemo({ now: new Date(), renderMarkdown, progress: () => {} });
  const { isApplied } = await applyImport(readKpopnet(kpopnet), { actorId: null, rowByRow: false });
  if (!isApplied) throw new Error('kpopnet was refused');
}

async function measure(set: (typeof sets)[number]): Promise<void> {
  const { idsOf, nameOf } = await directory();
  const total: Tally = { right: 0, wrong: 0, missed: 0 };
  const held = { right: 0, all: 0, needless: 0 };
  const measured: { title: string; text: string }[] = [];
  console.log(`names: ${set}\n`);
  for (const language of languages) {
    const tally: Tally = { right: 0, wrong: 0, missed: 0 };
    for (const [at, sample] of (await samplesOf(language)).entries()) {
      const of = at % 2 === 0 ? 'dev' : 'held';
      if (set !== 'all' && set !== of) continue;
      const { title, text, ...result } = await judge(sample, idsOf);
      measured.push({ title, text });
      tally.right += result.right;
      tally.wrong += result.wrong.length;
      tally.missed += result.missed.length;
      if (sample.candidates) held.all += 1;
      if (sample.candidates && result.isHeld) held.right += 1;
      if (!sample.candidates && result.isHeld) held.needless += 1;
      const isMiss =
        result.wrong.length > 0 ||
        result.missed.length > 0 ||
        result.isHeld !== (sample.candidates !== undefined);
      if (!isMiss || of === 'held') continue;
      const parts = [
        ...result.wrong.map((id) => `not ${nameOf(id)}`),
        ...result.missed.map((id) => `no ${nameOf(id)}`),
      ];
      console.log(
        `  ${language} ${title}: ${[...parts, ...(result.isHeld ? ['held'] : [])].join(', ') || 'not held'}`,
      );
    }
    for (const key of ['right', 'wrong', 'missed'] as const) total[key] += tally[key];
    say(language, tally);
  }
  say(`all, of ${measured.length}`, total);
  console.log(`held for an editor  ${held.right} of ${held.all}, ${held.needless} needlessly`);
  console.log(`stories per second  ${Math.round(await speed(measured))}   aim ≥ 100`);
}

function say(name: string, { right, wrong, missed }: Tally): void {
  const precision = (right / (right + wrong)).toFixed(3);
  const recall = (right / (right + missed)).toFixed(3);
  console.log(`${name.padEnd(18)}  precision ${precision}   recall ${recall}   aim ≥ 0.980, ≥ 0.920`);
}

const samplesOf = (language: Lang): Promise<Sample[]> =>
  Bun.file(new URL(`names/${language}.json`, import.meta.url)).json();

/** One sentence, read as the newsroom reads a story. */
async function judge({ text: sentence, stars, candidates = [] }: Sample, idsOf: (name: string) => number[]) {
  const [title = '', ...rest] = sentence.split('\n');
  const text = rest.join('\n');
  const { names, doubts } = readNames(await loadNames(), title, text);
  const found = new Set(names.flatMap(({ entry }) => entry.starId ?? []));
  const wanted = new Set(stars.flatMap(idsOf));
  const open = doubts.filter(({ inTitle }) => inTitle || found.size === 0);
  const choice = candidates.flatMap(idsOf);
  return {
    title,
    text,
    right: found.intersection(wanted).size,
    wrong: [...found.difference(wanted)],
    missed: [...wanted.difference(found)],
    isHeld: open.some(({ starIds }) => choice.every((id) => starIds.includes(id))),
  };
}

/** How the labels name stars. */
async function directory(): Promise<{ idsOf(label: string): number[]; nameOf(id: number): string }> {
  const rows = await connection()<{ id: number; name: string; isGroup: boolean; groups: string[] }[]>`
    select s.id, t.name, s.category = 'K-Pop Group' as "isGroup", array(
      select gt.name from star_members m join star_translations gt on gt.star_id = m.group_id and gt.language = 'en'
      where m.member_id = s.id) as groups
    from stars s join star_translations t on t.star_id = s.id and t.language = 'en'`;
  return {
    idsOf(label) {
      const [group, member] = label.split('/');
      const named = rows.filter(({ name }) => name === (member ?? group));
      const groups = named.filter(({ isGroup }) => isGroup);
      const meant = member
        ? named.filter((row) => !row.isGroup && row.groups.includes(group ?? ''))
        : groups.length > 0
          ? groups
          : named;
      if (meant.length === 0) throw new Error(`no star is called ${label}`);
      return meant.map(({ id }) => id);
    },
    nameOf: (id) => {
      const row = rows.find((each) => each.id === id);
      return [row?.groups[0], row?.name].filter(Boolean).join('/');
    },
  };
}

/** Stories that are read in a second, the names looked for anew for each as the newsroom does. */
async function speed(stories: readonly { title: string; text: string }[]): Promise<number> {
  let read = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < 3_000) {
    for (const { title, text } of stories) readNames(await loadNames(), title, text);
    read += stories.length;
  }
  return read / ((performance.now() - startedAt) / 1_000);
}

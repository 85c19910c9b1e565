import { expect, test } from 'bun:test';
import { is } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { kept } from '#api/accounts/forgetting.ts';
import { allJobs } from '#api/jobs/all.ts';
import { languages } from '#content/locales.ts';
import { users } from '#db/schema/accounts.ts';
import { filesOf } from './sources.ts';

/** What a column is called that says something of a person, or by which one is found. */
const personal =
  /^(?:key|salt|visitor|person|network|address|user_agent|endpoint|username|reviewer|uploaded_by)$|email|token|(?:^|_)(?:user|actor|author|reporter|editor)_id$/;
/** Columns that are called so and say nothing of a visitor. */
const ofNobody = new Set([
  'ai_calls.input_tokens',
  'ai_calls.output_tokens',
  'ai_calls.reserved_tokens',
  // Of pages that are the same for everybody.
  'page_reads.key',
  'social_links.platform_user_id',
  'stored_pages.key',
]);

const modules = await Promise.all(filesOf('db/schema/*.ts').map(({ path }) => import(`#${path}`)));
const tables = [...new Set(modules.flatMap((module) => Object.values(module)))].flatMap((table) =>
  is(table, PgTable) ? [getTableConfig(table)] : [],
);

const text = filesOf('docs/operating/privacy.md')[0]?.text ?? '';
const rows = [...text.matchAll(/^\| `(\w+)` +\| (.+) \|$/gm)].map(([, table = '', rest = '']) => {
  const [what = '', time = '', by = ''] = rest.split(' | ').map((cell) => cell.trim());
  return { table, what, time, by };
});

test('every table that has to do with a person is in docs/operating/privacy.md, and no other', () => {
  const knowing = tables.filter(
    ({ name, columns, foreignKeys }) =>
      columns.some(
        (column) =>
          personal.test(toSnakeCase(column.name)) && !ofNobody.has(`${name}.${toSnakeCase(column.name)}`),
      ) || foreignKeys.some((key) => key.reference().foreignTable === users),
  );
  expect(rows.map(({ table }) => table).sort()).toEqual(knowing.map(({ name }) => name).sort());
});

test('jobs that end something are jobs, and the times are theirs', () => {
  const jobs = new Set(allJobs.map(({ name }) => name));
  const named = rows.flatMap(({ by }) => [...by.matchAll(/`([\w-]+)`/g)].map(([, job = '']) => job));
  expect(new Set(named)).toEqual(new Set(['forgetting', 'reminders-cleaning', 'retention']));
  expect(named.filter((job) => !jobs.has(job))).toEqual([]);
  const timeOf = (table: string) => rows.find((row) => row.table === table)?.time;
  expect(timeOf('rate_limits')).toContain(`${kept.limitHours} hours`);
  expect(timeOf('idempotency_keys')).toContain(`${kept.keyHours} hours`);
  expect(timeOf('messages')).toContain(`${kept.deletedWordsDays} days`);
  expect(timeOf('message_reports')).toContain(`${kept.reportDays} days`);
  expect(timeOf('directory_imports')).toContain(`${kept.importDays} days`);
  expect(text).toMatch(new RegExp(`^\\| \`DATA_DIR/outbox\`.* ${kept.letterDays} days`, 'm'));
});

test('the page about privacy tells fans the same times, in every language', () => {
  for (const lang of languages) {
    const page = filesOf(`content/pages/privacy/${lang}.md`)[0]?.text ?? '';
    const numbers = new Set(page.match(/\d+/g));
    // Sessions, letters, limits, words of deleted messages, reports.
    for (const figure of [30, 48, kept.limitHours, kept.deletedWordsDays, kept.reportDays])
      expect([lang, figure, numbers.has(String(figure))]).toEqual([lang, figure, true]);
  }
});

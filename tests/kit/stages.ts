import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '#site/launch/build.ts';
import { bunx, type ProcessResult, runProgram } from '#site/launch/child.ts';
import { explain } from '#site/launch/failure.ts';
import { backgroundStep, printLine, step } from '#site/launch/terminal.ts';
import { type PlaywrightReport, readBrowserReport, readUnitReport } from './reports.ts';
import type { Failure, FileTime } from './summary.ts';

/** What a stage of the checks came to. */
export interface Count {
  passed: number;
  failed: number;
  /** How long each of its test files took. */
  files?: FileTime[];
  /** Which of its tests failed. */
  failures?: Failure[];
}

/** Biome: format and lint of every file. */
export const lint = () =>
  one('Format and lint', step, () => runProgram(bunx('biome', 'check', '--error-on-warnings', '.')));

/**
 * TypeScript at its strictest, by the native compiler of TypeScript 7: modules, and pages and components of Astro, which are
 * written as TSX for it. It prints only when it has ended, so that other stages can run beside it. On one thread: several read the
 * same types each for itself, and take 28 s of two cores instead of 13 s of one.
 */
export const types = () =>
  one('Types', backgroundStep, async () => {
    // Its package may not be there before `ensureInstalled`.
    const { namedAsWritten, writePagesAsTsx } = await import('./pages-as-tsx.ts');
    const unreadable = writePagesAsTsx();
    const { code, output } = await runProgram(
      bunx('tsc', '--noEmit', '--singleThreaded', '-p', 'tests/pages.tsconfig.json'),
    );
    return {
      code: unreadable.length > 0 ? 1 : code,
      output: [...unreadable, namedAsWritten(output)].join('\n'),
    };
  });

/** What is known to be wrong with our packages; nothing fails when the registry does not say. */
export const advisories = () =>
  one('Advisories', backgroundStep, async () => {
    const { audit } = await import('./advisories.ts');
    const outcome = await audit();
    if ('unanswered' in outcome) {
      printLine(`  Advisories: the registry does not answer, so nothing is known (${outcome.unanswered})`);
      return { code: 0, output: '' };
    }
    return { code: outcome.faults.length > 0 ? 1 : 0, output: outcome.faults.join('\n') };
  });

/** The production build, as `bun start` makes it. */
export async function build(): Promise<Count> {
  try {
    await ensureBuilt();
    return { passed: 1, failed: 0 };
  } catch (error) {
    explain(error, '.data');
    return { passed: 0, failed: 1 };
  }
}

/** A stage that passes or fails as a whole; its output is shown when it fails. */
async function one(
  label: string,
  show: (label: string, action: () => Promise<void>) => Promise<void>,
  action: () => Promise<ProcessResult>,
): Promise<Count> {
  let failure = '';
  try {
    await show(label, async () => {
      const { code, output } = await action();
      failure = output;
      if (code !== 0) throw new Error(`code ${code}`);
    });
    return { passed: 1, failed: 0 };
  } catch {
    printLine(failure);
    return { passed: 0, failed: 1, failures: [{ test: label, error: failure }] };
  }
}

/** `bun test` for these folders, one by one counted. */
export function unitTests(...folders: string[]): Promise<Count> {
  return runCounted(`Tests of ${folders.join(', ')}`, async (report) => {
    const command = [
      process.execPath,
      'test',
      ...folders,
      // Half of a file's time is waiting for a database or another process: with three, a third of two cores was idle.
      '--parallel=6',
      // Beside five others, on slow cores, a test of ten seconds takes minutes: a limit is for what hangs, not for what waits for its turn.
      '--timeout=300000',
      '--no-isolate',
      '--reporter=junit',
      `--reporter-outfile=${report}`,
    ];
    const { code } = await runProgram(command, { inheritOutput: true, env: { NODE_ENV: 'test' } });
    const xml = readFileSync(report, 'utf8');
    const total = xml.match(/<testsuites\b[^>]*>/)?.[0] ?? '';
    const figure = (name: string) => Number(total.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? 0);
    const failed = figure('failures') + figure('errors') + figure('skipped');
    return { code, failed, passed: figure('tests') - failed, ...readUnitReport(xml) };
  });
}

/** Playwright in Chromium against the built server: these projects of `playwright.config.ts`. */
export function browserTests(...projects: string[]): Promise<Count> {
  return runCounted('Tests in the browser', async (report) => {
    const pictures = mkdtempSync(join(tmpdir(), 'byeol-pictures-'));
    const { code } = await runProgram(
      bunx('playwright', 'test', '--reporter=list,json', ...projects.map((name) => `--project=${name}`)),
      {
        inheritOutput: true,
        env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, TEST_PICTURES: pictures },
      },
    );
    rmSync(pictures, { recursive: true, force: true });
    const result: PlaywrightReport & Stats = JSON.parse(readFileSync(report, 'utf8'));
    const { stats } = result;
    const failed = stats.unexpected + stats.flaky + stats.skipped;
    return { code, failed, passed: stats.expected, ...readBrowserReport(result) };
  });
}

interface Stats {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** Counts by a report file. A runner that failed without a failed test, or that ran no test, is a failure too. */
async function runCounted(
  label: string,
  action: (report: string) => Promise<Count & { code: number }>,
): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'byeol-report-'));
  const begin = performance.now();
  printLine(`  ${label} …`);
  const count = await action(join(folder, 'report')).catch((error: unknown) => {
    printLine(`  ${label}: no report (${error instanceof Error ? error.message : String(error)})`);
    return { code: 1, passed: 0, failed: 1 };
  });
  rmSync(folder, { recursive: true, force: true });
  const failed = count.failed === 0 && (count.code !== 0 || count.passed === 0) ? 1 : count.failed;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  printLine(`  ${label}: ${count.passed} passed, ${failed} failed in ${seconds} s`);
  return { ...count, failed };
}

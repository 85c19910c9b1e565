/** How long a test file took, in seconds: its tests, and what it prepares and clears away where the report tells. */
export interface FileTime {
  file: string;
  seconds: number;
}

/** Of the JUnit report of `bun test`: its outer suites are files. */
export function timesOfUnitTests(xml: string): FileTime[] {
  return [...xml.matchAll(/^ {2}<testsuite\b[^>]*?\bfile="([^"]+)"[^>]*?\btime="([\d.]+)"/gm)].map(
    ([, file = '', seconds]) => ({ file, seconds: Number(seconds) }),
  );
}

interface Suite {
  suites?: Suite[];
  specs?: { tests: { results: { duration: number }[] }[] }[];
}

/** What is read of Playwright's JSON report: its outer suites are files. */
export interface PlaywrightReport {
  suites: (Suite & { file: string })[];
}

export const timesOfBrowserTests = ({ suites }: PlaywrightReport): FileTime[] =>
  suites.map((suite) => ({ file: `tests/e2e/${suite.file}`, seconds: millisecondsOf(suite) / 1_000 }));

const millisecondsOf = ({ suites = [], specs = [] }: Suite): number =>
  specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .reduce((sum, { duration }) => sum + duration, 0) +
  suites.reduce((sum, suite) => sum + millisecondsOf(suite), 0);

/** The slowest files, a line each, the slowest first. */
export function slowest(files: readonly FileTime[], most = 10): string[] {
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, most)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/** How long a test file took, in seconds: its tests, and what it prepares and clears away where the report tells. */
export interface FileTime {
  file: string;
  seconds: number;
}

/** A test that failed, and what it said. */
export interface Failure {
  test: string;
  error: string;
}

/** The slowest files, a line each, the slowest first. */
export function slowest(files: readonly FileTime[], most = 10): string[] {
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, most)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/** What failed, with the first lines of what it said. */
export const linesOfFailures = (failures: readonly Failure[], mostLines = 20): string[] =>
  failures.flatMap(({ test, error }) => [
    `  ${test}`,
    ...error
      .split('\n')
      .filter((line) => line.trim())
      .slice(0, mostLines)
      .map((line) => `      ${line}`),
  ]);

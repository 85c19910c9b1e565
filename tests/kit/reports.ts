import { stripVTControlCharacters } from 'node:util';
import { DOMParser } from 'linkedom';
import type { Failure, FileTime } from './summary.ts';

/** What is read of a runner's report. */
interface TestReport {
  files: FileTime[];
  failures: Failure[];
}

/** linkedom decodes the entities of texts, but in XML not those of attributes. */
function attribute(element: Element | null, name: string): string {
  const raw = element?.getAttribute(name) ?? '';
  return new DOMParser().parseFromString(`<t>${raw}</t>`, 'text/xml').documentElement?.textContent ?? '';
}

/** Of the JUnit report of `bun test`: its outer suites are files. */
export function readUnitReport(xml: string): TestReport {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  return {
    files: [...document.querySelectorAll('testsuites > testsuite')].map((file) => ({
      file: attribute(file, 'file'),
      seconds: Number(attribute(file, 'time')),
    })),
    failures: [...document.querySelectorAll('testcase > failure, testcase > error')].map((failure) => ({
      test: ['file', 'classname', 'name']
        .map((name) => attribute(failure.parentElement, name))
        .filter(Boolean)
        .join(' › '),
      error: failure.textContent ?? '',
    })),
  };
}

interface Result {
  duration: number;
  status: string;
  errors: { message?: string }[];
}

interface Suite {
  title: string;
  suites?: Suite[];
  specs?: { title: string; tests: { results: Result[] }[] }[];
}

/** What is read of Playwright's JSON report: its outer suites are files. */
export interface PlaywrightReport {
  suites: Suite[];
}

/** Of the JSON report of Playwright. */
export function readBrowserReport({ suites }: PlaywrightReport): TestReport {
  const files = suites.map((suite) => {
    const file = `tests/${suite.title}`;
    return { file, results: resultsOf({ ...suite, title: file }) };
  });
  return {
    files: files.map(({ file, results }) => ({
      file,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1_000,
    })),
    failures: files
      .flatMap(({ results }) => results)
      .filter(({ status }) => status !== 'passed')
      .map(({ test, status, errors }) => ({
        test,
        error: stripVTControlCharacters(errors.map(({ message }) => message).join('\n')) || status,
      })),
  };
}

/** Each run of a test of the suite, named by what it stands in. */
const resultsOf = ({ title, suites = [], specs = [] }: Suite): (Result & { test: string })[] =>
  [
    ...specs.flatMap(({ title, tests }) =>
      tests.flatMap(({ results }) => results.map((result) => ({ ...result, test: title }))),
    ),
    ...suites.flatMap(resultsOf),
  ].map((result) => ({ ...result, test: `${title} › ${result.test}` }));

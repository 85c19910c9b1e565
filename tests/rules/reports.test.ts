import { expect, test } from 'bun:test';
import { readBrowserReport, readUnitReport } from '#tests/kit/reports.ts';
import { linesOfFailures, slowest } from '#tests/kit/summary.ts';

const unit = readUnitReport(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="3" failures="1" time="9.1">
  <testsuite name="tests/api/jobs.test.ts" file="tests/api/jobs.test.ts" tests="2" failures="1" time="7.25" hostname="vm">
    <testsuite name="a job" file="tests/api/jobs.test.ts" line="4" tests="2" time="99" hostname="vm">
      <testcase name="runs" classname="a job" time="99" file="tests/api/jobs.test.ts" line="5" />
      <testcase name="ends &gt; soon" classname="a job" time="1" file="tests/api/jobs.test.ts" line="9">
        <failure type="AssertionError" message="expect(received)">expect(received)&#10;&#10;- 1&#10;+ 2&#10;</failure>
      </testcase>
    </testsuite>
  </testsuite>
  <testsuite name="tests/db/seed.test.ts" file="tests/db/seed.test.ts" tests="1" failures="0" time="1.85" hostname="vm">
  </testsuite>
</testsuites>`);

const passed = (duration: number) => ({ duration, status: 'passed', errors: [] });

const browser = readBrowserReport({
  suites: [
    {
      title: 'e2e/star.e2e.ts',
      specs: [{ title: 'a star', tests: [{ results: [passed(1_500)] }] }],
      suites: [
        {
          title: 'tabs',
          specs: [
            {
              title: 'change',
              tests: [
                {
                  results: [
                    {
                      duration: 2_000,
                      status: 'failed',
                      errors: [{ message: '\u001b[31mnot seen\u001b[39m' }],
                    },
                    passed(500),
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
});

test('the test command tells which ten files took longest, of both kinds', () => {
  const many = Array.from({ length: 9 }, (_, n) => ({ file: `${n}.test.ts`, seconds: n / 10 }));
  const lines = slowest([...many, ...unit.files, ...browser.files]);
  expect(lines).toHaveLength(10);
  expect(lines.slice(0, 3)).toEqual([
    '    7.3 s  tests/api/jobs.test.ts',
    '    4.0 s  tests/e2e/star.e2e.ts',
    '    1.9 s  tests/db/seed.test.ts',
  ]);
  expect(lines.at(-1)).toBe('    0.2 s  2.test.ts');
});

test('the test command tells at its end what failed and what it said, of both kinds', () => {
  expect(linesOfFailures([...unit.failures, ...browser.failures])).toEqual([
    '  tests/api/jobs.test.ts › a job › ends > soon',
    '      expect(received)',
    '      - 1',
    '      + 2',
    '  tests/e2e/star.e2e.ts › tabs › change',
    '      not seen',
  ]);
});

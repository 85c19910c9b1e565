import { expect, test } from 'bun:test';
import { slowest, timesOfBrowserTests, timesOfUnitTests } from '#tests/kit/times.ts';

test('the test command tells which ten files took longest, of both kinds', () => {
  const unit = timesOfUnitTests(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="3" failures="0" time="9.1">
  <testsuite name="tests/api/jobs.test.ts" file="tests/api/jobs.test.ts" tests="2" failures="0" time="7.25" hostname="vm">
    <testsuite name="a job" file="tests/api/jobs.test.ts" line="4" tests="2" time="99" hostname="vm">
      <testcase name="runs" classname="a job" time="99" file="tests/api/jobs.test.ts" line="5" />
    </testsuite>
  </testsuite>
  <testsuite name="tests/db/seed.test.ts" file="tests/db/seed.test.ts" tests="1" failures="0" time="1.85" hostname="vm">
  </testsuite>
</testsuites>`);
  const browser = timesOfBrowserTests({
    suites: [
      {
        file: 'star.e2e.ts',
        specs: [{ tests: [{ results: [{ duration: 1_500 }] }] }],
        suites: [{ specs: [{ tests: [{ results: [{ duration: 2_000 }, { duration: 500 }] }] }] }],
      },
    ],
  });
  const many = Array.from({ length: 9 }, (_, n) => ({ file: `${n}.test.ts`, seconds: n / 10 }));
  const lines = slowest([...many, ...unit, ...browser]);
  expect(lines).toHaveLength(10);
  expect(lines.slice(0, 3)).toEqual([
    '    7.3 s  tests/api/jobs.test.ts',
    '    4.0 s  tests/e2e/star.e2e.ts',
    '    1.9 s  tests/db/seed.test.ts',
  ]);
  expect(lines.at(-1)).toBe('    0.2 s  2.test.ts');
});

import { expect, test } from 'vitest';
import { failureLines, playwrightFailures, pytestFailures, vitestFailures } from '../../scripts/test-failures.ts';

// The reports are the output of the three runners for such tests, without the parts that are not read.

test('a failed test of vitest is reported with its file and message, without the library’s part of the stack', () => {
  const failures = vitestFailures({
    testResults: [
      {
        name: '/project/tests/a.test.ts',
        status: 'failed',
        assertionResults: [
          {
            fullName: 'a group fails',
            status: 'failed',
            failureMessages: [
              'AssertionError: expected { a: 1 } to deeply equal { a: 2 }\n    at /project/tests/a.test.ts:2:68\n    at new Promise (<anonymous>)\n    at file:///project/node_modules/@vitest/runner/dist/x.js:302:11',
            ],
          },
          { fullName: 'a group holds', status: 'passed', failureMessages: [] },
        ],
      },
    ],
  });
  expect(failureLines(failures)).toEqual([
    '✗ /project/tests/a.test.ts › a group fails',
    '    AssertionError: expected { a: 1 } to deeply equal { a: 2 }',
    '        at /project/tests/a.test.ts:2:68',
    '        at new Promise (<anonymous>)',
  ]);
});

test('a file of vitest that cannot be loaded counts as one failure', () => {
  const report = { testResults: [{ name: 'b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] }] };
  expect(vitestFailures(report)).toEqual([{ name: 'b.test.ts', message: 'Cannot find module', selection: 'b.test.ts' }]);
});

test('a failed page test is named with its file, at any depth, without colours', () => {
  const red = `${String.fromCharCode(27)}[31m`;
  const failures = playwrightFailures({
    errors: [],
    suites: [
      {
        file: 'world.spec.ts',
        suites: [
          {
            file: 'world.spec.ts',
            specs: [
              { title: 'a cube falls', ok: false, line: 7, tests: [{ results: [{ error: { message: `${red}Timeout` } }] }] },
              { title: 'a cube rests', ok: true, line: 20, tests: [{ results: [{}] }] },
            ],
          },
        ],
      },
    ],
  });
  expect(failureLines(failures)).toEqual(['✗ world.spec.ts › a cube falls', '    Timeout']);
  expect(failures[0]?.selection).toBe('world.spec.ts:7');
});

test('failed, broken and skipped tests of pytest are named', () => {
  const report =
    '<testsuites><testsuite tests="4"><testcase classname="tests.x" name="test_a" time="0"><failure message="assert {\'a&lt;\': 1}&#10;  Left &amp; right">def test_a():</failure></testcase>' +
    '<testcase classname="tests.x" name="test_b" time="0"><error message="failed on setup">x</error></testcase>' +
    '<testcase classname="tests.x" name="test_c" time="0"><skipped type="pytest.skip" message="unconditional skip">x</skipped></testcase>' +
    '<testcase classname="tests.x" name="test_d" time="0" /></testsuite></testsuites>';
  expect(pytestFailures(report)).toEqual([
    { name: 'tests.x › test_a', message: "assert {'a<': 1}\n  Left & right", selection: '--last-failed' },
    { name: 'tests.x › test_b', message: 'failed on setup', selection: '--last-failed' },
    { name: 'tests.x › test_c', message: 'unconditional skip', selection: '--last-failed' },
  ]);
});

test('many failures and long messages stay readable: the first twenty, the rest counted', () => {
  const message = Array.from({ length: 40 }, (_, line) => `${line} ${'x'.repeat(1000)}`).join('\n');
  const lines = failureLines(Array.from({ length: 25 }, (_, index) => ({ name: `test ${index}`, message })));
  expect(lines).toHaveLength(20 * 13 + 1);
  expect(lines.at(-1)).toBe('and 5 more');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
});

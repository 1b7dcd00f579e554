import type { PromiseId, SuiteReport } from './suite.ts';

/** Tests of a runner, counted by the promise that their names begin with. */
export type NamedTests = Record<PromiseId, { passed: number; failed: number }>;

const number = (id: string): number => Number(id.slice(1));

/** Counts tests by the promises their names begin with: "P5 P6 a repeat …" counts for both. */
export function countByPromise(tests: readonly { name: string; passed: boolean }[]): NamedTests {
  const counts: NamedTests = {};
  for (const { name, passed } of tests) {
    const ids = /^(?:P\d+[:,]? )+/.exec(`${name} `)?.[0].match(/P\d+/g) ?? [];
    for (const id of ids as PromiseId[]) {
      counts[id] ??= { passed: 0, failed: 0 };
      counts[id][passed ? 'passed' : 'failed'] += 1;
    }
  }
  return counts;
}

/** The table per promise: what was judged, how often, with which seeds, and what failed. Rows are padded for a terminal. */
export function promiseTable(reports: readonly SuiteReport[], named: NamedTests = {}): string {
  const rows: { key: number; cells: string[] }[] = [];
  for (const report of reports) {
    const [first = 'P99'] = report.promises;
    rows.push({
      key: number(first),
      cells: [
        report.promises.join(' '),
        report.title,
        String(report.cases),
        String(report.failures.length),
        report.seeds,
        `${report.wallS.toFixed(0)} s`,
        report.summary,
      ],
    });
  }
  for (const [id, { passed, failed }] of Object.entries(named)) {
    rows.push({ key: number(id) + 0.5, cells: [id, 'tests by name', String(passed + failed), String(failed), '', '', ''] });
  }
  rows.sort((a, b) => a.key - b.key);
  const head = ['promise', 'what is judged', 'cases', 'failures', 'seeds', 'took', 'measured'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(({ cells }) => line(cells))].join('\n');
}

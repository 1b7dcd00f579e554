import {
  BENCH_CATALOGUE,
  BENCH_NAMES,
  type BenchResults,
  type BenchRow,
  type BenchRun,
  type BenchScenarioName,
} from './bench-catalogue.ts';

/** Where the page is made from. */
export const PERFORMANCE_NOTE = 'Made by `npm run bench` and `npm run docs` from `docs/performance.json`; do not edit by hand.';

const HEAD = [
  'scenario',
  'ours',
  'held against',
  'ours: median, 99 of 100',
  'held against: median',
  'ratio (95 % interval)',
  'aim',
  'date, commit, load',
];

const figure = (value: number, unit: string): string =>
  `${value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
const plain = (ratio: number): string => ratio.toFixed(ratio < 10 ? 2 : 0);

function aimOf({ aimRatio, aim, unit }: BenchRow): string {
  if (aimRatio !== null) return `ratio ≤ ${aimRatio}`;
  return aim === undefined ? '' : `≤ ${aim} ${unit}`;
}

/** The cells of a scenario, a row each; those of one that was not run say so. */
export function rowsOf(name: BenchScenarioName, run: BenchRun | undefined): string[][] {
  return Object.entries<BenchRow>(BENCH_CATALOGUE[name]).map(([rowName, row]) => {
    const { ours, bare, ratio, rounds } = run?.rows[rowName] ?? {};
    const first = [`\`${name}\``, row.ours, row.bare];
    if (!run || !ours || !bare || !ratio) return [...first, '**not run**', '', '', aimOf(row), ''];
    const isMet = row.aimRatio === null ? row.aim === undefined || ours.median <= row.aim : ratio.median <= row.aimRatio;
    return [
      ...first,
      `${figure(ours.median, row.unit)}, ${figure(ours.p99, row.unit)}`,
      figure(bare.median, row.unit),
      `${plain(ratio.median)} (${plain(ratio.low)} to ${plain(ratio.high)}), ${rounds} pairs`,
      `${aimOf(row)}: ${isMet ? 'met' : '**not met**'}`,
      `${run.date}, \`${run.commit}\`, ${run.load.map((load) => load.toFixed(0)).join(' to ')}`,
    ];
  });
}

/** docs/performance.md from docs/performance.json. */
export function performancePage(note: string, results: BenchResults): string {
  const runs = Object.values(results);
  const machines = [...new Set(runs.map(({ machine }) => machine))];
  const versions = [
    ...new Set(runs.flatMap((run) => Object.entries(run.versions).map(([name, version]) => `${name} ${version}`))),
  ];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `# How fast it is

${note}

Each figure is held against what cannot be beaten, or against a peer, measured in turn within one run: figures of a machine drift, ratios do
not. \`load\` is how many processes wanted a core, before and after; above the number of cores the figures are upper bounds.
${machines.length > 0 ? `Machine: ${machines.join('; ')}. Versions: ${versions.join(', ')}.\n` : ''}
${line(HEAD)}
|${HEAD.map(() => '---').join('|')}|
${BENCH_NAMES.flatMap((name) => rowsOf(name, results[name]).map(line)).join('\n')}

The interval is the one that holds the ratio of the medians 95 times of 100: a bootstrap over the pairs.

| command | what it does |
|---|---|
| \`npm run bench\` | every scenario; wants a machine that does nothing else |
| \`npm run bench -- step invoke\` | only these |
| \`npm run bench -- --size smoke\` | once over everything, as \`npm test\` does: it shows that it runs, and keeps nothing |
| \`npm run bench -- --work 30\` | how the page fares while an agent works for 30 minutes |
`;
}

import {
  BENCH_CATALOGUE,
  BENCH_NAMES,
  type BenchResults,
  type BenchRow,
  type BenchRun,
  type BenchScenarioName,
} from './bench-catalogue.ts';
import { FRAME_PICTURES, FRAME_SCENES, type FramesResult } from './frames-catalogue.ts';
import { LINE_HEAD, type LineResults, lineRowsOf, wrongLooks } from './line-catalogue.ts';

const NOTE =
  'Made by `npm run lab` and `npm run docs` from `docs/performance.json`, `frames.json` and `line.json`; do not edit by hand.';

export const BENCH_HEAD = [
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
    if (!run || !ours || !bare || ratio === undefined) return [...first, '**not run**', '', '', aimOf(row), ''];
    const isMet =
      row.aimRatio === null ? row.aim === undefined || ours.median <= row.aim : ratio !== null && ratio.median <= row.aimRatio;
    const ratioWords = ratio === null ? 'none' : `${plain(ratio.median)} (${plain(ratio.low)} to ${plain(ratio.high)})`;
    return [
      ...first,
      `${figure(ours.median, row.unit)}, ${figure(ours.p99, row.unit)}`,
      figure(bare.median, row.unit),
      `${ratioWords}, ${rounds} pairs`,
      aimOf(row) === '' ? 'none' : `${aimOf(row)}: ${isMet ? 'met' : '**not met**'}`,
      `${run.date}, \`${run.commit}\`, ${run.load.map((load) => load.toFixed(0)).join(' to ')}`,
    ];
  });
}

export const FRAME_HEAD = ['picture', 'scene', 'draw calls', 'triangles', 'sent', 'uniforms', 'allocated', 'main thread'];

/** The cells of what frames take, a row for each picture and scene. */
export function frameRowsOf(frames: FramesResult): string[][] {
  const round = (value: number): string => Math.round(value).toLocaleString('en');
  return Object.entries(FRAME_PICTURES).flatMap(([picture, { bounds }]) => [
    ...FRAME_SCENES.map((scene) => {
      const counts = frames[picture]?.[scene];
      if (!counts) return [picture, scene, '**not run**', '', '', '', '', ''];
      const { drawCalls, triangles, uploadedBytes, uniformBytes, allocatedBytes, mainThreadMs } = counts;
      return [
        picture,
        scene,
        round(drawCalls),
        round(triangles),
        `${round(uploadedBytes)} B`,
        `${round(uniformBytes)} B`,
        `${round(allocatedBytes / 1_000)} kB`,
        `${mainThreadMs.toFixed(1)} ms`,
      ];
    }),
    [
      picture,
      'at most',
      round(bounds.drawCalls),
      round(bounds.triangles),
      `${round(bounds.uploadedBytes)} B, idle 0`,
      `${round(bounds.uniformBytes)} B`,
      `${round(bounds.allocatedBytes / 1_000)} kB`,
      '',
    ],
  ]);
}

const linesMeasured = (lines: LineResults | null): string =>
  lines === null
    ? ''
    : `Measured ${lines.date}, \`${lines.commit}\`, load ${lines.load.map((load) => load.toFixed(0)).join(' to ')}, ${lines.machine}.`;

/** docs/performance.md from docs/performance.json, frames.json and line.json. */
export function performancePage(results: BenchResults, frames: FramesResult, lines: LineResults | null): string {
  const runs = Object.values(results);
  const machines = [...new Set(runs.map(({ machine }) => machine))];
  const versions = [
    ...new Set(runs.flatMap((run) => Object.entries(run.versions).map(([name, version]) => `${name} ${version}`))),
  ];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `# How fast it is

${NOTE}

Each figure is held against what cannot be beaten, or against a peer, measured in turn within one run: figures of a machine drift, ratios do
not. \`load\` is how many processes wanted a core, before and after; above the number of cores the figures are upper bounds.
${machines.length > 0 ? `Machine: ${machines.join('; ')}. Versions: ${versions.join(', ')}.\n` : ''}
${line(BENCH_HEAD)}
|${BENCH_HEAD.map(() => '---').join('|')}|
${BENCH_NAMES.flatMap((name) => rowsOf(name, results[name]).map(line)).join('\n')}

The interval is the one that holds the ratio of the medians 95 times of 100: a bootstrap over the pairs.

## What a frame takes

With a graphics card the aim is 60 frames a second, which a machine without one cannot show. So this counts what leads there, for one frame of the whole warehouse seen from above:
what is asked of WebGL, what is sent to it, the memory allocated on the way, and the time of the page's main thread (of a machine that does other things besides). \`npm test\` holds
all but the time to the bounds.

${line(FRAME_HEAD)}
|${FRAME_HEAD.map(() => '---').join('|')}|
${frameRowsOf(frames).map(line).join('\n')}

## Over a bad line

An operator and a watcher behind a line that loses, delays and reorders packets, there and back alike, before a real SFU; the robot, a worker of signed control, beside it. 50 poses a second swing an arm; a hand renews a velocity of
1 s four times a second until the line is cut. The line draws its chances from a seed; the rest is real, so figures differ from run to run. A time like 100 ± 50 ms is the round trip. ${linesMeasured(lines)}

${line(LINE_HEAD)}
|${LINE_HEAD.map(() => '---').join('|')}|
${lineRowsOf(lines).map(line).join('\n')}

*Late* is from the sending of a pose until the robot takes it, of those whose answer came: answers get lost too. *Arm off* is how far the shoulder is from the pose that is sent at that moment. *Limp* is the watchdog of 200 ms. No line had an
older pose followed after a newer one. *Older than told* is what the watcher's page cannot know of the age that it tells, because it does not compare clocks: the line's shortest way.
${wrongLooks(lines)}. Its loss is more than the line's own, also where the line only reorders packets: a lossy packet that others have overtaken does not come out of the data channel, by all that we see.

How to measure it again: [lab.md](lab.md).
`;
}

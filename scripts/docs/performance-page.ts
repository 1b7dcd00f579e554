import {
  BENCH_CATALOGUE,
  BENCH_NAMES,
  type BenchResults,
  type BenchRow,
  type BenchRun,
  type BenchScenarioName,
} from './bench-catalogue.ts';
import { FRAME_PICTURES, FRAME_SCENES, type FramesResult } from './frames-catalogue.ts';
import { markdownTable } from './markdown.ts';
import { NETWORK_HEAD, type NetworkResults, networkRowsOf, wrongLooks } from './network-catalogue.ts';

export const BENCH_HEAD = [
  'scenario',
  'ours',
  'compared with',
  'ours: median, 99 %',
  'compared with: median',
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
    const ratioText = ratio === null ? 'none' : `${plain(ratio.median)} (${plain(ratio.low)} to ${plain(ratio.high)})`;
    return [
      ...first,
      `${figure(ours.median, row.unit)}, ${figure(ours.p99, row.unit)}`,
      figure(bare.median, row.unit),
      `${ratioText}, ${rounds} pairs`,
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

const networksMeasured = (lines: NetworkResults | null): string =>
  lines === null
    ? ''
    : `Measured ${lines.date}, \`${lines.commit}\`, load ${lines.load.map((load) => load.toFixed(0)).join(' to ')}, ${lines.machine}.`;

/** The part of the page of measurements about speed, from the published results. */
export function performancePart(results: BenchResults, frames: FramesResult, lines: NetworkResults | null): string {
  const runs = Object.values(results);
  const machines = [...new Set(runs.map(({ machine }) => machine))];
  const versions = [
    ...new Set(runs.flatMap((run) => Object.entries(run.versions).map(([name, version]) => `${name} ${version}`))),
  ];
  return `## How fast is it?

Each row compares a figure with a limit that cannot be beaten, or with a peer. Both are measured alternately within one run, because the
speed of a machine drifts and a ratio does not. \`load\` is the number of processes that wanted a core, before and after the run. If it is
higher than the number of cores, the figures are upper bounds.
${machines.length > 0 ? `Machine: ${machines.join('; ')}. Versions: ${versions.join(', ')}.\n` : ''}
${markdownTable(
  BENCH_HEAD,
  BENCH_NAMES.flatMap((name) => rowsOf(name, results[name])),
)}

The interval contains the ratio of the medians with a probability of 95 % (bootstrap over the pairs).

## What does a frame cost?

With a graphics card the aim is 60 frames a second. A machine without one cannot measure that. This table therefore counts the work of one
frame of the whole warehouse, seen from above: WebGL calls, bytes sent to WebGL, allocated memory, and time of the page's main thread. The
time includes other work of the machine. \`npm test\` compares everything but the time with the bounds.

${markdownTable(FRAME_HEAD, frameRowsOf(frames))}

## What happens over a bad connection?

An operator and a watcher reach the robot through a connection that loses, delays and reorders packets in both directions. SFU and robot (a
worker with signed control) are real. 50 poses a second move an arm. A held key renews a velocity of 1 s four times a second until the
connection is cut. A seed decides the fate of each packet; everything else is real, so figures differ from run to run. A delay of
100 ± 50 ms is the round trip. ${networksMeasured(lines)}

${markdownTable(NETWORK_HEAD, networkRowsOf(lines))}

- *Late*: from sending a pose until the robot follows it, for poses whose answer arrived.
- *Arm off*: the difference between the shoulder and the pose that is sent at that moment.
- *Limp*: the watchdog of 200 ms has released the arms. The robot never followed an older pose after a newer one.
- *Older than shown*: the picture is older than the page can know, because the page compares no clocks. The shortest delay of the
  connection is the lower limit.
- *Loss*: an unordered data channel drops packets that others have overtaken, so the loss is higher than that of the connection.

${wrongLooks(lines)}
`;
}

/**
 * `npm run bench [-- NAME …]`: our speed against the bare limit or a peer, in turn within one run: figures of a machine drift, ratios do
 * not. Keeps what it measured at full size in docs/performance.json, of which `npm run docs` makes docs/performance.md.
 *
 *   npm run bench                       every scenario
 *   npm run bench -- step invoke        only these
 *   npm run bench -- frames             what a frame of the warehouse takes, in counts
 *   npm run bench -- line               poses, a held velocity and a watcher's picture over bad lines
 *   npm run bench -- --size smoke       once over everything: it shows that it runs, and keeps nothing
 *   npm run bench -- --work 30          how the page fares while an agent works for 30 minutes
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BENCH_CATALOGUE,
  BENCH_NAMES,
  type BenchResults,
  type BenchRun,
  type BenchSize,
} from '../scripts/docs/bench-catalogue.ts';
import { LINE_CASES, type LineResults, lineRowOf } from '../scripts/docs/line-catalogue.ts';
import { frameRowsOf, rowsOf } from '../scripts/docs/performance-page.ts';
import { currentCommit, PROJECT_DIR, thisMachine } from '../tests/proof/store.ts';
import { measureFrames } from './frames.ts';
import { measureLine } from './line/measure.ts';
import { openStand } from './line/stand.ts';
import { keepFrames, keepLine, keepRuns } from './results.ts';
import type { OpenScenario, Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { benchWork } from './scenarios/work.ts';
import { createStage } from './stage.ts';
import { type Pair, resultOf } from './statistics.ts';

const { values, positionals } = parseArgs({
  options: { size: { type: 'string', default: 'full' }, work: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
const names = [...BENCH_NAMES, 'frames', 'line'];
const unknown = positionals.filter((name) => !names.includes(name));
const minutes = Number(values.work ?? 0);
const isWrong = unknown.length > 0 || !['smoke', 'full'].includes(values.size) || !Number.isInteger(minutes) || minutes < 0;
if (values.help || isWrong) {
  if (unknown.length > 0) console.error(`There is no scenario ${unknown.join(', ')}.`);
  console.error(`npm run bench [-- --size smoke|full] [--work MINUTES] [scenario …]\nScenarios: ${names.join(', ')}`);
  process.exit(isWrong ? 2 : 0);
}
const size: BenchSize = values.size === 'smoke' ? 'smoke' : 'full';

/** Drawn in each scene: four seconds. */
const FRAMES = 240;

const LINE_SEED = 7;
const LINE_RIDE_MS: Record<BenchSize, number> = { smoke: 2_000, full: 5_000 };

const stage = createStage();
const results: BenchResults = {};
try {
  if (values.work !== undefined) await benchWork(await stage.platform(), await stage.browser(), minutes);
  else {
    for (const name of BENCH_NAMES.filter((each) => positionals.length === 0 || positionals.includes(each))) {
      const run = await measure(SCENARIOS[name] as unknown as Scenario<never>);
      results[name] = run;
      for (const row of rowsOf(name, run)) console.log(row.join(' | '));
    }
    if (size === 'full' && (positionals.length === 0 || positionals.includes('frames'))) {
      const frames = await measureFrames(stage, FRAMES);
      keepFrames(frames);
      for (const row of frameRowsOf(frames)) console.log(row.join(' | '));
    }
    // Of more than five minutes: only where it is asked for by name.
    if (positionals.includes('line')) await measureLines();
  }
} finally {
  await stage.close();
}
if (size === 'full' && Object.keys(results).length > 0) keepRuns(results);

/** All rounds of a scenario, after those that warm it up. */
async function measure(scenario: Scenario<never>): Promise<BenchRun> {
  const [loadBefore = 0] = loadavg();
  const opened: OpenScenario<string> = await scenario.open(stage, size);
  const pairs: Record<string, Pair[]> = Object.fromEntries(Object.keys(BENCH_CATALOGUE[scenario.name]).map((row) => [row, []]));
  try {
    const warmUp = scenario.warmUpRounds[size];
    for (let index = 0; index < warmUp + scenario.rounds[size]; index += 1) {
      const measured = await opened.round(index);
      if (index < warmUp) continue;
      for (const [row, pair] of Object.entries(measured)) pairs[row]?.push(pair);
    }
  } finally {
    await opened.close();
  }
  const [loadAfter = 0] = loadavg();
  return {
    rows: Object.fromEntries(Object.entries(pairs).map(([row, taken]) => [row, resultOf(taken)])),
    date: new Date().toISOString().slice(0, 10),
    commit: currentCommit(),
    machine: thisMachine(),
    versions: versions(),
    load: [loadBefore, loadAfter],
  };
}

/** Every bad line, one after the other; at the smoke size two of them. */
async function measureLines(): Promise<void> {
  const [loadBefore = 0] = loadavg();
  const robot = await (await stage.platform()).newRobot();
  const stand = await openStand(robot, LINE_SEED);
  const cases: LineResults['cases'] = {};
  try {
    const all = Object.entries(LINE_CASES);
    for (const [name, line] of size === 'full' ? all : all.slice(0, 2)) {
      const result = await measureLine(stand, line, LINE_RIDE_MS[size]);
      cases[name] = result;
      console.log(lineRowOf(name, result).join(' | '));
    }
  } finally {
    await stand.close();
  }
  const [loadAfter = 0] = loadavg();
  const results: LineResults = {
    date: new Date().toISOString().slice(0, 10),
    commit: currentCommit(),
    machine: thisMachine(),
    load: [loadBefore, loadAfter],
    cases,
  };
  if (size === 'full') keepLine(results);
}

/** Of what the bare limits are made of. */
function versions(): Record<string, string> {
  const packages = [
    '@dimforge/rapier3d-compat',
    'three',
    'livekit-client',
    '@livekit/rtc-node',
    'hono',
    'jose',
    'recast-navigation',
  ];
  const versionOf = (name: string): string =>
    JSON.parse(readFileSync(join(PROJECT_DIR, 'node_modules', name, 'package.json'), 'utf8')).version;
  return Object.fromEntries(packages.map((name) => [name, versionOf(name)]));
}

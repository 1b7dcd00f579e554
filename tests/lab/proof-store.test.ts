/** The proof by volume records exactly what was done. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProofPart, timesOf } from '../../lab/proof/part.ts';
import { runSlices } from '../../lab/proof/slices.ts';
import { openSlices, readSlices, runOf } from '../../lab/proof/store.ts';
import { PROOFS_BESIDE } from '../../lab/proof/tasks-part.ts';
import { PROOF_CATALOGUE, PROOF_NAMES, type ProofRun } from '../../scripts/docs/proof-catalogue.ts';
import { bestRun, proofPart } from '../../scripts/docs/proof-page.ts';
import { SIM_PROTOCOL } from '../../src/simulation/sim-protocol.ts';
import { STORM_SUITES } from '../promises/suites.ts';
import { oneTaskSuites } from '../promises/tasks.ts';

let store: string;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'simplesim-proof-'));
});
afterEach(() => rmSync(store, { recursive: true, force: true }));

/** Each slice runs one race; the third one breaks its test bench. */
function partWith(opened: number[], ran: number[]): ProofPart {
  return {
    name: 'races',
    async open() {
      opened.push(ran.length);
      return {
        async run(slice) {
          ran.push(slice);
          if (slice === 3) throw new Error('it broke');
          return { done: 1, failures: slice === 2 ? ['two acted'] : [], timesMs: { gap: [slice * 10] } };
        },
        close: async () => {},
      };
    },
    verdict: (outcomes) => (outcomes.length > 3 ? ['too many'] : []),
  };
}

describe('slices', () => {
  it('slices run until the size is reached; a slice that throws is recorded as a failure under its name, and the rest run', async () => {
    const [opened, ran]: [number[], number[]] = [[], []];
    const part = partWith(opened, ran);
    const file = openSlices(store, 'races', 'smoke');
    await runSlices({ part, size: 'smoke', file, lanes: 1, stopped: () => false, onSlice: () => {} });
    const wanted = PROOF_CATALOGUE.races.sizes.smoke;
    expect(ran).toEqual(Array.from({ length: wanted }, (_, index) => index + 1));
    expect(opened).toEqual([0, 3]);
    const run = runOf(part, 'smoke', file.head, file.slices);
    expect(run).toMatchObject({ done: wanted, wanted, cases: wanted, failureCount: 3 });
    expect(run.failures[0]).toBe('races slice 2: two acted');
    expect(run.failures[1]).toMatch(/^races slice 3: Error: it broke/);
    expect(run.failures[2]).toBe('too many');
    expect(run.times.gap).toEqual({ count: wanted - 1, median: 20, p95: wanted * 10, max: wanted * 10 });
  });

  it('slices that an interrupted run has stored are not run again, and half a line does not count', async () => {
    const [opened, ran]: [number[], number[]] = [[], []];
    const part = partWith(opened, ran);
    await runSlices({
      part,
      size: 'smoke',
      file: openSlices(store, 'races', 'smoke'),
      lanes: 1,
      stopped: () => ran.length === 2,
      onSlice: () => {},
    });
    expect(ran).toEqual([1, 2]);
    const [name = ''] = readdirSync(store);
    appendFileSync(join(store, name), '{"slice":3,"do');
    expect(readSlices(store, 'races', 'smoke')?.slices).toHaveLength(2);
    await runSlices({
      part,
      size: 'smoke',
      file: openSlices(store, 'races', 'smoke'),
      lanes: 1,
      stopped: () => false,
      onSlice: () => {},
    });
    expect(ran).toEqual([1, 2, 3, 4]);
    expect(readSlices(store, 'races', 'smoke')?.slices).toHaveLength(4);
  });
});

describe('lanes', () => {
  it('lanes run slices in parallel, each slice once, and the same slices as a single lane', async () => {
    const wanted = PROOF_CATALOGUE.races.sizes.smoke;
    const [ran, together]: [number[], number[]] = [[], []];
    let release = (): void => {};
    const allRun = new Promise<void>((resolve) => {
      release = resolve;
    });
    let running = 0;
    const part: ProofPart = {
      name: 'races',
      open: async () => ({
        async run(slice) {
          ran.push(slice);
          running += 1;
          together.push(running);
          if (running === wanted) release();
          // No slice ends before all have started: a lane that waited for another would hang here.
          await allRun;
          running -= 1;
          return { done: 1, failures: [] };
        },
        close: async () => {},
      }),
    };
    const file = openSlices(store, 'races', 'smoke');
    await runSlices({ part, size: 'smoke', file, lanes: wanted, stopped: () => false, onSlice: () => {} });
    expect(ran.toSorted()).toEqual(Array.from({ length: wanted }, (_, index) => index + 1));
    expect(Math.max(...together)).toBe(wanted);
    expect(readSlices(store, 'races', 'smoke')?.slices).toHaveLength(wanted);
  });

  it('lanes continue with the slices that an interrupted run left out', async () => {
    const [opened, ran]: [number[], number[]] = [[], []];
    const file = openSlices(store, 'races', 'smoke');
    file.append({ slice: 2, done: 1, failures: [], tookS: 0, endedAt: '2026-01-02T00:00:00Z' });
    await runSlices({
      part: partWith(opened, ran),
      size: 'smoke',
      file,
      lanes: 1,
      stopped: () => ran.length === 2,
      onSlice: () => {},
    });
    expect(ran).toEqual([1, 3]);
  });
});

describe('the page', () => {
  const run = (more: Partial<ProofRun> = {}): ProofRun => ({
    size: 'full',
    done: 1_000,
    wanted: 1_000,
    cases: 1_000,
    failureCount: 0,
    failures: [],
    times: { gap: { count: 1_000, median: 120, p95: 900, max: 12_300 } },
    measured: '',
    tookS: 125,
    load: { median: 3.2, max: 24.4 },
    date: '2026-01-02',
    commit: 'abc1234',
    simProtocol: SIM_PROTOCOL,
    machine: '2 × CPU',
    ...more,
  });
  const rowOf = (name: string, page: string): string => page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';

  it('the page shows for each part whether it was run at full size', () => {
    const page = proofPart({ races: { full: run() }, kills: { full: run({ done: 300, wanted: 1_000 }) } });
    expect(rowOf('races', page)).toContain('1,000 races, full size');
    expect(rowOf('races', page)).toContain('2 min, load 3 (up to 24)');
    expect(rowOf('races', page)).toContain('gap: 0.12 s, 0.90 s, 12.3 s');
    expect(rowOf('kills', page)).toContain('300 kills; **not run at full size** (1,000)');
    for (const name of PROOF_NAMES.filter((each) => each !== 'races' && each !== 'kills')) {
      expect(rowOf(name, page)).toContain('**not run**');
    }
  });

  it('the page shows failures, and of several runs the one with the largest volume', () => {
    const small = run({ size: 'nightly', done: 150 });
    const large = run({ done: 400, failureCount: 30, failures: ['races slice 7: two acted'] });
    expect(bestRun({ nightly: small, full: large })).toBe(large);
    const page = proofPart({ races: { nightly: small, full: large } });
    expect(page).toContain('- races slice 7: two acted\n- and 29 more');
  });
});

it('the whole storm contains every suite except those of tasks, which are a separate part', () => {
  expect(PROOF_CATALOGUE.storm.sizes.full).toBe(STORM_SUITES.length);
  expect(PROOF_CATALOGUE.storm.sizes.nightly).toBe(STORM_SUITES.length);
});

it('the tasks at full size are all tasks', () => {
  const ofEach = (oneTaskSuites[0]?.seeds.full ?? 0) + PROOFS_BESIDE;
  expect(PROOF_CATALOGUE.tasks.sizes.full).toBe(oneTaskSuites.length * ofEach);
});

it('times are summarized by their median, the 95th of a hundred and the largest', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(timesOf(values)).toEqual({ count: 100, median: 50, p95: 95, max: 100 });
});

/** Slices on disk: one line each as they end, so that an aborted run loses at most one slice. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROOF_CATALOGUE, type ProofName, type ProofRun, type ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import { SIM_PROTOCOL } from '../../src/simulation/sim-protocol.ts';
import { currentCommit, thisMachine } from '../result.ts';
import { namesOf, type ProofPart, type SliceOutcome, timesOf, valuesOf } from './part.ts';

const FAILURES_KEPT = 20;

type Head = Pick<ProofRun, 'commit' | 'machine' | 'simProtocol'>;

/** A stored slice. */
export interface StoredSlice extends SliceOutcome {
  slice: number;
  tookS: number;
  endedAt: string;
  /** The load average over a minute when it ended. A load above the number of cores delays everything. */
  load?: number;
}

export interface SliceFile {
  readonly head: Head;
  readonly slices: readonly StoredSlice[];
  append(slice: StoredSlice): void;
}

const pathOf = (store: string, name: ProofName, size: ProofSize): string => join(store, `${name}-${size}.jsonl`);

/** Opens the slices of a part at a size. Those of another commit are moved aside, and the run begins again. */
export function openSlices(store: string, name: ProofName, size: ProofSize): SliceFile {
  mkdirSync(store, { recursive: true });
  const path = pathOf(store, name, size);
  const here: Head = { commit: currentCommit(), machine: thisMachine(), simProtocol: SIM_PROTOCOL };
  let found = readSlices(store, name, size);
  if (found && found.head.commit !== here.commit) {
    renameSync(path, `${path}.${found.head.commit}`);
    found = null;
  }
  if (!found) {
    writeFileSync(path, `${JSON.stringify(here)}\n`);
    found = { head: here, slices: [] };
  }
  const { head } = found;
  const slices = [...found.slices];
  return {
    head,
    slices,
    append(slice) {
      slices.push(slice);
      appendFileSync(path, `${JSON.stringify(slice)}\n`);
    },
  };
}

/** Returns the stored slices of a part at a size; null if there are none. An incomplete last line is skipped. */
export function readSlices(store: string, name: ProofName, size: ProofSize): { head: Head; slices: StoredSlice[] } | null {
  const path = pathOf(store, name, size);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  // Text after the last line break was being written when the run was aborted.
  if (lines.pop() !== '') writeFileSync(path, text.slice(0, text.lastIndexOf('\n') + 1));
  const [head, ...slices] = lines;
  if (!head) return null;
  return { head: JSON.parse(head) as Head, slices: slices.map((line) => JSON.parse(line) as StoredSlice) };
}

/** Slices of one size as one run. */
export function runOf(part: ProofPart, size: ProofSize, head: Head, slices: readonly StoredSlice[]): ProofRun {
  const failures = [...slices.flatMap((slice) => slice.failures), ...(part.verdict?.(slices) ?? [])];
  const sum = (value: (slice: StoredSlice) => number): number => slices.reduce((total, slice) => total + value(slice), 0);
  const times = namesOf(slices, 'timesMs').map((name) => [name, timesOf(valuesOf(slices, 'timesMs', name))] as const);
  const loads = slices.flatMap(({ load }) => (load === undefined ? [] : [load]));
  return {
    size,
    done: sum(({ done }) => done),
    wanted: PROOF_CATALOGUE[part.name].sizes[size],
    cases: sum(({ cases, done }) => cases ?? done),
    failureCount: failures.length,
    failures: failures.slice(0, FAILURES_KEPT),
    times: Object.fromEntries(times),
    measured: part.measured?.(slices) ?? '',
    tookS: Math.round(sum(({ tookS }) => tookS)),
    ...(loads.length > 0 ? { load: { median: timesOf(loads).median, max: Math.max(...loads) } } : {}),
    date: slices.at(-1)?.endedAt.slice(0, 10) ?? '',
    ...head,
  };
}

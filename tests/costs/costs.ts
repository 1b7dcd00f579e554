/** The cost of each test file and each page test, recorded by the processes of a run and printed at its end. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { treeTimeS } from './tree-time.ts';

const COSTS_DIR = join(import.meta.dirname, '../../.cache/test-reports/costs');

export interface TestCost {
  /** A file of unit tests, or a page test. */
  name: string;
  processorS: number;
  wallS: number;
}

/** Starts to measure what this process and its children spend. @returns a function that records what was spent since then */
export function beginCost(): (name: string) => void {
  const [startS, startMs] = [treeTimeS(process.pid), performance.now()];
  return (name) => {
    const cost: TestCost = {
      name,
      processorS: treeTimeS(process.pid) - startS,
      wallS: (performance.now() - startMs) / 1_000,
    };
    mkdirSync(COSTS_DIR, { recursive: true });
    writeFileSync(join(COSTS_DIR, `${randomUUID()}.json`), JSON.stringify(cost));
  };
}

/** Returns the costs of a run, the highest first. */
export function readCosts(): TestCost[] {
  mkdirSync(COSTS_DIR, { recursive: true });
  return readdirSync(COSTS_DIR)
    .map((file) => JSON.parse(readFileSync(join(COSTS_DIR, file), 'utf8')) as TestCost)
    .sort((one, other) => other.processorS - one.processorS);
}

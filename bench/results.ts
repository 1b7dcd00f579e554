import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchResults } from '../scripts/docs/bench-catalogue.ts';
import type { FramesResult } from '../scripts/docs/frames-catalogue.ts';
import type { LineResults } from '../scripts/docs/line-catalogue.ts';

const LINE_FILE = join(import.meta.dirname, '../docs/line.json');
const FRAMES_FILE = join(import.meta.dirname, '../docs/frames.json');
const RESULTS_FILE = join(import.meta.dirname, '../docs/performance.json');

/** Puts runs in the place of those of their scenarios. */
export function keepRuns(runs: BenchResults): void {
  const kept: BenchResults = existsSync(RESULTS_FILE) ? JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) : {};
  writeFileSync(RESULTS_FILE, `${JSON.stringify({ ...kept, ...runs }, null, 2)}\n`);
}

export function keepFrames(frames: FramesResult): void {
  writeFileSync(FRAMES_FILE, `${JSON.stringify(frames, null, 2)}\n`);
}

export function keepLine(results: LineResults): void {
  writeFileSync(LINE_FILE, `${JSON.stringify(results, null, 2)}\n`);
}

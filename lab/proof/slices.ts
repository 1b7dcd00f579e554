import { loadavg } from 'node:os';
import { PROOF_CATALOGUE, type ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import type { ProofBench, ProofPart } from './part.ts';
import type { SliceFile, StoredSlice } from './store.ts';

/** Runs one slice; an exception counts as a broken promise. */
export async function runSlice(
  part: ProofPart,
  bench: ProofBench,
  slice: number,
): Promise<{ stored: StoredSlice; threw: boolean }> {
  const startedAtMs = performance.now();
  const seen = (): Pick<StoredSlice, 'slice' | 'tookS' | 'endedAt' | 'load'> => ({
    slice,
    tookS: (performance.now() - startedAtMs) / 1000,
    endedAt: new Date().toISOString(),
    load: loadavg()[0] ?? 0,
  });
  const named = (what: string): string => `${part.name} slice ${slice}: ${what}`;
  try {
    const outcome = await bench.run(slice);
    return { stored: { ...outcome, failures: outcome.failures.map(named), ...seen() }, threw: false };
  } catch (fault) {
    const what = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    return { stored: { done: 1, failures: [named(what)], ...seen() }, threw: true };
  }
}

/** How slices are run: one after the other, or several at once. */
export interface SlicesRun {
  part: ProofPart;
  size: ProofSize;
  file: SliceFile;
  /** The number of parallel benches, each with its own servers. */
  lanes: number;
  /** No further slice begins when it returns true. */
  stopped(): boolean;
  /** Called with each slice as it ends. */
  onSlice(slice: StoredSlice, done: number): void;
}

/** Runs slices until the size is reached. Stored slices are not repeated. */
export async function runSlices({ part, size, file, lanes, stopped, onSlice }: SlicesRun): Promise<void> {
  const wanted = PROOF_CATALOGUE[part.name].sizes[size];
  const taken = new Set(file.slices.map(({ slice }) => slice));
  let done = file.slices.reduce((sum, slice) => sum + slice.done, 0);
  let underWay = 0;
  const take = (): number => {
    let slice = 1;
    while (taken.has(slice)) slice += 1;
    taken.add(slice);
    return slice;
  };

  async function lane(): Promise<void> {
    let bench: ProofBench | null = null;
    try {
      // A slice does at least one unit.
      while (done + underWay < wanted && !stopped()) {
        const slice = take();
        underWay += 1;
        let outcome: Awaited<ReturnType<typeof runSlice>>;
        try {
          bench ??= await part.open(size);
          outcome = await runSlice(part, bench, slice);
        } finally {
          underWay -= 1;
        }
        const { stored, threw } = outcome;
        file.append(stored);
        done += stored.done;
        onSlice(stored, done);
        if (!threw) continue;
        // A failed slice may have left its servers in any state.
        const broken: ProofBench = bench;
        bench = null;
        await broken.close().catch(() => undefined);
      }
    } finally {
      await bench?.close();
    }
  }

  await Promise.all(Array.from({ length: lanes }, lane));
}

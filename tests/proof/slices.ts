import { PROOF_CATALOGUE, type ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import type { ProofBench, ProofPart } from './part.ts';
import type { SliceFile, StoredSlice } from './store.ts';

/** Runs one slice; what it throws is a broken promise like any other. */
export async function runSlice(
  part: ProofPart,
  bench: ProofBench,
  slice: number,
): Promise<{ stored: StoredSlice; threw: boolean }> {
  const startedAtMs = performance.now();
  const seen = (): Pick<StoredSlice, 'slice' | 'tookS' | 'endedAt'> => ({
    slice,
    tookS: (performance.now() - startedAtMs) / 1000,
    endedAt: new Date().toISOString(),
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

/**
 * Runs slices until the size is reached, after those that are stored already.
 * @param stopped no slice begins when it says so
 * @param onSlice hears of each slice as it ends
 */
export async function runSlices(
  part: ProofPart,
  size: ProofSize,
  file: SliceFile,
  stopped: () => boolean,
  onSlice: (slice: StoredSlice, done: number) => void,
): Promise<void> {
  const wanted = PROOF_CATALOGUE[part.name].sizes[size];
  let done = file.slices.reduce((sum, slice) => sum + slice.done, 0);
  let next = (file.slices.at(-1)?.slice ?? 0) + 1;
  let bench: ProofBench | null = null;
  try {
    while (done < wanted && !stopped()) {
      bench ??= await part.open(size);
      const { stored, threw } = await runSlice(part, bench, next);
      file.append(stored);
      done += stored.done;
      next += 1;
      onSlice(stored, done);
      if (!threw) continue;
      // Whatever threw may have left its servers in any state.
      const broken = bench;
      bench = null;
      await broken.close().catch(() => undefined);
    }
  } finally {
    await bench?.close();
  }
}

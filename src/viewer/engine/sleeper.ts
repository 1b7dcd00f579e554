import type { Sleep } from '../../runtime/host/simulation-host.ts';

interface WaitAsync {
  waitAsync(
    array: Int32Array,
    index: number,
    value: number,
    timeoutMs: number,
  ): { async: boolean; value: Promise<string> | string };
}

/** Shortest wait. A wait of 0 would return within the same turn. */
const SHORTEST_MS = 0.05;

/**
 * Creates a precise wait for a worker. `Atomics.waitAsync` on private memory is late by 0.3 ms at the median, `setTimeout` by 4
 * ms. A shared WebAssembly memory needs no cross-origin isolation. Falls back to `setTimeout`.
 */
export function createSleep(): Sleep {
  const cell = 'waitAsync' in Atomics ? sharedCell() : null;
  if (!cell) return (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const atomics = Atomics as unknown as WaitAsync;
  return async (ms) => {
    await atomics.waitAsync(cell, 0, 0, Math.max(SHORTEST_MS, ms)).value;
  };
}

function sharedCell(): Int32Array | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    return new Int32Array(memory.buffer);
  } catch {
    return null;
  }
}

import type { AgentClock } from './agent-context.ts';

/** Returns the value within this time; null after it, or when the signal fires. */
export async function within<T>(
  value: Promise<T>,
  ms: number,
  { clock }: { clock: AgentClock },
  signal?: AbortSignal,
): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([
      value,
      clock.pause(ms, signal ? AbortSignal.any([signal, over.signal]) : over.signal).then(() => null),
    ]);
  } finally {
    over.abort();
  }
}

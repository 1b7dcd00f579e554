/** A clock that the test moves: waits end in their order when the test passes their time. */
export function createFakeClock() {
  const waits = new Set<{ dueAtMs: number; act: () => void }>();
  let nowMs = 0;
  /** Lets every promise settle that can settle. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  return {
    nowMs: () => nowMs,
    after(ms: number, act: () => void): () => void {
      const wait = { dueAtMs: nowMs + ms, act };
      waits.add(wait);
      return () => waits.delete(wait);
    },
    settle,
    async pass(ms: number): Promise<void> {
      const untilMs = nowMs + ms;
      for (;;) {
        await settle();
        const [next] = [...waits].filter(({ dueAtMs }) => dueAtMs <= untilMs).sort((one, other) => one.dueAtMs - other.dueAtMs);
        if (!next) break;
        waits.delete(next);
        nowMs = Math.max(nowMs, next.dueAtMs);
        next.act();
      }
      nowMs = untilMs;
    },
    /** Suspends the process: everything that is due meanwhile happens afterwards. */
    freeze(ms: number): void {
      nowMs += ms;
    },
  };
}

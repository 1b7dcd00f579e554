import type { AgentClock } from './agent-context.ts';

/** The clock of this process or page. */
export const AGENT_CLOCK: AgentClock = {
  nowMs: () => performance.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
    }),
};

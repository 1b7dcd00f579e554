import { whenUnread } from './output.ts';

/** Why a command ends: it was stopped, or the reader of its output has exited. */
export type WhyLeave = 'told' | 'unread';

/** One Ctrl-C may arrive several times: from the terminal, and forwarded by npm and tsx. */
const SAME_PRESS_MS = 1_000;

/**
 * Lets a running command end in order, once. A second Ctrl-C, for people who do not want to wait, ends it at once.
 * @param leave ends it in order
 * @param codeAtOnce the exit code of a second Ctrl-C
 */
export function leaveOnce(leave: (why: WhyLeave) => Promise<void>, codeAtOnce: number): { hasBegun(): boolean } {
  let sinceMs: number | null = null;

  function begin(why: WhyLeave): void {
    sinceMs = performance.now();
    void leave(why);
  }

  function onSignal(): void {
    if (sinceMs === null) begin('told');
    else if (performance.now() - sinceMs > SAME_PRESS_MS) process.exit(codeAtOnce);
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  whenUnread(() => {
    // After Ctrl-C, the reader may exit first.
    if (sinceMs === null) begin('unread');
  });
  return { hasBegun: () => sinceMs !== null };
}

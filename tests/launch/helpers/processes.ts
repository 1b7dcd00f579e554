import { isAlive } from '../../../src/control-service/process-lock.ts';

/** Settles when no process has this id any more. */
export async function waitUntilGone(pid: number, timeoutMs = 10_000): Promise<void> {
  await waitUntil(() => !isAlive(pid), `process ${pid} to end`, timeoutMs);
}

/** Settles when the condition holds; looks every 20 ms. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, what: string, timeoutMs = 10_000): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

import { readFileSync } from 'node:fs';
import { isAlive } from '../../../src/control-service/process-lock.ts';

/** Far more than any awaited step takes: a busy machine must not cause a failure. */
const LONG_MS = 60_000;

/** Settles when this process has ended. A process whose parent is gone may keep its id until the system collects its status. */
export async function waitUntilGone(pid: number, timeoutMs = LONG_MS): Promise<void> {
  await waitUntil(() => !isAlive(pid) || stateOf(pid).startsWith('Z'), `process ${pid} to end`, timeoutMs);
}

/** State of a process as Linux reports it: Z has ended and waits for its parent. */
function stateOf(pid: number): string {
  try {
    return /^State:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Settles when the condition is met; checks every 20 ms. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, what: string, timeoutMs = LONG_MS): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

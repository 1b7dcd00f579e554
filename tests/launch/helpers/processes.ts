import { readFileSync } from 'node:fs';
import { isAlive } from '../../../src/control-service/process-lock.ts';

/** Far more than anything takes that is waited for: a busy machine is no failure. */
const LONG_MS = 60_000;

/** Settles when this process has ended. One whose parent is gone may keep its id until the system asks how it ended. */
export async function waitUntilGone(pid: number, timeoutMs = LONG_MS): Promise<void> {
  await waitUntil(() => !isAlive(pid) || stateOf(pid).startsWith('Z'), `process ${pid} to end`, timeoutMs);
}

/** State of a process as Linux tells it: Z has ended and waits for its parent. */
function stateOf(pid: number): string {
  try {
    return /^State:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Settles when the condition holds; looks every 20 ms. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, what: string, timeoutMs = LONG_MS): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

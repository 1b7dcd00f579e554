/**
 * The memory of a page: the heaps of its own thread and of its workers after a forced garbage collection, and the memory of the
 * browser's processes.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, CDPSession, Page } from '@playwright/test';

export interface PageMemory {
  /** The total of all threads. */
  heapBytes: number;
  /** The browser's processes that render pages. */
  residentBytes: number;
  threads: number;
}

const PAGE_BYTES = 4_096;

/** Attaches to a page and to all its current and future workers. */
export async function watchPageMemory(browser: Browser, page: Page): Promise<() => Promise<PageMemory>> {
  const cdp = await page.context().newCDPSession(page);
  const workers = new Map<string, (method: string) => Promise<unknown>>();
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') workers.set(sessionId, speakTo(cdp, sessionId));
  });
  cdp.on('Target.detachedFromTarget', ({ sessionId }) => workers.delete(sessionId));
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const browserCdp = await browser.newBrowserCDPSession();

  return async () => {
    const threads = [(method: string) => cdp.send(method as 'Runtime.getHeapUsage'), ...workers.values()];
    let heapBytes = 0;
    for (const send of threads) {
      await send('HeapProfiler.collectGarbage');
      heapBytes += ((await send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize;
    }
    const { processInfo } = await browserCdp.send('SystemInfo.getProcessInfo');
    let resident = 0;
    for (const { id, type } of processInfo) {
      if (type !== 'renderer') continue;
      const statm = await readFile(`/proc/${id}/statm`, 'utf8').catch(() => '');
      resident += Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES;
    }
    return { heapBytes, residentBytes: resident, threads: threads.length };
  };
}

/** Requests to a worker, in messages through the page's session. */
function speakTo(cdp: CDPSession, sessionId: string): (method: string) => Promise<unknown> {
  let lastId = 0;
  return (method) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const hear = (event: { sessionId: string; message: string }): void => {
        if (event.sessionId !== sessionId) return;
        const answer = JSON.parse(event.message) as { id?: number; result?: unknown; error?: { message: string } };
        if (answer.id !== id) return;
        cdp.off('Target.receivedMessageFromTarget', hear);
        if (answer.error) reject(new Error(answer.error.message));
        else resolve(answer.result);
      };
      cdp.on('Target.receivedMessageFromTarget', hear);
      cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
    });
}

import type { BusyReport, TimerDue, TimerRequest } from './timer-worker.ts';

/** Timers that keep their pace in a hidden page. */
export interface Timers {
  setTimeout(callback: () => void, delayMs: number): number;
  setInterval(callback: () => void, periodMs: number): number;
  clear(id: number | undefined): void;
  /** Sends a report from another thread whenever this thread sets no timer for a while; null ends that. */
  reportWhenBusy(report: BusyReport | null): void;
  dispose(): void;
}

/** The part of a Worker that the timers need. */
export interface TimerPort {
  postMessage(request: TimerRequest): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<TimerDue>) => void): void;
  terminate(): void;
}

const startWorker = (): TimerPort => new Worker(new URL('./timer-worker.ts', import.meta.url), { type: 'module' });

/** Starts a worker that does nothing but wait. */
export function createWorkerTimers(port: TimerPort = startWorker()): Timers {
  const callbacks = new Map<number, { callback: () => void; repeat: boolean }>();
  let lastId = 0;

  port.addEventListener('message', ({ data: id }) => {
    // A message that was on its way when its timer was cleared finds nothing here.
    const timer = callbacks.get(id);
    if (!timer) return;
    if (!timer.repeat) callbacks.delete(id);
    timer.callback();
  });

  function set(callback: () => void, delayMs: number, repeat: boolean): number {
    lastId += 1;
    callbacks.set(lastId, { callback, repeat });
    port.postMessage({ kind: 'set', id: lastId, delayMs: Math.max(0, Number(delayMs) || 0), repeat });
    return lastId;
  }

  return {
    setTimeout: (callback, delayMs) => set(callback, delayMs, false),
    setInterval: (callback, periodMs) => set(callback, periodMs, true),
    clear(id) {
      if (id !== undefined && callbacks.delete(id)) port.postMessage({ kind: 'clear', id });
    },
    reportWhenBusy: (report) => port.postMessage({ kind: 'busy', report }),
    dispose() {
      callbacks.clear();
      port.terminate();
    },
  };
}

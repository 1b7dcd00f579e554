import { createReplayEngine, type ReplayEngine } from './replay-engine.ts';
import type { FromReplay } from './replay-messages.ts';

/** Creates the engine of a real replay page. */
export const createBrowserReplay = (): ReplayEngine =>
  createReplayEngine({
    openWorker() {
      const worker = new Worker(new URL('./replay-worker.ts', import.meta.url), { type: 'module', name: 'replay' });
      return {
        start(proof, onMessage) {
          worker.addEventListener('message', ({ data }: MessageEvent<FromReplay>) => onMessage(data));
          worker.addEventListener('error', () => onMessage({ kind: 'failed' }));
          worker.postMessage({ proof });
        },
        terminate: () => worker.terminate(),
      };
    },
    nowMs: () => performance.now(),
    every(periodMs, task) {
      const timer = setInterval(task, periodMs);
      return () => clearInterval(timer);
    },
  });

import type { BareOrder, BareTimes } from './messages.ts';

const worker = new Worker(new URL('./bare-worker.ts', import.meta.url), { type: 'module' });

window.renderBare = (order: BareOrder) =>
  new Promise<BareTimes>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<BareTimes>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(order);
  });

import type { BareOrder } from './messages.ts';

const worker = new Worker(new URL('./bare-worker.ts', import.meta.url), { type: 'module' });

window.renderBare = (order: BareOrder) =>
  new Promise<number>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(order);
  });

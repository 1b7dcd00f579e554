import { askForPhysics } from '../ask-for-physics.ts';
import type { FromReplay, ToReplay } from './replay-messages.ts';

interface WorkerScope {
  postMessage(message: FromReplay): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToReplay>) => void): void;
}
const scope = self as unknown as WorkerScope;

askForPhysics(() => undefined);
const parts = Promise.all([import('@dimforge/rapier3d-compat'), import('./film-run.ts')]);
// The code that starts the worker receives the error.
parts.catch(() => undefined);

scope.addEventListener('message', ({ data }) => {
  report(data.proof).catch(() => scope.postMessage({ kind: 'failed' }));
});

async function report(proof: string): Promise<void> {
  const [{ default: rapier }, { filmRun }] = await parts;
  await rapier.init();
  filmRun(rapier, proof, (message) => scope.postMessage(message));
}

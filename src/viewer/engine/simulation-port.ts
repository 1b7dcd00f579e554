import type { FromSimulation, ToSimulation } from '../../runtime/host/sim-messages.ts';

/**
 * The part of the simulation's Worker that the page needs. Messages that the worker sends in one turn arrive together, in order.
 */
export interface SimulationPort {
  postMessage(message: ToSimulation): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<FromSimulation[]>) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  terminate(): void;
}

/** A worker that loads its code and the physics engine while the page still loads the code that will start it. */
let ahead: SimulationPort | null = null;

/** Opens the simulation's worker before there is an engine for it. The next simulation uses this worker. */
export function openSimulationAhead(): void {
  const opened = openWorker();
  ahead = opened;
  // A later listener would miss the error. Another worker reports it to the code that starts it.
  opened.addEventListener('error', () => {
    if (ahead === opened) ahead = null;
  });
}

/** Returns the worker that was opened ahead, or a new one. */
export function openSimulation(): SimulationPort {
  const opened = ahead ?? openWorker();
  ahead = null;
  return opened;
}

const openWorker = (): SimulationPort =>
  new Worker(new URL('./simulation-worker.ts', import.meta.url), { type: 'module', name: 'simulation' });

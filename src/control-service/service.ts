import type { ServiceDeps, ServiceParts } from './deps.ts';
import { newMemory } from './instance-memory.ts';
import { createMetrics } from './metrics.ts';
import { countOpenSessions } from './operations/lookup.ts';
import { countVoidPins } from './operations/pin-life.ts';

export interface ServiceOptions {
  /** Whether the metrics include those of the process; for one service in a process. @default false */
  processMetrics?: boolean;
}

/**
 * Creates one instance of the service from its parts, once. Requests, timers and the launcher's own endpoints share it. So they
 * wait in the same queues, and the metrics include every call to the SFU, whatever its origin.
 */
export function createService(parts: ServiceParts, { processMetrics = false }: ServiceOptions = {}): ServiceDeps {
  const metrics = createMetrics({
    countOpenSessions: () => countOpenSessions(service),
    countVoidPins: () => countVoidPins(service),
    process: processMetrics,
  });
  const service: ServiceDeps = { ...parts, sfu: metrics.measureSfu(parts.sfu), metrics, memory: newMemory() };
  return service;
}

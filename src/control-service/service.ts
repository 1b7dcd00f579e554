import type { ServiceDeps, ServiceParts } from './deps.ts';
import { newMemory } from './instance-memory.ts';
import { createMetrics } from './metrics.ts';
import { countOpenSessions } from './operations/lookup.ts';
import { countVoidPins } from './operations/pin-life.ts';

export interface ServiceOptions {
  /** Whether figures of the process are among the metrics; for one service in a process. @default false */
  processMetrics?: boolean;
}

/**
 * Makes one instance of the service of its parts, once: requests, timers and the launcher's own doors get the same one, so that
 * they stand in the same lines and every call to the SFU is in the figures, whoever made it.
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

/** What a program sees that imports `simplesim`. */
export type { CallOptions, Reply, SentCall, Simulation, SimulationOptions } from './simulation.ts';
export { createSimulation } from './simulation.ts';

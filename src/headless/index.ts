/** The interface for programs that import `simplesim`. */
export type { CallOptions, PictureOptions, Reply, SentCall, Simulation, SimulationOptions, TakenPicture } from './simulation.ts';
export { createSimulation } from './simulation.ts';

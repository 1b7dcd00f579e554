import { MAX_SEED } from './limits.ts';
import { SCENE_IDS } from './scene-ids.ts';

/** The sentences of a simulation in process that refuse what a program asks of it; what its robot refuses is in error-texts.ts. */

export const wrongSeed = (given: unknown): string =>
  `The seed is ${String(given)}, and must be a whole number from 0 to ${MAX_SEED}.`;

export const wrongStepCount = (given: unknown): string =>
  `step(${String(given)}) is no number of steps. Give a whole number from 0 on; 120 are one second.`;

export const unknownScene = (given: unknown): string =>
  `There is no scene "${String(given)}". There are: ${SCENE_IDS.join(', ')}.`;

export const unknownRobot = (given: unknown, known: readonly string[]): string =>
  `There is no robot "${String(given)}". There are: ${known.join(', ')}.`;

export const simulationDisposed = (): string => 'This simulation was disposed of. Create another one with createSimulation().';

export const simulationReset = (method: string): string =>
  `The call of ${method} got no answer: the simulation was reset while it ran.`;

export const noAnswerWithin = (method: string, simulatedS: number): string =>
  `The call of ${method} got no answer within ${simulatedS} simulated seconds. Give it an options.deadline_s, or wait longer with { timeoutS }.`;

export const payloadNotJson = (method: string): string => `The payload of ${method} cannot be written as JSON.`;

import { shownId, shownLine } from '../../common/shown-text.ts';
import { MAX_SEED } from '../wire/limits.ts';
import { SCENE_IDS } from '../wire/scene-ids.ts';

/**
 * The sentences with which a simulation in process rejects requests of a program; the rejections of its robot are in
 * error-texts.ts.
 */

export const wrongSeed = (given: unknown): string =>
  `The seed is ${String(given)}, and must be a whole number from 0 to ${MAX_SEED}.`;

export const wrongStepCount = (given: unknown): string =>
  `step(${String(given)}) is not a number of steps. Give a whole number from 0 on; 120 are one second.`;

export const unknownScene = (given: unknown): string =>
  `There is no scene "${shownId(String(given))}". There are: ${SCENE_IDS.join(', ')}.`;

export const unknownRobot = (given: unknown, known: readonly string[]): string =>
  `There is no robot "${shownId(String(given))}". There are: ${known.join(', ')}.`;

export const simulationDisposed = (): string => 'This simulation was disposed of. Create another one with createSimulation().';

export const simulationReset = (method: string): string =>
  `The call of ${method} got no answer: the simulation was reset while it ran.`;

export const noAnswerWithin = (method: string, simulatedS: number): string =>
  `The call of ${method} got no answer within ${simulatedS} simulated seconds. Give it an options.deadline_s, or wait longer with { timeoutS }.`;

export const payloadNotJson = (method: string): string => `The payload of ${method} cannot be written as JSON.`;

/** The sentences of a simulator without a page in a room. */

export const keyOfOtherProfile = (): string =>
  "This key is for the physical robot's contract, and this command is the simulator. Start it with `npm run worker -- --key-from-stdin`, or take a link without profile=worker.";

export const keyNamesNoRobot = (): string =>
  'The identity in this key names no robot. Ask for a link of the robot itself: `npm run link` prints one where the platform runs.';

/** @param holder the name that the other simulator gives itself; null: it gives none */
export const heldByAnother = (holder: string | null, forMs: number): string =>
  `${holder === null ? 'Another page or program' : `Another (${holder})`} has been this robot for ${Math.max(1, Math.round(forMs / 1_000))} s. End it there, or take its place with --take-over.`;

/** The sentences of pictures without a page. Those that are part of another sentence have no capital and no full stop. */

export const NO_BROWSER = 'there is no Chrome or Chromium here: install one, or name one in SIMPLESIM_CHROMIUM';

export const NO_BROWSER_FOR_PICTURES = `Pictures are drawn in a browser, and ${NO_BROWSER}. Or do without pictures.`;

export const PAGE_NOT_BUILT = 'the page, whose cameras draw, is not built: npm run build';

export const DRAWING_BROKE_TWICE = 'The browser that draws broke twice at this picture. Ask again: it is restarted.';

/** The outcome of a proof, as far as its sentence needs it. */
type Verified =
  | { is: 'true'; steps: number }
  | { is: 'false'; sameUntilStep: number; atStep: number; what: string }
  | { is: 'damaged'; path: string; what: string }
  | { is: 'other_version' | 'other_task' | 'unreadable'; what: string };

/** The facts about the run of a proof that a sentence names. */
export interface VerifiedRun {
  /** Id of the task; null: a run without a task. */
  task: string | null;
  /** Seed of the run. */
  seed: number;
  outcome: string | null;
}

/** Returns the sentence about a verified proof. @param run of a proof that could be read; null for any other file */
export function verificationText(said: Verified, { seconds, run }: { seconds: number; run: VerifiedRun | null }): string {
  switch (said.is) {
    case 'true':
      return `true. ${run === null ? 'A run' : runText(run)}; ${said.steps} steps, re-simulated in ${seconds.toFixed(1)} s.`;
    case 'false':
      // If the world was the same up to this point, the false part is the verdict or the file itself.
      return said.sameUntilStep < said.atStep
        ? `FALSE from step ${said.atStep} on (the same until step ${said.sameUntilStep}): ${shownLine(said.what)}.`
        : `FALSE at step ${said.atStep}: ${shownLine(said.what)}.`;
    case 'damaged':
      return `DAMAGED${said.path === '' ? '' : ` at ${shownLine(said.path)}`}: ${shownLine(said.what)}`;
    case 'other_task':
      return `NOT OF THIS TASK: the run happened, and ${shownLine(said.what)}.`;
    case 'other_version':
      return `cannot be verified here: ${shownLine(said.what)} Verify it with the version of SimpleSim that wrote it, or make the run again.`;
    case 'unreadable':
      return `cannot be read (${shownLine(said.what)}).`;
  }
}

const runText = ({ task, seed, outcome }: VerifiedRun): string =>
  task === null ? `A run without a task, with the seed ${seed}` : `The task ${shownId(task)} ${outcome} with the seed ${seed}`;

export const sceneRefused = (problems: readonly { path: string; reason: string }[]): string =>
  [
    'The scene is refused.',
    ...problems.map(({ path, reason }) => shownLine(`${path === '' ? 'The file' : path} ${reason}`)),
  ].join('\n  ');

import { shownId } from '../common/shown-text.ts';
import { DIGEST_DIGITS, type ProofFile, proofInputsMax } from '../protocol/files/proof-file.ts';
import { fitsRpc } from '../protocol/wire/json.ts';
import { robotRefusal } from '../protocol/wire/robots.ts';
import { Scenes } from '../simulation/scene.ts';
import type { Physics } from '../simulation/sim-world.ts';
import { thingsAtStart } from '../simulation/variation/things-at-start.ts';
import { adoptSceneFile } from './own-scene.ts';
import { payloadOfProof, readProof } from './proof-text.ts';
import { createReplay, type OpenedProof, otherVersion } from './replay.ts';
import { callerOfProof, mayChange, proofCaller } from './run-engine.ts';
import { digestsEverySteps } from './run-log.ts';
import { worldSeed } from './run-seed.ts';
import { readTaskValue, robotProblem } from './task-reader.ts';

/** The verdict about a proof. */
export type Verification =
  /** The run happened as the proof records it. */
  | { is: 'true'; proof: ProofFile; steps: number }
  /** The file is intact, and its run does not happen. */
  | { is: 'false'; proof: ProofFile; sameUntilStep: number; atStep: number; what: string }
  /** The file is not as it was written, or no proof. */
  | { is: 'damaged'; path: string; what: string }
  /** This version cannot decide; without the proof if it cannot read the file. */
  | { is: 'other_version'; proof: ProofFile | null; what: string };

/**
 * Re-simulates a proof, and returns whether it is true. Never throws for a text, whatever is in it, and leaves nothing behind:
 * a scene in the proof is known only during the check.
 * @param rapier initialised
 * @param onStep called now and then with the progress
 */
export function verifyProof(
  rapier: Physics,
  text: string,
  onStep: (step: number, ofSteps: number) => void = () => {},
): Verification {
  const opened = openProof(rapier, text);
  if (opened.is !== 'whole') return opened;
  const { proof } = opened;
  const replay = createReplay(rapier, opened);
  try {
    while (replay.step()) {
      if (replay.difference() !== null) break;
      if (replay.steps() % TELL_EVERY_STEPS === 0) onStep(replay.steps(), proof.steps);
    }
    const difference = replay.difference();
    return difference === null ? { is: 'true', proof, steps: proof.steps } : { is: 'false', proof, ...difference };
  } finally {
    replay.dispose();
  }
}

/**
 * Reads a proof, and returns whether it can be replayed here: `whole`, or the known fault. Never throws for a text.
 * @param rapier initialised
 */
export function openProof(
  rapier: Physics,
  text: string,
): ({ is: 'whole' } & OpenedProof) | Exclude<Verification, { is: 'true' }> {
  const read = readProof(text);
  if (!read.ok) {
    const { path, reason, isOtherFormat } = read.problem;
    return isOtherFormat ? { is: 'other_version', proof: null, what: reason } : { is: 'damaged', path, what: reason };
  }
  const { proof } = read;
  const scenes = new Scenes();
  const { file } = proof.scene;
  if (file !== undefined) {
    const used = adoptSceneFile(file, scenes);
    const what = used.ok
      ? used.sceneId === proof.scene.id
        ? null
        : `the file is that of the scene ${used.sceneId}`
      : used.reason;
    if (what !== null) return { is: 'false', proof, sameUntilStep: 0, atStep: 0, what };
  }
  const other = otherVersion(rapier, proof, scenes);
  if (other !== null) return { is: 'other_version', proof, what: other };
  const impossible = (what: string) => ({ is: 'false', proof, sameUntilStep: 0, atStep: 0, what }) as const;
  const problem = whyImpossible(proof, scenes);
  if (problem !== null) return impossible(problem);
  try {
    const seed = worldSeed(proof, scenes);
    const scene = scenes.byId(proof.scene.id);
    // Some scenes have no layout for some seeds.
    if (scene !== null) thingsAtStart(scene, seed);
    return { is: 'whole', proof, scenes, worldSeed: seed };
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return impossible(`it has no world: ${thrown.message}`);
  }
}

const TELL_EVERY_STEPS = 1_200;

/** Returns what no run can have written; null if there is no such part. */
function whyImpossible(proof: ProofFile, scenes: Scenes): string | null {
  const { robot, profile, task, scene, verdict } = proof;
  const strange = strangeInput(proof) ?? strangeCall(proof) ?? superfluous(proof);
  if (strange !== null) return strange;
  if (task === undefined) return verdict === undefined ? robotRefusal(robot, profile) : 'there is a verdict, and no task';
  if (task.scene !== scene.id) return `the task is for the scene ${shownId(task.scene)}, and the run was in ${shownId(scene.id)}`;
  const read = readTaskValue(task, scenes);
  if (!read.ok) return `its task is invalid: ${read.problems[0]?.path}: ${read.problems[0]?.reason}`;
  return robotProblem(task, robot) ?? robotRefusal(robot, profile);
}

function strangeInput({ inputs, calls, callers, steps }: ProofFile): string | null {
  let before = 0;
  for (const [at, input] of inputs.entries()) {
    const [step] = input;
    if (step < before || step > steps) return `input ${at} comes before step ${step}, which is out of order`;
    before = step;
    if (at >= proofInputsMax(step))
      return `${at + 1} inputs come before step ${step}; a run has at most ${proofInputsMax(step)} by then`;
    if (input[1] === 'call' && input[2] >= calls.length) return `input ${at} names call ${input[2]}, which is not there`;
    if ((input[1] === 'stop' || input[1] === 'emergency_stop') && input[2] >= callers.length)
      return `input ${at} names caller ${input[2]}, which is not there`;
  }
  return null;
}

function strangeCall({ calls, callers }: ProofFile): string | null {
  const form = callers.findIndex((caller) => JSON.stringify(proofCaller(callerOfProof(caller))) !== JSON.stringify(caller));
  if (form >= 0) return `caller ${form} is of no kind that there is`;
  for (const [at, call] of calls.entries()) {
    const { method, caller: callerAt } = call;
    const caller = callers[callerAt];
    if (caller === undefined) return `call ${at} names a caller that is not there`;
    if (caller.robot !== undefined || caller.service !== undefined)
      return `call ${at} is by the robot's own software or the control service, which make no calls`;
    if (!fitsRpc(payloadOfProof(call))) return `call ${at} is longer than a call may be`;
    if (!mayChange(method)) return `call ${at} is of ${shownId(method)}, which only looks; a run leaves such calls out`;
  }
  return null;
}

/** Returns what a proof states twice, or without need; null if each fact has the form in which a run writes it. */
function superfluous({ inputs, calls, callers, steps, digests, life_id: lifeId }: ProofFile): string | null {
  const usedCalls = new Set(inputs.flatMap((input) => (input[1] === 'call' ? [input[2]] : [])));
  const bringing = inputs.flatMap((input) => (input[1] === 'stop' || input[1] === 'emergency_stop' ? [input[2]] : []));
  const usedCallers = new Set([...bringing, ...calls.map(({ caller }) => caller)]);
  const call = twice(calls);
  if (call !== null) return `call ${call.at} is the same as call ${call.first}`;
  const caller = twice(callers);
  if (caller !== null) return `caller ${caller.at} is the same as caller ${caller.first}`;
  const idleCall = calls.findIndex((_, at) => !usedCalls.has(at));
  if (idleCall >= 0) return `call ${idleCall} is in no input; a run leaves such a call out`;
  const idleCaller = callers.findIndex((_, at) => !usedCallers.has(at));
  if (idleCaller >= 0) return `caller ${idleCaller} brings nothing; a run leaves such a caller out`;
  if (lifeId !== undefined && !inputs.some(([, kind]) => kind === 'owner_order'))
    return 'there is a life_id, and no order of the owner that names it';
  const everySteps = digestsEverySteps(steps);
  if (digests.every_steps !== everySteps) return `the digests of ${steps} steps are taken every ${everySteps} steps`;
  const count = Math.floor(steps / everySteps);
  return digests.hex.length === count * DIGEST_DIGITS ? null : `${steps} steps have ${count} digests`;
}

/** Finds an entry of a table that is there before. */
function twice(table: readonly unknown[]): { at: number; first: number } | null {
  const places = new Map<string, number>();
  for (const [at, entry] of table.entries()) {
    const text = JSON.stringify(entry);
    const first = places.get(text);
    if (first !== undefined) return { at, first };
    places.set(text, at);
  }
  return null;
}

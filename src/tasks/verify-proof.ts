import type { ProofFile } from '../protocol/proof-file.ts';
import { robotRefusal } from '../protocol/robots.ts';
import { keepingScenes } from '../simulation/scene.ts';
import type { Physics } from '../simulation/sim-world.ts';
import { adoptSceneFile } from './own-scene.ts';
import { readProof } from './proof-text.ts';
import { refusedInTask } from './refused-in-task.ts';
import { createReplay, otherVersion } from './replay.ts';
import { payloadOfProof } from './run-engine.ts';
import { readTaskValue, robotProblem } from './task-reader.ts';

/** What became of a proof. */
export type Verification =
  /** The run happened as the proof tells it. */
  | { is: 'true'; proof: ProofFile; steps: number }
  /** The file is whole, and what it tells does not happen. */
  | { is: 'false'; proof: ProofFile; sameUntilStep: number; atStep: number; what: string }
  /** The file is not as it was written, or no proof. */
  | { is: 'damaged'; path: string; what: string }
  /** This version cannot tell. */
  | { is: 'other_version'; proof: ProofFile; what: string };

/**
 * Re-simulates a proof, and says whether it is true. Never throws for a text, whatever is in it, and leaves nothing behind: a scene that comes
 * with the proof is known only meanwhile.
 * @param rapier initialised
 * @param onStep told now and then how far it is
 */
export function verifyProof(
  rapier: Physics,
  text: string,
  onStep: (step: number, ofSteps: number) => void = () => {},
): Verification {
  return keepingScenes(() => verifyInScenes(rapier, text, onStep));
}

function verifyInScenes(rapier: Physics, text: string, onStep: (step: number, ofSteps: number) => void): Verification {
  const opened = openProof(rapier, text);
  if (opened.is !== 'whole') return opened;
  const { proof } = opened;
  const replay = createReplay(rapier, proof);
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
 * Reads a proof and says whether it can be told again here: `whole`, or what is already known to be wrong. Never throws for a text.
 * A scene that the proof brings with it can be chosen from then on.
 * @param rapier initialised
 */
export function openProof(
  rapier: Physics,
  text: string,
): { is: 'whole'; proof: ProofFile } | Exclude<Verification, { is: 'true' }> {
  const read = readProof(text);
  if (!read.ok) return { is: 'damaged', path: read.problem.path, what: read.problem.reason };
  const { proof } = read;
  const { file } = proof.scene;
  if (file !== undefined) {
    const used = adoptSceneFile(file);
    const what = used.ok
      ? used.sceneId === proof.scene.id
        ? null
        : `the file is that of the scene ${used.sceneId}`
      : used.reason;
    if (what !== null) return { is: 'false', proof, sameUntilStep: 0, atStep: 0, what };
  }
  const other = otherVersion(rapier, proof);
  if (other !== null) return { is: 'other_version', proof, what: other };
  const problem = whyImpossible(proof);
  return problem === null ? { is: 'whole', proof } : { is: 'false', proof, sameUntilStep: 0, atStep: 0, what: problem };
}

const TELL_EVERY_STEPS = 1_200;

/** Says what no run can have written; null when nothing is. */
function whyImpossible({ inputs, calls, callers, steps, robot, profile, task, scene, verdict }: ProofFile): string | null {
  let before = 0;
  for (const [at, input] of inputs.entries()) {
    if (input[0] < before || input[0] > steps) return `input ${at} comes before step ${input[0]}, which is out of order`;
    before = input[0];
    if (input[1] === 'call' && input[2] >= calls.length) return `input ${at} names call ${input[2]}, which is not there`;
    if ((input[1] === 'stop' || input[1] === 'emergency_stop') && input[2] >= callers.length)
      return `input ${at} names caller ${input[2]}, which is not there`;
  }
  const strange = calls.findIndex(({ caller }) => caller >= callers.length);
  if (strange >= 0) return `call ${strange} names a caller that is not there`;
  if (task === undefined) return verdict === undefined ? robotRefusal(robot, profile) : 'there is a verdict, and no task';
  if (task.scene !== scene.id) return `the task is for the scene ${task.scene}, and the run was in ${scene.id}`;
  const read = readTaskValue(task);
  if (!read.ok) return `its task is none: ${read.problems[0]?.path}: ${read.problems[0]?.reason}`;
  const refused = calls
    .map((call) => refusedInTask({ method: call.method, payload: payloadOfProof(call) }))
    .find((skill) => skill);
  if (refused) return `it has a call of ${refused}, which a run of a task does not take`;
  return robotProblem(task, robot) ?? robotRefusal(robot, profile);
}

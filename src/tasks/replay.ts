import { shownId } from '../common/shown-text.ts';
import { DIGEST_DIGITS, type ProofFile, type ProofInput } from '../protocol/files/proof-file.ts';
import type { Verdict } from '../protocol/files/verdict.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Scenes } from '../simulation/scene.ts';
import { SIM_PROTOCOL } from '../simulation/sim-protocol.ts';
import type { Physics, SimWorld } from '../simulation/sim-world.ts';
import { applyInput, createRunEngine, type EngineDeps } from './run-engine.ts';
import { sceneSha256 } from './scene-hash.ts';

/** The run of a proof, replayed step by step. */
export interface Replay {
  /** Only for looking: reads, the state to draw. */
  readonly runtime: Runtime;
  world(): SimWorld;
  /** Steps made so far. */
  steps(): number;
  /** Gives the inputs that came before the next step and makes it. @returns false, and does nothing, at the end of the run */
  step(): boolean;
  /** The verdict if the run ended now; null without a task. */
  verdict(): Verdict | null;
  /** The missing parts of a verdict for a pass, as sentences; empty for a pass, and without a task. */
  missing(): string[];
  /** The first difference between the proof and what happens here, as far as the replay has come; null for none. */
  difference(): Difference | null;
  dispose(): void;
}

/** The listeners during a replay. */
export type ReplayListeners = Partial<Pick<EngineDeps, 'onAction' | 'onPlace'>>;

export interface Difference {
  /** The world was still the same after this step, or it is the one before the first. */
  sameUntilStep: number;
  /** The first step after which it is known to differ. */
  atStep: number;
  what: string;
}

/** Returns why this version cannot re-simulate a proof; null if it can. */
export function otherVersion(rapier: Physics, proof: ProofFile, scenes: Scenes): string | null {
  if (proof.sim_protocol !== SIM_PROTOCOL)
    return `It was made with version ${proof.sim_protocol} of the simulation, and this is version ${SIM_PROTOCOL}; product ${shownId(proof.product_version)} made it.`;
  if (proof.engine !== rapier.version())
    return `It was made with version ${shownId(proof.engine)} of the physics engine, and this is version ${rapier.version()}.`;
  const scene = scenes.byId(proof.scene.id);
  if (scene === null) return `There is no scene '${shownId(proof.scene.id)}' here.`;
  if (sceneSha256(scene) !== proof.scene.sha256)
    return proof.scene.file === undefined
      ? `The scene '${shownId(proof.scene.id)}' is another one here than when it was made.`
      : `The scene '${shownId(proof.scene.id)}' that the file brings is not the one that it was made in, as this version reads it.`;
  return null;
}

/** A proof that can be replayed here, with the values that follow from it. */
export interface OpenedProof {
  /** As `readProof` returned it, and of this version. */
  proof: ProofFile;
  /** The scenes of the run: that of the proof, and the built-in ones. */
  scenes: Scenes;
  /** The seed of the world, as `worldSeed` derives it from the run's. */
  worldSeed: number;
}

/**
 * Creates a replay at step 0.
 * @throws RangeError when the robot cannot keep the contract
 */
export function createReplay(rapier: Physics, opened: OpenedProof, listeners: ReplayListeners = {}): Replay {
  const { proof } = opened;
  const engine = createRunEngine({ ...depsOf(rapier, opened), ...listeners });
  const { every_steps: everySteps, hex } = proof.digests;
  let next = 0;
  let ended = false;
  let sameUntilStep = 0;
  let difference: Difference | null = null;

  /** @returns false at an input that no run records: the replay stops there */
  function applyInputs(): boolean {
    for (let input = proof.inputs[next]; input && input[0] <= engine.steps; input = proof.inputs[next]) {
      if (!applyInput(engine, input, proof)) {
        ended = true;
        difference ??= {
          sameUntilStep,
          atStep: engine.steps,
          what: `input ${next}, ${inputText(input, proof)}, changes nothing there, and a run leaves such an input out`,
        };
        return false;
      }
      next += 1;
    }
    return true;
  }

  function compare(claimed: string, here: string): void {
    const { steps } = engine;
    if (claimed === here) sameUntilStep = steps;
    else
      difference ??= {
        sameUntilStep,
        atStep: steps,
        what: `after step ${steps} the world has the hash ${here} here, and ${claimed === '' ? 'none' : claimed} in the proof${sameUntilStep < steps ? `; after step ${sameUntilStep} it was the same` : ''}`,
      };
  }

  function compareVerdicts(here: Verdict): void {
    const [claimed, judged] = [proof.verdict, here].map((verdict) => JSON.stringify(verdict));
    if (claimed === judged) return;
    const what = verdictsDiffer(here, proof.verdict);
    difference = { sameUntilStep, atStep: here.at_step, what: `${what}; the world was the same at every step` };
  }

  /** Takes the inputs after the last step, and compares the end. */
  function end(): void {
    ended = true;
    if (!applyInputs()) return;
    if (difference === null) compare(proof.end_hash, engine.hash());
    if (difference === null && engine.judge) compareVerdicts(engine.judge.verdict());
  }

  return {
    runtime: engine.runtime,
    world: () => engine.core.world,
    steps: () => engine.steps,
    step() {
      if (ended) return false;
      if (engine.steps >= proof.steps) {
        end();
        return false;
      }
      if (!applyInputs()) return false;
      engine.step();
      const { steps } = engine;
      if (difference === null && steps % everySteps === 0) {
        const at = (steps / everySteps - 1) * DIGEST_DIGITS;
        compare(hex.slice(at, at + DIGEST_DIGITS), engine.hash().slice(0, DIGEST_DIGITS));
      }
      return true;
    },
    verdict: () => engine.judge?.verdict() ?? null,
    missing: () => engine.judge?.missing() ?? [],
    difference: () => difference,
    dispose: () => engine.runtime.dispose(),
  };
}

/** Names an input for a sentence. */
const inputText = (input: ProofInput, { calls }: Pick<ProofFile, 'calls'>): string =>
  input[1] === 'call' ? `a call of ${shownId(calls[input[2]]?.method ?? '')}` : `"${input[1]}"`;

/** Returns how a verdict differs from the one that the proof claims. */
function verdictsDiffer(here: Verdict, claimed: Verdict | undefined): string {
  const spanText = (one: Verdict | undefined): string => (one === undefined ? 'none' : `${one.outcome} (${one.reason})`);
  if (claimed === undefined || spanText(here) !== spanText(claimed))
    return `the verdict is ${spanText(here)} here, and ${spanText(claimed)} in the proof`;
  const names = [...new Set([...Object.keys(here), ...Object.keys(claimed)])] as (keyof Verdict)[];
  const others = names
    .filter((name) => JSON.stringify(here[name]) !== JSON.stringify(claimed[name]))
    .map((name) => {
      const values = [here[name], claimed[name]];
      return values.some((value) => typeof value === 'object') ? name : `${name} (${values[0]} here, ${values[1]} in the proof)`;
    });
  return others.length === 0 ? 'the verdict is written in another order' : `the verdict has other ${others.join(', ')}`;
}

const depsOf = (rapier: Physics, { proof, scenes, worldSeed }: OpenedProof): EngineDeps => ({
  rapier,
  scenes,
  ids: proof.ids,
  task: proof.task,
  seed: worldSeed,
  sceneId: proof.scene.id,
  robotId: proof.robot,
  profile: proof.profile,
  productVersion: proof.product_version,
  ...(proof.life_id === undefined ? {} : { lifeId: proof.life_id }),
  ...(proof.signed_control_required === undefined ? {} : { signedControlRequired: proof.signed_control_required }),
  cameras: { kind: 'none' },
  startCapture: () => undefined,
  onAction: () => undefined,
});

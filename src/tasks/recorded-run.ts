import { PROOF_CLOCK_MAX_MS, PROOF_FORMAT, PROOF_STEPS_MAX, type ProofFile } from '../protocol/files/proof-file.ts';
import type { TaskFile } from '../protocol/files/task-file.ts';
import type { Verdict } from '../protocol/files/verdict.ts';
import { busyForAMoment } from '../protocol/texts/task-texts.ts';
import { contractOf } from '../protocol/wire/contract.ts';
import { driverKey } from '../protocol/wire/driver.ts';
import { fitsRpc } from '../protocol/wire/json.ts';
import { DEFAULT_ROBOT_ID } from '../protocol/wire/robot.ts';
import { isSceneId } from '../protocol/wire/scene-ids.ts';
import type { RuntimeDeps } from '../runtime/core.ts';
import { callerOf } from '../runtime/methods.ts';
import { encodeGuard } from '../runtime/reply.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { RuntimeCall } from '../runtime/runtime-call.ts';
import { Scenes } from '../simulation/scene.ts';
import { SIM_PROTOCOL } from '../simulation/sim-protocol.ts';
import type { SimWorld } from '../simulation/sim-world.ts';
import { createActionPace } from './action-pace.ts';
import { createLinkFaults } from './link-faults.ts';
import { adoptSceneFile } from './own-scene.ts';
import { proofPayload, seal } from './proof-text.ts';
import { createRunEngine, isNewOrder, isOfLease, mayChange, proofCaller } from './run-engine.ts';
import { createDigests, createRunLog } from './run-log.ts';
import { worldSeed } from './run-seed.ts';
import { sceneSha256 } from './scene-hash.ts';
import { robotProblem } from './task-reader.ts';

/** Why a run has no proof. A sentence of its own for each is in `UNPROVABLE`. */
export type Unprovable = 'restored' | 'scene_without_file' | 'too_much' | 'too_long' | 'physics_broke';

/** The reasons for a run without a proof. */
export const UNPROVABLE: Readonly<Record<Unprovable, string>> = {
  restored: 'This run has no proof: it continued in a kept world, whose past is unknown. Reset the scene and begin a new run.',
  scene_without_file:
    'This run has no proof: it was in a scene that does not come with the product, and the file of that scene was not given.',
  too_much: 'This run has no proof: more was called than a proof holds.',
  too_long:
    'This run has no proof: it lasted longer than a proof can record, two hours of simulated time or 30 days on the clock.',
  physics_broke: 'This run has no proof: its physics broke.',
};

export type RunDeps = Omit<RuntimeDeps, 'newActionId' | 'refuseSkill'> & {
  /** Seed of the run: that of its world, or where a task takes something for given the one from which that is drawn. */
  seed: number;
  /** The beginning of the ids of actions whose caller chose none; another one after each start, where results outlive a run. @default 'run' */
  ids?: string;
  /** The task that the run is judged by; it names the scene. @default none */
  task?: TaskFile;
  /** Whether the world stands still until something is asked of the robot, for a person who first looks at the task. @default false */
  waitsForAction?: boolean;
  /** The file of the scene, its text or a value of JSON, when it is not one of the product's; it goes into the proof. @default none */
  sceneFile?: unknown;
};

/** A run that writes down everything that comes into its robot. */
export interface Run {
  /** To be used in place of a runtime's own. It keeps the run's clock, and is as deterministic. */
  readonly runtime: Runtime;
  /** The physical world as it is now; a reset replaces it. */
  world(): SimWorld;
  /** Steps made so far; a reset does not set it back. */
  steps(): number;
  /** The decision of the judge, once there is one; null before, and without a task. What comes after it does not change it. */
  decided(): Verdict | null;
  /** The verdict if the run ends now; null without a task. */
  verdict(): Verdict | null;
  /** The missing parts of a verdict for a pass, as sentences; empty for a pass, and without a task. */
  missing(): string[];
  /** The sentences about each predicate of the verdict, in its order; none for a predicate that is made of others, and without a task. */
  sentences(): string[][];
  /** Returns the proof of the run so far, or why there is none. */
  proof(): { ok: true; proof: ProofFile } | { ok: false; reason: Unprovable };
}

/**
 * Creates a runtime whose run can be proven: same interface, and beside it the proof. What only looks is left out of the proof, and so is
 * a call that changed nothing.
 * @throws RangeError when the robot cannot keep the contract or do the task, or there is no scene of that id
 */
export function createRun({ ids = 'run', task, sceneFile, waitsForAction = false, ...given }: RunDeps): Run {
  const { scenes = new Scenes() } = given;
  const ownScene = sceneFile === undefined ? null : ownSceneOf(sceneFile, scenes);
  const deps = {
    ...given,
    scenes,
    ...(ownScene ? { sceneId: ownScene.id } : {}),
    ...(task === undefined ? {} : worldOfTask({ ...given, scenes }, task)),
  };
  if (ownScene && task && ownScene.id !== task.scene)
    throw new RangeError(`The task ${task.id} is for the scene ${task.scene}, and the file is that of ${ownScene.id}.`);
  const log = createRunLog();
  const digests = createDigests();
  const profile = deps.profile ?? 'simulator';
  const contract = contractOf(profile);
  let unprovable: Unprovable | null = null;
  let wallAheadMs = 0;
  let firstTrueMs: number | null = null;
  let firstWallMs: number | null = null;
  let hadOrder = false;
  let hasBegun = !waitsForAction;
  const engine = createRunEngine({
    ...deps,
    ids,
    task,
    onFault(fault) {
      if (fault.isPhysics) unprovable ??= 'physics_broke';
      deps.onFault?.(fault);
    },
  });
  const { core, clock, runtime: inner } = engine;
  /** The scene of the start. */
  const { scene } = core.world;
  noteScene();

  /** Another scene may have been chosen; who verifies has to have it. */
  function noteScene(): void {
    const { scene_id: id } = core.world.scene.layout;
    if (core.world.scene !== scene || !ownScene) if (!isSceneId(id)) unprovable ??= 'scene_without_file';
  }

  // A start under a latched stop is a press before the first step.
  const latched = core.emergency.latched;
  if (latched) log.add([0, 'emergency_stop', log.callerIndex(proofCaller(latched.by)), latched.reason, null]);

  /** Returns a true moment since the start of the run, which its first input or step is. */
  function sinceStart(nowMs: number): number {
    firstTrueMs ??= nowMs;
    firstWallMs ??= nowMs + wallAheadMs;
    return nowMs - firstTrueMs;
  }

  /** Reported times are those of the real wall clock. */
  function noteWallTime(nowMs: number): void {
    inner.noteWallClock(wallAheadMs + nowMs - clock.ms);
  }

  function setClock(correctionMs: number | null): void {
    if (correctionMs === null || correctionMs <= clock.ms) return;
    if (correctionMs > PROOF_CLOCK_MAX_MS) unprovable ??= 'too_long';
    clock.set(correctionMs);
    log.add([engine.steps, 'clock', correctionMs]);
  }

  /** An input comes that may change the world: the clock is right for it. */
  function beginInput(nowMs: number): void {
    setClock(clock.correction(sinceStart(nowMs)));
    noteWallTime(nowMs);
  }

  function look(call: RuntimeCall, reply: (text: string) => void): void {
    noteWallTime(call.nowMs);
    if (isOfDriver(call)) log.heard(engine.steps, clock.ms);
    engine.read(call, reply);
  }

  /** Every call of the one who drives is a sign of life, also one that is refused. */
  function isOfDriver(call: RuntimeCall): boolean {
    const { holder } = core.lease;
    return holder !== null && driverKey(callerOf(call)) === holder.key;
  }

  function change(call: RuntimeCall, reply: (text: string) => void): void {
    beginInput(call.nowMs);
    const wasDriver = isOfDriver(call);
    const place = log.reserve(engine.steps);
    const isInput = engine.call(call, reply);
    // A caller that takes the robot requests nothing of it yet.
    if (isInput && call.method !== 'runtime.control') hasBegun = true;
    noteScene();
    if (isInput) {
      if (wasDriver) log.heardByCall(clock.ms);
      place.write({ method: call.method, ...proofPayload(call.payload) }, proofCaller(callerOf(call)));
    } else {
      place.leaveOut();
      if (wasDriver) log.heard(engine.steps, clock.ms);
    }
  }

  const link = task?.faults === undefined ? null : createLinkFaults(task.faults, deps.seed);
  const pace = task?.time === 'on_action' ? createActionPace(core) : null;

  const runtime: Runtime = {
    handle(call, reply) {
      if (link !== null && call.method === 'runtime.tools_call' && fitsRpc(call.payload)) {
        const reported = link.reply(reply);
        if (link.isBusy()) reported(encodeGuard(busyForAMoment()));
        else change(call, reported);
      } else if (mayChange(call.method) && fitsRpc(call.payload)) change(call, reply);
      else look(call, reply);
    },
    step(nowMs) {
      if ((!hasBegun && core.awaitingCameras.length === 0) || pace?.stands()) {
        // The clock of the run stands too.
        firstTrueMs = nowMs - clock.ms;
        link?.afterStep();
        return;
      }
      setClock(clock.correctionBeforeStep(sinceStart(nowMs), core.speed));
      noteWallTime(nowMs);
      engine.step();
      link?.afterStep();
      if (engine.steps > PROOF_STEPS_MAX) unprovable ??= 'too_long';
      else if (digests.isDue(engine.steps)) digests.add(engine.hash());
    },
    finishCapture(actionId, outcome, nowMs) {
      noteWallTime(nowMs);
      inner.finishCapture(actionId, outcome, clock.ms);
    },
    noteCameras: (cameras) => inner.noteCameras(cameras),
    noteWallClock(aheadMs) {
      wallAheadMs = aheadMs;
    },
    noteTiming: (timing) => inner.noteTiming(timing),
    noteSuspended(gapMs, nowMs) {
      // During a pause no call could arrive, so the clock is correct before the pause is reported.
      const trueMs = Math.floor(sinceStart(nowMs));
      setClock(trueMs > clock.ms ? trueMs : null);
      noteWallTime(nowMs);
      if (gapMs > PROOF_CLOCK_MAX_MS) unprovable ??= 'too_long';
      log.add([engine.steps, 'suspended', gapMs]);
      inner.noteSuspended(gapMs, clock.ms);
    },
    noteLeft(identity, nowMs) {
      beginInput(nowMs);
      if (isOfLease(core, identity)) log.add([engine.steps, 'left', identity]);
      inner.noteLeft(identity, clock.ms);
    },
    obeyOwner(order, nowMs) {
      beginInput(nowMs);
      if (isNewOrder(core, order)) {
        log.add([engine.steps, 'owner_order', order]);
        hadOrder = true;
      }
      inner.obeyOwner(order, clock.ms);
    },
    speed: () => inner.speed(),
    renderState: () => inner.renderState(),
    overlay: () => inner.overlay(),
    worldSnapshot(nowMs) {
      noteWallTime(nowMs);
      return inner.worldSnapshot(clock.ms);
    },
    state(nowMs) {
      noteWallTime(nowMs);
      return inner.state(clock.ms);
    },
    sceneState(nowMs) {
      noteWallTime(nowMs);
      return inner.sceneState(clock.ms);
    },
    layout: () => inner.layout(),
    cancelActive(nowMs, by) {
      hasBegun = true;
      beginInput(nowMs);
      log.add([engine.steps, 'stop', log.callerIndex(proofCaller(by))]);
      engine.change(() => inner.cancelActive(clock.ms, by));
    },
    emergencyStop(nowMs, by, facts) {
      hasBegun = true;
      beginInput(nowMs);
      const steps = engine.steps;
      inner.emergencyStop(clock.ms, by, facts);
      // A press that a person has released already does not count.
      if (!core.emergency.latched) return;
      const caller = log.callerIndex(proofCaller(by));
      log.add([steps, 'emergency_stop', caller, facts?.reason ?? null, facts?.pressId ?? null]);
    },
    releaseEmergencyStop(nowMs) {
      beginInput(nowMs);
      if (core.emergency.latched) log.add([engine.steps, 'released']);
      inner.releaseEmergencyStop(clock.ms);
    },
    keep: () => inner.keep(),
    restore(kept, nowMs) {
      beginInput(nowMs);
      const restored = inner.restore(kept, clock.ms);
      if (restored.ok) unprovable ??= 'restored';
      return restored;
    },
    remembered: () => inner.remembered(),
    recall: (kept, nowMs) => inner.recall(kept, nowMs),
    dispose: () => inner.dispose(),
  };

  return {
    runtime,
    world: () => core.world,
    steps: () => engine.steps,
    decided: () => engine.judge?.decided() ?? null,
    verdict: () => engine.judge?.verdict() ?? null,
    missing: () => engine.judge?.missing() ?? [],
    sentences: () => engine.judge?.sentences() ?? [],
    proof() {
      const reason = log.isFull ? 'too_much' : unprovable;
      if (reason !== null) return { ok: false, reason };
      const { robotId = DEFAULT_ROBOT_ID } = deps;
      const proof = seal({
        format: PROOF_FORMAT,
        product_version: deps.productVersion,
        sim_protocol: SIM_PROTOCOL,
        engine: deps.rapier.version(),
        scene: {
          id: scene.layout.scene_id,
          sha256: sceneSha256(scene),
          ...(ownScene ? { file: ownScene.file as ProofFile['scene']['file'] } : {}),
        },
        ...(task === undefined ? {} : { task }),
        seed: given.seed >>> 0,
        robot: robotId,
        profile,
        ...(contract.isSigned ? { signed_control_required: deps.signedControlRequired ?? true } : {}),
        started_at_ms: Math.round(firstWallMs ?? 0),
        ...(hadOrder && deps.lifeId !== undefined ? { life_id: deps.lifeId } : {}),
        ids,
        ...log.written(),
        steps: engine.steps,
        digests: digests.written(),
        end_hash: engine.hash(),
        ...(engine.judge ? { verdict: engine.judge.verdict() } : {}),
      });
      return { ok: true, proof };
    },
  };
}

/** @throws RangeError when the file is not a scene */
function ownSceneOf(file: unknown, scenes: Scenes): { id: string; file: unknown } {
  const used = adoptSceneFile(file, scenes);
  if (!used.ok) throw new RangeError(`There is no such scene: ${used.reason}.`);
  return {
    id: used.sceneId,
    file: typeof file === 'string' ? JSON.parse(file.replace(/^\ufeff/, '')) : JSON.parse(JSON.stringify(file)),
  };
}

/** @throws RangeError when the robot cannot do the task, or no world has what it takes for given */
function worldOfTask(
  { robotId = DEFAULT_ROBOT_ID, seed, scenes }: Pick<RunDeps, 'robotId' | 'seed'> & { scenes: Scenes },
  task: TaskFile,
) {
  const wrongRobot = robotProblem(task, robotId);
  if (wrongRobot !== null) throw new RangeError(wrongRobot);
  return { sceneId: task.scene, seed: worldSeed({ task, robot: robotId, seed }, scenes) };
}

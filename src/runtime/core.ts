import type { Caller } from '../protocol/caller.ts';
import type { RuntimeError } from '../protocol/error-codes.ts';
import type { PlanarPose } from '../protocol/geometry.ts';
import type { MethodName } from '../protocol/methods.ts';
import type { ScenePlace } from '../protocol/place.ts';
import type { RuntimeProfile } from '../protocol/profile.ts';
import { EMPTY_OVERLAY, type Overlay } from '../protocol/render-state.ts';
import { DEFAULT_ROBOT_ID, type RobotId, type RobotModel } from '../protocol/robot.ts';
import { robotRefusal } from '../protocol/robots.ts';
import type { RoomEvent } from '../protocol/room-events.ts';
import type { SkillDescriptor } from '../protocol/skill-descriptors.ts';
import type { SkillName } from '../protocol/skills.ts';
import type { ControlState } from '../protocol/state.ts';
import * as base from '../simulation/base.ts';
import { placeOf } from '../simulation/scene.ts';
import type { Physics, SimWorld } from '../simulation/sim-world.ts';
import { createWorld, stepWorld } from '../simulation/world.ts';
import type {
  AcceptedAction,
  ActionRecord,
  CameraState,
  CancelledAction,
  CaptureJob,
  RuntimeFault,
  StoredAction,
} from './action-record.ts';
import { type CancelWatch, createCancelWatch } from './cancel-watch.ts';
import { watchHands } from './dropped.ts';
import { createEmergency, type Emergency, type EmergencyStop, type KeptEmergency } from './emergency-state.ts';
import type { KeptContract } from './kept-contract.ts';
import { createLease, type Lease } from './lease-state.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { LostThing } from './lost-thing.ts';
import { Outbox } from './outbox.ts';
import type { Call, Reply } from './runtime-call.ts';

/** The runtime's inputs. Chance, ids and the camera's work come from outside, so that the runtime itself is deterministic. */
export interface RuntimeDeps {
  /** Rapier, initialised. */
  rapier: Physics;
  /** Seed of the first world. */
  seed: number;
  /** The scene of the first world. @default `START_SCENE_ID` */
  sceneId?: string;
  /** The robot, which stays the same whatever scene is loaded. @default the humanoid */
  robotId?: RobotId;
  /** Version of the product, as the manifest states it. */
  productVersion: string;
  /** An id of this runtime, another one after each start, which orders of the owner name. @default none: it obeys no such order */
  lifeId?: string;
  /** Returns a new id for an action whose caller chose none. */
  newActionId(): string;
  /** The emergency stop as a record of its own has it, which goes before that of a kept world. @default what the kept world says */
  emergency?: KeptEmergency;
  /** The contract it keeps. @default 'simulator' */
  profile?: RuntimeProfile;
  /** Profile `rcw`: whether calls that move the body are refused unless they are signed. @default true */
  signedControlRequired?: boolean;
  /** Whether its host takes signed poses as packets too. @default false */
  takesPosePackets?: boolean;
  /** Whether pictures can be taken at first; `noteCameras` reports changes. @default they can */
  cameras?: CameraState;
  /** Returns why this host does not take a skill, whoever calls it; null when it does. @default it takes every skill */
  refuseSkill?(name: SkillName): RuntimeError | null;
  /** Draws, encodes and sends a picture; the outcome comes back through `finishCapture`. Called only while the cameras are ready. */
  startCapture(job: CaptureJob): void;
  /** Another scene or another robot is there; told before anything else is told of it. */
  onPlace?(place: ScenePlace): void;
  /** Timeline of the page: accepted, phase or progress changed, ended. */
  onAction(record: ActionRecord): void;
  /** An action was accepted and has had no effect yet. Keep it until it ends, so that it is known after a reload during the action. */
  onAccepted?(accepted: AcceptedAction): void;
  /** Somebody cancelled an action that was still running. */
  onCancelled?(cancelled: CancelledAction): void;
  /** The runtime met a fault of its own; the thrown value is for its operator, never for a caller. */
  onFault?(fault: RuntimeFault): void;
  /** The emergency stop was latched, told to stay latched, or released. Keep it, so that no reload lifts it. */
  onEmergency?(emergency: KeptEmergency): void;
  /** Something happened that the whole room is told. */
  onEvent?(event: RoomEvent): void;
  /** An action ended; keep it, so that a reload can hand it back. */
  onEnded?(stored: StoredAction): void;
}

/** The state of the runtime between two steps. */
export interface RuntimeCore {
  readonly deps: RuntimeDeps;
  /** The rules towards callers, and the state that only they need. */
  readonly contract: Contract;
  readonly ledger: Ledger;
  /** The emergency stop, which outlives every world. */
  readonly emergency: Emergency;
  /** Who drives. */
  readonly lease: Lease;
  /** Who stops what others run. */
  readonly cancelWatch: CancelWatch;
  world: SimWorld;
  /** Moment of the step or call being served: milliseconds since the epoch on a clock that nobody sets. Deadlines and watchdogs use it. */
  nowMs: number;
  /** Milliseconds between the runtime's last two steps or calls; longer than a step when the machine was busy. */
  turnGapMs: number;
  /** How far the wall clock is ahead of `nowMs`, which nobody sets. Times told to the outside are wall-clock times. */
  wallAheadMs: number;
  /** Requested simulated seconds per real second. */
  speed: number;
  realTimeFactor: number;
  hidden: boolean;
  /** Total length of the gaps in which the tab was frozen. */
  suspendedMs: number;
  /** Goal and remaining length of the current walk, if any. */
  nav: { goal: PlanarPose; remainingM: number } | null;
  overlay: Overlay;
  /** Number of faults so far, for their references. */
  faults: number;
  /** The fault that stopped the physics, if it broke; a reset builds the physics anew. */
  fault: string | null;
  /** Number of consecutive steps in which the base has stood still. */
  stillSteps: number;
  /** Whether the arms neither hang nor carry, because a pick or place ended early. */
  armsAstray: boolean;
  /** The motion that brings such arms back to the robot's sides. Successive drives share this one motion. */
  recovery: Generator<void, void, void> | null;
  /** The thing that last left the hands by itself, until they hold one again. */
  dropped: LostThing | null;
  /** Whether a stop held the head, which was looking at the place where the hands worked. */
  headStopped: boolean;
  /** Whether pictures can be taken. */
  cameras: CameraState;
  /** Pictures being drawn or sent, by action id. */
  readonly captures: Map<string, CaptureJob>;
  /** The captures that wait for the cameras, oldest first, and until when, measured by `nowMs`. */
  readonly awaitingCameras: { readonly job: CaptureJob; readonly untilMs: number }[];
  /** Calls to the outside that wait until the ledger is consistent again. */
  readonly outbox: Outbox;
}

/** Serves one method: answers `reply` once, now or when an action ends. */
export type Handler = (core: RuntimeCore, call: Call, reply: Reply) => void;

/**
 * The rules that a runtime keeps towards its callers, with the state that only these rules need. The runtime asks the contract and
 * never which one it is. There are two: the simulator's and the physical robot's (`rcw/contract.ts`).
 */
export interface Contract {
  readonly profile: RuntimeProfile;
  readonly handlers: Readonly<Record<MethodName, Handler>>;
  /** Returns every skill with its input schema, for `runtime.tools_list`, in the words of the robot. */
  skills(robot: RobotModel): SkillDescriptor[];
  /** Returns what `runtime.manifest` says about this contract alone. */
  manifestPart(): Record<string, unknown>;
  /** Returns the state's part about this contract alone. */
  statePart(core: RuntimeCore): { control?: ControlState };
  /** Tells whether calls that move the body are taken now. */
  acceptsCalls(core: RuntimeCore): boolean;
  /** Runs the gates for a payload that cannot be read, which stand before its mistake is told. Null when none refuses it. */
  gateUnreadable(core: RuntimeCore, method: MethodName, call: Omit<Call, 'payload'>, text: string): RuntimeError | null;
  /** Runs before each call, because calls may crowd out the steps: ends what has had no renewal in time. */
  beforeCall(core: RuntimeCore): void;
  /** Runs before each step: ends what has had no renewal in time or has reached its deadline. */
  beforeStep(core: RuntimeCore): void;
  /** Runs after each physics step: the body has reported. */
  afterPhysics(core: RuntimeCore): void;
  /** The process stood still for a while. Running actions are stopped by the runtime itself. */
  suspended(core: RuntimeCore, error: RuntimeError): void;
  /** Stops everything for the robot's own page; no gate can refuse it. */
  stop(core: RuntimeCore, by: Caller): void;
  /** The refusal of a command under a latched emergency stop, and the error of an action that it ended. */
  stoppedError(latched: EmergencyStop): RuntimeError;
  /** An emergency stop begins: the arms do at once what is safe for this body. The runtime ends running actions afterwards. */
  emergencyStop(core: RuntimeCore, error: RuntimeError): void;
  /** Another drives, or nobody any more, and the actions of others have been ended: what goes on without an action is stopped. */
  driverChanged(core: RuntimeCore, by: Caller): void;
  /** The actions have been ended: what still moves without one is stopped. */
  bodyStops(core: RuntimeCore): void;
  /** Tells whether the base stands and the arms are as safe as this body can make them. */
  bodyStands(core: RuntimeCore): boolean;
  /** Returns what goes on after a reload. */
  keep(): KeptContract;
  /** Goes on from what was kept; the world is there already and its actions have been interrupted. */
  restore(core: RuntimeCore, kept: KeptContract): void;
}

/**
 * Creates the state of a runtime.
 * @param contract its own, as `contractFor` returns it
 * @throws RangeError when the robot cannot keep this contract
 */
export function createCore(deps: RuntimeDeps, contract: Contract): RuntimeCore {
  const robotId = deps.robotId ?? DEFAULT_ROBOT_ID;
  const refusal = robotRefusal(robotId, contract.profile);
  if (refusal !== null) throw new RangeError(refusal);
  return {
    deps,
    contract,
    ledger: createLedger(),
    emergency: createEmergency(deps.emergency),
    lease: createLease(),
    cancelWatch: createCancelWatch(),
    world: createWorld(deps.rapier, {
      seed: deps.seed,
      robotId,
      ...(deps.sceneId === undefined ? {} : { sceneId: deps.sceneId }),
    }),
    nowMs: 0,
    turnGapMs: 0,
    wallAheadMs: 0,
    speed: 1,
    realTimeFactor: 1,
    hidden: false,
    suspendedMs: 0,
    nav: null,
    overlay: EMPTY_OVERLAY,
    faults: 0,
    fault: null,
    stillSteps: Number.MAX_SAFE_INTEGER,
    armsAstray: false,
    recovery: null,
    dropped: null,
    headStopped: false,
    cameras: deps.cameras ?? { kind: 'ready' },
    captures: new Map(),
    awaitingCameras: [],
    outbox: new Outbox(),
  };
}

/**
 * Records a fault of the runtime itself and hands the thrown value to its operator.
 * @returns the reference that the reply names: the moment and a running number
 */
export function noteFault(core: RuntimeCore, thrown: unknown, actionId: string | null): string {
  core.faults += 1;
  const incident = `fault-${Math.round(core.nowMs).toString(36)}-${core.faults}`;
  // Told when the step is over: only then is it known whether the physics failed.
  core.outbox.push(() => core.deps.onFault?.({ incident, actionId, thrown, isPhysics: core.fault === incident }));
  return incident;
}

/** Converts a moment of `nowMs` to the time told to the outside: whole milliseconds since the epoch on the wall clock. */
export const onWall = (core: RuntimeCore, atMs: number): number => Math.round(atMs + core.wallAheadMs);

/** Makes one physics step. */
export function stepPhysics(core: RuntimeCore): void {
  stepWorld(core.world);
  // The hands are open before an empty chest: the next motion puts them away first.
  if (core.world.events.some(({ type }) => type === 'dropped')) core.armsAstray = true;
  watchHands(core);
  core.stillSteps = base.isStopped(core.world) ? core.stillSteps + 1 : 0;
}

/** Replaces the present world with another. */
export function replaceWorld(core: RuntimeCore, world: SimWorld): void {
  const isOtherPlace = world.scene !== core.world.scene || world.robot !== core.world.robot;
  core.world = world;
  if (isOtherPlace) core.outbox.push(() => core.deps.onPlace?.(placeOf(world.scene, world.robot.model.id)));
  core.nav = null;
  core.overlay = EMPTY_OVERLAY;
  core.fault = null;
  core.stillSteps = Number.MAX_SAFE_INTEGER;
  core.armsAstray = false;
  core.recovery = null;
  core.dropped = null;
  core.headStopped = false;
}

/**
 * Makes the waiting calls to the outside. Such a call may call the runtime again, and calls added by that are made too.
 * A receiver that throws loses only its own message: the robot must go on.
 */
export function flushOutbox(core: RuntimeCore): void {
  for (let next = core.outbox.shift(); next; next = core.outbox.shift()) {
    try {
      next();
    } catch {
      // This is the receiver's own fault.
    }
  }
}

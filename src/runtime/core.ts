import type { RoomEvent } from '../protocol/room/room-events.ts';
import type { Caller } from '../protocol/wire/caller.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import type { PlanarPose } from '../protocol/wire/geometry.ts';
import type { MethodName } from '../protocol/wire/methods.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import { EMPTY_OVERLAY, type Overlay } from '../protocol/wire/render-state.ts';
import { DEFAULT_ROBOT_ID, type RobotId } from '../protocol/wire/robot.ts';
import { robotRefusal } from '../protocol/wire/robots.ts';
import type { SkillDescriptor } from '../protocol/wire/skill-descriptors.ts';
import type { SkillName } from '../protocol/wire/skills.ts';
import type { ControlState } from '../protocol/wire/state.ts';
import * as base from '../simulation/base.ts';
import { placeOf, Scenes } from '../simulation/scene.ts';
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
  /** The scenes that the robot can be in. @default the built-in ones */
  scenes?: Scenes;
  /** The scene of the first world. @default `START_SCENE_ID` */
  sceneId?: string;
  /** The robot, which stays the same whatever scene is loaded. @default the humanoid */
  robotId?: RobotId;
  /** Version of the product, as the manifest states it. */
  productVersion: string;
  /**
   * The id of this run of the runtime, new after each start. Orders of the owner name it.
   * @default none: such orders are ignored
   */
  lifeId?: string;
  /** Returns a new id for an action whose caller chose none. */
  newActionId(): string;
  /** The emergency stop from its own record, which takes precedence over that of a kept world. @default that of the kept world */
  emergency?: KeptEmergency;
  /** The contract it keeps. @default 'simulator' */
  profile?: RuntimeProfile;
  /** Profile `rcw`: whether calls that move the body are refused unless they are signed. @default true */
  signedControlRequired?: boolean;
  /** Whether its host takes signed poses as packets too. @default false */
  takesPosePackets?: boolean;
  /** How its host passes time. @default 'real' */
  time?: 'real' | 'on_action';
  /** Whether pictures can be taken at first; `noteCameras` reports changes. @default they can */
  cameras?: CameraState;
  /** Returns why this host rejects a skill for every caller; null if it accepts the skill. @default it accepts every skill */
  refuseSkill?(name: SkillName): RuntimeError | null;
  /**
   * Draws, encodes and sends a picture; the outcome comes back through `finishCapture`. Called only while the cameras are ready.
   */
  startCapture(job: CaptureJob): void;
  /** Called when the scene or the robot has been replaced, before any other report about the new one. */
  onPlace?(place: ScenePlace): void;
  /** Timeline of the page: accepted, phase or progress changed, ended. */
  onAction(record: ActionRecord): void;
  /** Called when an action is accepted, before it has an effect. Keep it until it ends, so that it is known after a reload. */
  onAccepted?(accepted: AcceptedAction): void;
  /** Called when a caller cancels a running action. */
  onCancelled?(cancelled: CancelledAction): void;
  /** Called when the runtime itself fails. The thrown value is for the operator only; callers never see it. */
  onFault?(fault: RuntimeFault): void;
  /** Called when the emergency stop is latched, pressed again, or released. Keep it, so that a reload does not release it. */
  onEmergency?(emergency: KeptEmergency): void;
  /** Called for an event that is sent to the whole room. */
  onEvent?(event: RoomEvent): void;
  /** Called when an action ends. Keep it, so that it can be restored after a reload. */
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
  /** The lease: who drives, and who asks to drive. */
  readonly lease: Lease;
  /** Which callers stop the actions of others. */
  readonly cancelWatch: CancelWatch;
  /** The scenes that the robot can be in. */
  readonly scenes: Scenes;
  world: SimWorld;
  /** Moment of the step or call, for deadlines and watchdogs: milliseconds since the epoch on a clock that is never set. */
  nowMs: number;
  /** Milliseconds between the runtime's last two steps or calls; longer than a step when the machine was busy. */
  turnGapMs: number;
  /** How far the wall clock is ahead of `nowMs`. Reported times are wall-clock times. */
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
  /** The fault that stopped the physics, if any. A reset rebuilds the physics. */
  fault: string | null;
  /** Number of consecutive steps in which the base has stood still. */
  stillSteps: number;
  /** Whether the arms neither hang nor carry, because a pick or place ended early. */
  armsAstray: boolean;
  /** The motion that brings such arms back to the robot's sides. Successive drives share this one motion. */
  recovery: Generator<void, void, void> | null;
  /** The thing that the hands last lost without a release; cleared when they hold a thing again. */
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
 * The rules that a runtime keeps towards its callers, with the state that only these rules need. The runtime asks the contract
 * and never which one it is. There are two: the simulator's and the physical robot's (`rcw/contract.ts`).
 */
export interface Contract {
  readonly profile: RuntimeProfile;
  readonly handlers: Readonly<Record<MethodName, Handler>>;
  /** Returns every skill with its input schema, for `runtime.tools_list`, in the words of the robot. */
  skills(core: RuntimeCore): SkillDescriptor[];
  /** Returns the part of `runtime.manifest` that is specific to this contract. */
  manifestPart(): Record<string, unknown>;
  /** Returns the part of the state that is specific to this contract. */
  statePart(core: RuntimeCore): { control?: ControlState };
  /** Returns whether calls that move the body are currently accepted. */
  acceptsCalls(core: RuntimeCore): boolean;
  /** Runs the gates for an unreadable payload, before its mistake is reported. Returns null if every gate lets it pass. */
  gateUnreadable(core: RuntimeCore, method: MethodName, call: Omit<Call, 'payload'>, text: string): RuntimeError | null;
  /** Runs before each call, because calls may crowd out the steps: ends motions that were not renewed in time. */
  beforeCall(core: RuntimeCore): void;
  /** Runs before each step: ends motions that were not renewed in time or have reached their deadline. */
  beforeStep(core: RuntimeCore): void;
  /** Runs after each physics step: the body has reported. */
  afterPhysics(core: RuntimeCore): void;
  /** Runs after the process was suspended. The runtime itself stops running actions. */
  suspended(core: RuntimeCore, error: RuntimeError): void;
  /** Stops everything for the robot's own page; no gate can refuse it. */
  stop(core: RuntimeCore, by: Caller): void;
  /** The refusal of a command under a latched emergency stop, and the error of an action that it ended. */
  stoppedError(latched: EmergencyStop): RuntimeError;
  /** Begins an emergency stop: makes the arms safe at once, in this body's way. The runtime then ends all actions. */
  emergencyStop(core: RuntimeCore, error: RuntimeError): void;
  /** Runs when the driver has changed and the actions of others have ended: stops motion that belongs to no action. */
  driverChanged(core: RuntimeCore, by: Caller): void;
  /** Runs when the actions have ended: stops motion that belongs to no action. */
  bodyStops(core: RuntimeCore): void;
  /** Returns whether the base stands and the arms are as safe as this body can make them. */
  bodyStands(core: RuntimeCore): boolean;
  /** Returns the state that is restored after a reload. */
  keep(): KeptContract;
  /** Restores kept state. The world has already been restored and its actions have been interrupted. */
  restore(core: RuntimeCore, kept: KeptContract): void;
}

/**
 * Creates the state of a runtime.
 * @param contract the runtime's own contract, as `contractFor` returns it
 * @throws RangeError when the robot cannot keep this contract
 */
export function createCore(deps: RuntimeDeps, contract: Contract): RuntimeCore {
  const robotId = deps.robotId ?? DEFAULT_ROBOT_ID;
  const refusal = robotRefusal(robotId, contract.profile);
  if (refusal !== null) throw new RangeError(refusal);
  const { scenes = new Scenes() } = deps;
  return {
    deps,
    contract,
    ledger: createLedger(),
    emergency: createEmergency(deps.emergency),
    lease: createLease(),
    cancelWatch: createCancelWatch(),
    scenes,
    world: createWorld(deps.rapier, {
      seed: deps.seed,
      robotId,
      scenes,
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
  // Reported after the step, because only then is it known whether the physics failed.
  core.outbox.push(() => core.deps.onFault?.({ incident, actionId, thrown, isPhysics: core.fault === incident }));
  return incident;
}

/** Converts a moment of `nowMs` to the reported time: whole milliseconds since the epoch on the wall clock. */
export const onWall = (core: RuntimeCore, atMs: number): number => Math.round(atMs + core.wallAheadMs);

/** Makes one physics step. */
export function stepPhysics(core: RuntimeCore): void {
  stepWorld(core.world);
  // The empty hands are still open in front of the chest, so the next motion brings them back first.
  if (core.world.events.some(({ type }) => type === 'dropped')) core.armsAstray = true;
  watchHands(core);
  core.stillSteps = base.isStopped(core.world) ? core.stillSteps + 1 : 0;
}

/** Replaces the current world. */
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
 * Makes the waiting outbound calls. Such a call may call the runtime again; the calls that this adds are made too.
 * A receiver that throws loses only its own message, so that the robot continues.
 */
export function flushOutbox(core: RuntimeCore): void {
  for (let next = core.outbox.shift(); next; next = core.outbox.shift()) {
    try {
      next();
    } catch {
      // A receiver's failure must not stop the robot.
    }
  }
}

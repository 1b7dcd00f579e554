import type { PlanarPose } from '../protocol/geometry.ts';
import type { RuntimeProfile } from '../protocol/profile.ts';
import { EMPTY_OVERLAY, type Overlay } from '../protocol/render-state.ts';
import * as base from '../simulation/base.ts';
import { createWorld, type Physics, type SimWorld, stepWorld } from '../simulation/world.ts';
import type {
  AcceptedAction,
  ActionRecord,
  CameraState,
  CancelledAction,
  CaptureJob,
  RuntimeFault,
  StoredAction,
} from './action-record.ts';
import { type LostCube, watchHands } from './dropped.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { Outbox } from './outbox.ts';
import { type BodyLink, createBodyLink } from './worker/body-link.ts';
import { createHeldVelocity, type HeldVelocity } from './worker/held-velocity.ts';
import { createTakenPackets, type TakenPackets } from './worker/taken-packets.ts';
import { createUpperBody, type UpperBody } from './worker/upper-body-state.ts';

/** What the runtime is given: chance, ids and the camera's work come from outside, so that the runtime itself is deterministic. */
export interface RuntimeDeps {
  /** Rapier, initialised. */
  rapier: Physics;
  /** Of the first world. */
  seed: number;
  /** @default the warehouse */
  sceneId?: string;
  /** Version of the product, told in the manifest. */
  productVersion: string;
  /** A fresh id for an action whose caller chose none. */
  newActionId(): string;
  /** Results of before a reload, as `onEnded` gave them. */
  storedResults?: readonly StoredAction[];
  /** Which contract it keeps. @default 'simulator' */
  profile?: RuntimeProfile;
  /** Of the worker profile: are calls that move the body refused unless they are signed? @default true */
  signedControlRequired?: boolean;
  /** Whether pictures can be had at first; `noteCameras` tells of changes. @default they can */
  cameras?: CameraState;
  /** Draws, encodes and sends a picture; the outcome comes back by `finishCapture`. Only called while the cameras are ready. */
  startCapture(job: CaptureJob): void;
  /** Timeline of the page: accepted, phase or progress changed, ended. */
  onAction(record: ActionRecord): void;
  /** An action was accepted and nothing of it has happened yet; keep it until it ends, so that a reload in the middle is known. */
  onAccepted?(accepted: AcceptedAction): void;
  /** Somebody cancelled an action; what was no longer running is not told of. */
  onCancelled?(cancelled: CancelledAction): void;
  /** The runtime met a fault of its own; what was thrown is for its keeper, never for a caller. */
  onFault?(fault: RuntimeFault): void;
  /** An action ended; keep it, so that a reload can hand it back. */
  onEnded?(stored: StoredAction): void;
}

/** Everything the runtime knows between two steps. */
export interface RuntimeCore {
  readonly deps: RuntimeDeps;
  readonly profile: RuntimeProfile;
  /** Are calls that move the body refused unless they are signed? */
  readonly signedOnly: boolean;
  readonly ledger: Ledger;
  world: SimWorld;
  /** Moment of the step or call that is being served: milliseconds since the epoch by a clock that nobody sets. Deadlines and watchdogs go by it. */
  nowMs: number;
  /** Between the last two moments at which the runtime had its turn, a step or a call: longer than a step where the machine was busy. */
  turnGapMs: number;
  /** How far the wall clock is ahead of `nowMs`, which nobody sets: what is told to the outside bears the time of the wall clock. */
  wallAheadMs: number;
  /** Simulated seconds per real second that are asked for. */
  speed: number;
  realTimeFactor: number;
  hidden: boolean;
  /** Sum of the gaps in which the tab was frozen. */
  suspendedMs: number;
  /** Where a walk leads to, while there is one. */
  nav: { goal: PlanarPose; remainingM: number } | null;
  overlay: Overlay;
  /** Faults so far, for their references. */
  faults: number;
  /** The fault after which the physics no longer runs, if it broke; a reset builds it anew. */
  fault: string | null;
  /** Consecutive steps for which the base has stood still. */
  stillSteps: number;
  /** Are the arms neither hanging nor carrying, because a pick or place ended early? */
  armsAstray: boolean;
  /** The way of astray arms back to the robot's sides while drives relieve each other; it is one way, however many drives it takes. */
  recovery: Generator<void, void, void> | null;
  /** The cube that left the hands by itself last, until they hold one again. */
  dropped: LostCube | null;
  /** Did a stop hold the head, which was looking where the hands worked? */
  headStopped: boolean;
  /** Whether pictures can be had. */
  cameras: CameraState;
  /** Pictures that are being drawn or sent, by action id. */
  readonly captures: Map<string, CaptureJob>;
  /** Those of them that wait until the cameras are there, oldest first, and for how long by `nowMs`. */
  readonly awaitingCameras: { readonly job: CaptureJob; readonly untilMs: number }[];
  /** Of the worker profile. */
  readonly bodyLink: BodyLink;
  readonly upperBody: UpperBody;
  heldVelocity: HeldVelocity;
  /** Pose packets that were taken lately, by action id. */
  readonly packets: TakenPackets;
  /** Calls to the outside that wait until the ledger is consistent again. */
  readonly outbox: Outbox;
}

export function createCore(deps: RuntimeDeps): RuntimeCore {
  return {
    deps,
    profile: deps.profile ?? 'simulator',
    signedOnly: deps.profile === 'worker' && (deps.signedControlRequired ?? true),
    ledger: createLedger(deps.storedResults ?? []),
    world: createWorld(deps.rapier, { seed: deps.seed, ...(deps.sceneId === undefined ? {} : { sceneId: deps.sceneId }) }),
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
    bodyLink: createBodyLink(),
    upperBody: createUpperBody(),
    heldVelocity: createHeldVelocity(),
    packets: createTakenPackets(),
    outbox: new Outbox(),
  };
}

/**
 * Takes note of a fault of the runtime's own and hands what was thrown to its keeper.
 * @returns the reference that the reply names: the moment and a running number
 */
export function noteFault(core: RuntimeCore, thrown: unknown, actionId: string | null): string {
  core.faults += 1;
  const incident = `fault-${Math.round(core.nowMs).toString(36)}-${core.faults}`;
  // Told when the step is over: by then it is known whether it was the physics.
  core.outbox.push(() => core.deps.onFault?.({ incident, actionId, thrown, isPhysics: core.fault === incident }));
  return incident;
}

/** A moment of `nowMs` as the outside reads it: milliseconds since the epoch, by the wall clock, whole. */
export const onWall = (core: RuntimeCore, atMs: number): number => Math.round(atMs + core.wallAheadMs);

/** One physics step. */
export function stepPhysics(core: RuntimeCore): void {
  stepWorld(core.world);
  // Open hands before an empty chest: the next motion puts them away first.
  if (core.world.events.some(({ type }) => type === 'dropped')) core.armsAstray = true;
  watchHands(core);
  core.stillSteps = base.isStopped(core.world) ? core.stillSteps + 1 : 0;
}

/** Puts another world in the place of the present one. */
export function replaceWorld(core: RuntimeCore, world: SimWorld): void {
  core.world = world;
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
 * Delivers what waits for the outside. A delivery may call the runtime again; what that adds is delivered too.
 * A receiver that throws has lost its message and nothing else: the robot must not stumble over it.
 */
export function flushOutbox(core: RuntimeCore): void {
  for (let next = core.outbox.shift(); next; next = core.outbox.shift()) {
    try {
      next();
    } catch {
      // The receiver's own fault.
    }
  }
}

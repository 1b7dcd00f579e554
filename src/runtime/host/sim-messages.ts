import type { Caller, HandMark } from '../../protocol/caller.ts';
import type { ScenePlace } from '../../protocol/place.ts';
import type { RuntimeProfile } from '../../protocol/profile.ts';
import type { Overlay, RenderState } from '../../protocol/render-state.ts';
import type { SceneState } from '../../protocol/scene.ts';
import type { ControlKeys } from '../../protocol/signed-control.ts';
import type { RuntimeState } from '../../protocol/state.ts';
import type { AcceptedAction, ActionRecord, CameraState, CaptureJob, CaptureOutcome, StoredAction } from '../action-record.ts';
import type { RestoreProblem, RunningThen } from '../kept-runtime.ts';

/** Whom a robot of the worker profile takes signed calls from. */
export interface ControlTrust {
  keys: ControlKeys;
  robotId: string;
  /** Name of the room. */
  session: string;
}

/** Where the simulation's worker keeps its world in the browser. */
export interface KeepOrder {
  /** A room, and who the robot is there; null: nowhere, and what was kept is cleared. */
  place: string | null;
  /** Is this tab the robot of the place? Else it only begins with what is kept there. */
  isMine: boolean;
  /** What is kept there has broken down twice: the world begins anew. */
  isFresh: boolean;
  /** Was this tab the robot of the place before it was loaded? */
  wasThere: boolean;
  /** When the page of before went away, milliseconds since the epoch; null when nobody knows. */
  goneAtMs: number | null;
  /** Places whose worlds are over. */
  forget: string[];
}

/**
 * Why a world does not go on.
 * - `other_version`, `other_profile`: another version of the product, or a robot of the other contract, kept it
 * - `damaged`: it is not as it was kept
 * - `broken`: its physics had broken
 * - `failed_again`: the simulation has failed again soon after it had gone on
 * - `storage`: the browser kept nothing, or gave nothing back
 * - `nothing_kept`: there is none
 */
export type NotGoneOn = RestoreProblem | 'broken' | 'failed_again' | 'storage' | 'nothing_kept';

/** From the page to the simulation's worker. */
export type ToSimulation =
  | {
      kind: 'start';
      seed: number;
      productVersion: string;
      storedResults: StoredAction[];
      hidden: boolean;
      profile: RuntimeProfile;
      signedControlRequired: boolean;
      /** Followed before the robot is ready. */
      keep: KeepOrder;
    }
  /** Comes with each place, and when this tab becomes the robot there. */
  | { kind: 'keep'; order: KeepOrder }
  | {
      kind: 'call';
      callId: number;
      requestId: string;
      method: string;
      payload: string;
      callerIdentity: string | null;
      hand?: HandMark;
    }
  | { kind: 'capture-finished'; actionId: string; outcome: CaptureOutcome }
  /** Whether pictures can be had from now on; until it is told they are being built. */
  | { kind: 'cameras'; cameras: CameraState }
  | { kind: 'visibility'; hidden: boolean }
  | { kind: 'cancel-active'; by: Caller }
  /** Whose signed calls are taken, and as which robot in which room; comes again when that changes. */
  | { kind: 'control-trust'; trust: ControlTrust }
  /** The button at the robot, of the worker profile: latched, or released again. */
  | { kind: 'emergency-stop'; latched: boolean; by: Caller };

/** How the simulation keeps up with the wall clock. */
export interface Timing {
  stepsPerSecond: number;
  /** Simulated seconds per wall second. */
  realTimeFactor: number;
}

/** From the simulation's worker to the page. */
export type FromSimulation =
  /** `fraction` of the physics engine's loading and warming up; `bytes` while it comes over the network. */
  | { kind: 'progress'; fraction: number; bytes?: { loaded: number; total: number } }
  | { kind: 'layout'; layout: ScenePlace }
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  | { kind: 'reply'; callId: number; text: string }
  | { kind: 'capture'; job: CaptureJob }
  /** `overlay` is there when it changed; a page that draws only changes must not see a copy as one. */
  | { kind: 'frame'; renderState: RenderState; overlay?: Overlay }
  | { kind: 'state'; runtime: RuntimeState; scene: SceneState | null; timing: Timing }
  | { kind: 'action'; record: ActionRecord }
  /** Comes before the first step of the action. */
  | { kind: 'accepted'; accepted: AcceptedAction }
  | { kind: 'stored'; stored: StoredAction }
  | { kind: 'suspended'; gapMs: number }
  /** The world goes on from what was kept: what is missing of it, null where nobody knows more than that it is a second at most; and what ran then. */
  | { kind: 'restored'; hash: string; missingMs: number | null; running: RunningThen[] }
  /** It begins anew; with the seed that it had, where that is known. */
  | { kind: 'not-restored'; reason: NotGoneOn; seed: number | null }
  /** Is the world kept? `elsewhere`: by another tab, which is the robot now. */
  | { kind: 'keeping'; state: 'kept' | 'failing' | 'elsewhere' };

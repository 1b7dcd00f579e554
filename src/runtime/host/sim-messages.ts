import type { TaskFile } from '../../protocol/files/task-file.ts';
import type { Verdict } from '../../protocol/files/verdict.ts';
import type { RoomEvent } from '../../protocol/room/room-events.ts';
import type { ControlKeys } from '../../protocol/signed/signed-control.ts';
import type { Caller, PageMark } from '../../protocol/wire/caller.ts';
import type { OwnerOrder } from '../../protocol/wire/owner-order.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { RuntimeProfile } from '../../protocol/wire/profile.ts';
import type { Overlay, RenderState } from '../../protocol/wire/render-state.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import type { SceneState } from '../../protocol/wire/scene.ts';
import type { SceneId } from '../../protocol/wire/scene-ids.ts';
import type { SceneOutcome } from '../../protocol/wire/scene-outcome.ts';
import type { RuntimeState } from '../../protocol/wire/state.ts';
import type { WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import type { WorldPacket } from '../../protocol/world-stream/world-frame.ts';
import type { ActionRecord, CameraState, CaptureJob, CaptureOutcome, StoredAction } from '../action-record.ts';
import type { EmergencyStop } from '../emergency-state.ts';
import type { PressFacts } from '../emergency-stop.ts';
import type { RestoreProblem, RunningThen } from '../kept-runtime.ts';

/** The keys and the room of the signed calls that a robot of the `rcw` profile accepts. */
export interface ControlTrust {
  keys: ControlKeys;
  robotId: string;
  /** Name of the room. */
  session: string;
}

/** A record of a kept world. A world that continues in the same place takes the record over and becomes its owner. */
export interface KeptRecord {
  place: string;
  owner: string;
}

/** The place where the simulation's worker keeps its world in the browser. */
export interface KeepOrder {
  /** A room and the robot's identity there. Null for no place, which clears the kept world. */
  place: string | null;
  /** Whether this tab is the robot of the place. Otherwise it only starts from the world kept there. */
  isMine: boolean;
  /** Whether the kept world has failed twice; the world then starts from scratch. */
  isFresh: boolean;
  /** Whether this tab was the robot of the place before it was loaded. */
  wasThere: boolean;
  /** When the previous page went away, milliseconds since the epoch; null when unknown. */
  goneAtMs: number | null;
  /** Records of worlds that have ended. A record is removed only if its owner is still the one named here. */
  forget: KeptRecord[];
}

/**
 * The reason why a world is not restored.
 * - `other_version`, `other_profile`, `other_robot`: it was kept by another version of the product, by a robot of the other
 *   contract, or by another kind of robot
 * - `damaged`: it differs from what was kept
 * - `broken`: its physics had broken
 * - `failed_again`: the simulation failed again soon after it was restored
 * - `storage`: the browser could not write or read the world
 * - `nothing_kept`: no world was kept
 */
export type NotGoneOn = RestoreProblem | 'broken' | 'failed_again' | 'storage' | 'nothing_kept';

/** The text of a proof, or a sentence that explains why no proof exists. */
export type ProofOutcome = { ok: true; text: string } | { ok: false; problem: string };

/** From the page to the simulation's worker. */
export type ToSimulation =
  | {
      kind: 'start';
      seed: number;
      /** The scene of a world that starts from scratch. */
      sceneId: SceneId;
      robotId: RobotId;
      productVersion: string;
      hidden: boolean;
      profile: RuntimeProfile;
      signedControlRequired: boolean;
      /** The owner of the records that this world keeps, unique to it. */
      owner: string;
      /** Applied before the robot is ready. */
      keep: KeepOrder;
      /** The task that the run is judged by; it names the scene. Null for none. */
      task: TaskFile | null;
    }
  /** Sent with each place, and when this tab becomes the robot there. */
  | { kind: 'keep'; order: KeepOrder }
  | {
      kind: 'call';
      callId: number;
      requestId: string;
      method: string;
      payload: string;
      callerIdentity: string | null;
      /** The participant's name in the room. @default unknown */
      callerName?: string | null;
      mark?: PageMark;
    }
  | { kind: 'capture-finished'; actionId: string; outcome: CaptureOutcome }
  /** Whether pictures can be taken from now on; until this message, the cameras are being built. */
  | { kind: 'cameras'; cameras: CameraState }
  | { kind: 'visibility'; hidden: boolean }
  /** A participant has left the room. */
  | { kind: 'participant-left'; identity: string }
  /** The owner's order about who drives. */
  | { kind: 'owner-order'; order: OwnerOrder }
  /** A scene file to read; its scene can be chosen afterwards. */
  | { kind: 'take-scene'; askId: number; text: string }
  | { kind: 'cancel-active'; by: Caller }
  /** Asks for the proof of the run of a task. */
  | { kind: 'ask-proof'; askId: number }
  /** The remote viewers of the robot; until this message there are none. */
  | { kind: 'watchers'; update: WatcherUpdate }
  /** The keys whose signed calls are accepted, and the robot and room they are for; sent again when that changes. */
  | { kind: 'control-trust'; trust: ControlTrust }
  /**
   * The emergency stop without a call: pressed at the page or by the control service, or released by the person at the page.
   */
  | ({ kind: 'emergency-stop'; latched: boolean; by: Caller } & PressFacts);

/** How the simulation keeps up with the wall clock. */
export interface Timing {
  stepsPerSecond: number;
  /** Simulated seconds per wall second. */
  realTimeFactor: number;
}

/** From the simulation's worker to the page. */
export type FromSimulation =
  /**
   * Progress of loading and warming up the physics engine: `fraction` is the completed part; `bytes` is set while downloading.
   */
  | { kind: 'progress'; fraction: number; bytes?: { loaded: number; total: number } }
  | { kind: 'layout'; layout: ScenePlace }
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  | { kind: 'reply'; callId: number; text: string }
  | { kind: 'scene-taken'; askId: number; outcome: SceneOutcome }
  | { kind: 'proof'; askId: number; outcome: ProofOutcome }
  /** The state of the task. The message with the decision is the last one. */
  | {
      kind: 'task';
      verdict: Verdict;
      isDecided: boolean;
      /** Sentences on what a decided verdict lacks for a pass. */
      missing: readonly string[];
    }
  | { kind: 'capture'; job: CaptureJob }
  /** An event for the whole room. */
  | { kind: 'event'; event: RoomEvent }
  /** `overlay` is present when it changed; an unchanged copy would make the page draw again. */
  | { kind: 'frame'; renderState: RenderState; overlay?: Overlay }
  | { kind: 'state'; runtime: RuntimeState; scene: SceneState | null; timing: Timing }
  | { kind: 'action'; record: ActionRecord }
  /** The emergency stop is latched, or a person has released it (null). Sent before the press is answered. */
  | { kind: 'emergency'; latched: EmergencyStop | null }
  /** Actions from before a reload that this runtime remembers, oldest first. */
  | { kind: 'recalled'; actions: StoredAction[] }
  /** The packets for remote viewers, each sent as one lossy packet. */
  | { kind: 'world'; packets: WorldPacket[] }
  | { kind: 'suspended'; gapMs: number }
  /**
   * The kept world was restored. `missingMs` is the time that is lost, null if it is only known to be at most one second.
   * `running` are the actions that ran when the world was kept.
   */
  | { kind: 'restored'; hash: string; missingMs: number | null; running: RunningThen[] }
  /** The world starts from scratch, with its previous seed if that is known. */
  | { kind: 'not-restored'; reason: NotGoneOn; seed: number | null }
  /** Whether the world is kept. `elsewhere`: another tab keeps it and is the robot. */
  | { kind: 'keeping'; state: 'kept' | 'failing' | 'elsewhere' };

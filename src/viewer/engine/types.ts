import type { StoreApi } from 'zustand/vanilla';
import type { Capture } from '../../cameras/messages.ts';
import type { TaskFile } from '../../protocol/files/task-file.ts';
import type { Verdict } from '../../protocol/files/verdict.ts';
import type { CancelsRepeated } from '../../protocol/room/room-events.ts';
import type { RoomKey } from '../../protocol/room/room-key.ts';
import type { Access } from '../../protocol/service/access.ts';
import type { PageMark } from '../../protocol/wire/caller.ts';
import type { MethodName } from '../../protocol/wire/methods.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { RuntimeProfile } from '../../protocol/wire/profile.ts';
import type { Overlay, RenderState } from '../../protocol/wire/render-state.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import type { SceneState } from '../../protocol/wire/scene.ts';
import type { SceneId } from '../../protocol/wire/scene-ids.ts';
import type { SceneOutcome, SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import type { RuntimeState } from '../../protocol/wire/state.ts';
import type { WorldStatus } from '../../protocol/world-stream/world-frame.ts';
import type { ConnectionState, RoomParticipant } from '../../room/connection-state.ts';
import type { ActionRecord } from '../../runtime/action-record.ts';
import type { NotGoneOn, ProofOutcome } from '../../runtime/host/sim-messages.ts';
import type { Freshness } from './visitor/freshness.ts';

export type { ConnectionEnd, ConnectionState, EndReason } from '../../room/connection-state.ts';

export type LoadingPartId = 'physics' | 'world' | 'cameras' | 'room';

/** One part that must be ready before the robot works. */
export interface LoadingPart {
  id: LoadingPartId;
  label: string;
  /** Measured progress, 0…1. */
  fraction: number;
  done: boolean;
  /** Progress in its own words: "1.2 of 3.1 MB", "Joining". */
  note?: string;
  /** A sentence, if this part failed. */
  problem?: string;
}

/** One participant in the room, including this tab. */
export interface ParticipantView extends RoomParticipant {
  /** True if the participant was in the room at the same time as this page, and has left. */
  hasLeft?: true;
}

/** One action as the page shows it, running or ended. */
export interface ActionView extends ActionRecord {
  /** Commands of a person at a joystick appear as one entry, from the first push to the standstill. */
  stroke?: { id: string; commands: number };
}

/** An action that was running, and therefore ended, when its world was left. */
export type InterruptedAction = Pick<ActionView, 'actionId' | 'kind' | 'name' | 'input' | 'stroke'>;

/** Whether the previous world continued, and which actions the interruption ended, oldest first. */
export type WentOn = { atMs: number; interrupted: readonly InterruptedAction[] } & (
  | { kind: 'restored'; missingMs: number | null }
  | { kind: 'begun-anew'; reason: NotGoneOn }
);

/** The page's state of a robot that runs elsewhere. */
export interface Visit {
  /** The access that the page's link grants. */
  access: Access;
  /** Whether a runtime of the robot is in the room. */
  robotIsThere: boolean;
  /**
   * When this page saw the robot leave the room, Unix milliseconds; null while the robot is there, and if it has not been there
   * yet.
   */
  offlineSinceMs: number | null;
  /** Whether the robot's emergency stop is latched, by the latest report of the room and the robot. */
  isStopped: boolean;
  freshness: Freshness;
  /** Age of the newest state of the world, milliseconds; null before the first. */
  ageMs: number | null;
  /** Share of the stream's packets that were lost recently, from 0 to 1. */
  lostShare: number;
  /** The robot's status in its stream; null while the picture is not live. */
  status: WorldStatus | null;
  /**
   * Latency of the robot's replies, milliseconds: the median of the last few; null before the first, and for a page that only
   * watches.
   */
  roundTripMs: number | null;
  /** Whether the robot answers this page's calls. Its states may arrive while calls get lost. */
  isAnswered: boolean;
  /** A sentence, while the robot has not answered a stop of this page, or has rejected it. */
  stopProblem: string | null;
  /** A sentence, when the platform reports that the robot is stopped while the robot itself does not answer this page. */
  stopDone: string | null;
  /** A sentence, when this page cannot draw the received world. */
  problem: string | null;
}

/** A task together with how the person chose it. */
export interface GivenTask {
  file: TaskFile;
  /** The task in the page's address: the id of a built-in task, or the address of its file. Null for a file that was dropped. */
  address: string | null;
}

/** Returns a built-in task, addressed by its id. */
export const productTask = (file: TaskFile): GivenTask => ({ file, address: file.id });

/** Why a file that a person gave was not opened. */
export interface FileRefusal {
  kind: 'scene' | 'task' | 'file';
  /** The name or address by which the person knows the file. */
  name: string;
  problems: readonly SceneProblem[];
}

/** A task of a robot of this tab alone. */
export interface TaskOfTab extends GivenTask {
  seed: number;
  /** Null before the first evaluation. */
  verdict: Verdict | null;
  /** Whether the verdict is final. */
  isDecided: boolean;
  /** Sentences on what a failed task lacks; empty before it is decided. */
  missing: readonly string[];
}

/** Tasks for a robot of this tab alone. */
export interface TaskDesk {
  /**
   * Starts a task in a new world, which replaces the current one. @returns a sentence on why it cannot start; null when it has
   * started
   */
  play(task: GivenTask, seed: number): string | null;
  /** Starts the task of a file that a person dropped. @returns the problems of the file; empty when the task has started */
  playFile(text: string): Promise<readonly SceneProblem[]>;
  /** Returns the proof of the run of the task so far. */
  proof(): Promise<ProofOutcome>;
}

/** The state shown to people, updated at their pace. Poses of the world are in `Engine.frames`. */
export interface ViewerState {
  phase: 'gate' | 'loading' | 'live' | 'ended';
  /** A sentence on why the page rejects the key just given. */
  gateProblem: string | null;
  robot: { id: string | null; name: string } | null;
  /** The model of this tab's robot. */
  robotKind: RobotId;
  /** Whether the robot runs only in this tab, without a key or a room. */
  local: boolean;
  /** The visited robot, which runs elsewhere; null if this page is the robot. */
  visit: Visit | null;
  /** The contract of this tab's robot. */
  profile: RuntimeProfile;
  /** Whether the browser reports that this computer has no network. */
  offline: boolean;
  /** When the simulation was last restarted after a failure, milliseconds since the epoch; otherwise null. */
  restartedAtMs: number | null;
  /** The fate of the previous world after a reload, a takeover or a failure of the simulation; null without a previous world. */
  wentOn: WentOn | null;
  /**
   * Whether the world is stored for a reload. `elsewhere`: another tab of this browser continues it; `no`: there is no robot yet.
   */
  keeping: 'no' | 'kept' | 'failing' | 'elsewhere';
  /** False while an emergency stop is latched that the browser does not store: a reload would release it. */
  stopIsKept: boolean;
  loading: LoadingPart[];
  connection: ConnectionState;
  participants: ParticipantView[];
  /** The participants, and the latest of those who have left, so that callers can be named. */
  known: ParticipantView[];
  /** Refreshed about ten times a second while visible. */
  runtime: RuntimeState | null;
  /** Refreshed about twice a second while visible. */
  scene: SceneState | null;
  /** Newest first, at most 300. */
  actions: ActionView[];
  stepsPerSecond: number;
  /** Simulated seconds per wall second; equals the requested speed in normal operation. */
  realTimeFactor: number;
  /** The robot's activity in plain words: "Ready", "Walking to pad_B · 3.2 m left", "Holding cube_4". */
  statusText: string;
  /** A requested scene or task that was rejected; null when there is nothing to report. */
  fileRefusal: FileRefusal | null;
  /** The task of this tab's robot and its state; null without one. */
  task: TaskOfTab | null;
  /** The caller who most recently stopped the actions of others several times; null if there is none. */
  repeatedCancels: CancelsRepeated | null;
  /** Increases when `Engine.layout()` would return a new value. */
  layoutVersion: number;
}

/** The state of one engine, which pages subscribe to. */
export type ViewerStore = StoreApi<ViewerState>;

/** The source of the drawn world: read every frame, never through the store. */
export interface EngineFrames {
  latest(): RenderState | null;
  overlay(): Overlay;
}

/** The robot in this tab: every part of the page except drawing. */
export interface Engine {
  readonly store: ViewerStore;
  readonly frames: EngineFrames;
  /** Returns the floor, obstacles, pads and slots of the current scene; null until there is a world. */
  layout(): ScenePlace | null;
  /** Takes a room key, or a link that contains one, as pasted. A rejection is in `store.gateProblem`. */
  connect(pasted: string): void;
  /**
   * Runs the robot only in this tab, driven from the page: no key, no room, no server. A rejection is in `store.gateProblem`.
   * @param sceneId the scene in which it starts, unless it continues a stored world. @default the scene of the page's address
   * @param robotId the robot model. @default the robot of the page's address
   */
  tryHere(sceneId?: SceneId, robotId?: RobotId): void;
  /**
   * Reads a scene file and loads its scene in place of the current world, as `select_scene` does. If the file is rejected or the
   * robot is busy, the current world stays.
   */
  openScene(text: string): Promise<SceneOutcome>;
  /** Absent if the robot is not this tab's. */
  readonly tasks?: TaskDesk;
  /** Returns the key of this tab and its text, which is a secret, for a link that a person asks for. Null without one. */
  heldKey(): { key: RoomKey; text: string } | null;
  /** Stops all actions of the robot, like the `cancel` skill. */
  stop(): void;
  /**
   * Presses or releases the emergency stop, in the `rcw` profile: it brakes, makes the arms limp, and rejects every command until
   * it is released.
   */
  emergencyStop(latched: boolean): void;
  /** Leaves the room and forgets the key, or ends a robot that runs only in this tab. After an end, returns to the gate. */
  disconnect(): void;
  /** Joins again with the key of this tab, after an end that allows it. Takes the robot over from another tab. */
  retry(): void;
  /**
   * Takes a picture for the page. It is not an action, and no one else is notified. It shows the current world, and waits for
   * cameras that are still being built.
   * @throws A sentence when there is no robot yet, or the cameras fail.
   */
  capture(camera: string, widthPx: number, heightPx: number): Promise<Blob>;
  /**
   * Draws what a camera shows now, with the boxes of the entities; otherwise as `capture`. Absent if the robot is not this tab's.
   * @param quality of the JPEG, in (0, 1]
   */
  draw?(camera: string, widthPx: number, heightPx: number, quality: number): Promise<Capture & { renderState: RenderState }>;
  /**
   * Calls a method of the runtime as the robot's own page.
   * @param mark of a manual command, or of an agent in the browser
   * @returns The reply as parsed JSON, guards included.
   */
  call(method: MethodName, payload: unknown, mark?: PageMark): Promise<unknown>;
  /** Notes that the page's picture of the world is on the screen, or that nothing can draw one. */
  pictureIsShown?(): void;
  /** Ends workers, room and listeners; the engine cannot be used afterwards. */
  dispose(): void;
}

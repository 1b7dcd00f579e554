import type { StoreApi } from 'zustand/vanilla';
import type { Access } from '../../protocol/access.ts';
import type { HandMark } from '../../protocol/caller.ts';
import type { MethodName } from '../../protocol/methods.ts';
import type { ScenePlace } from '../../protocol/place.ts';
import type { RuntimeProfile } from '../../protocol/profile.ts';
import type { Overlay, RenderState } from '../../protocol/render-state.ts';
import type { RobotId } from '../../protocol/robot.ts';
import type { CancelsRepeated } from '../../protocol/room-events.ts';
import type { RoomKey } from '../../protocol/room-key.ts';
import type { SceneState } from '../../protocol/scene.ts';
import type { SceneId } from '../../protocol/scene-ids.ts';
import type { SceneOutcome, SceneProblem } from '../../protocol/scene-outcome.ts';
import type { RuntimeState } from '../../protocol/state.ts';
import type { TaskFile } from '../../protocol/task-file.ts';
import type { Verdict } from '../../protocol/verdict.ts';
import type { WorldStatus } from '../../protocol/world-stream/world-frame.ts';
import type { ConnectionState, RoomParticipant } from '../../room/connection-state.ts';
import type { ActionRecord } from '../../runtime/action-record.ts';
import type { NotGoneOn, ProofOutcome } from '../../runtime/host/sim-messages.ts';
import type { Freshness } from './visitor/freshness.ts';

export type { ConnectionEnd, ConnectionState, EndReason } from '../../room/connection-state.ts';

export type LoadingPartId = 'physics' | 'world' | 'cameras' | 'room';

/** One part that has to be ready before the robot works. */
export interface LoadingPart {
  id: LoadingPartId;
  label: string;
  /** 0…1, measured. */
  fraction: number;
  done: boolean;
  /** Progress in words of its own: "1.2 of 3.1 MB", "Joining". */
  note?: string;
  /** A sentence, when this part failed. */
  problem?: string;
}

/** One participant in the room, including this tab. */
export interface ParticipantView extends RoomParticipant {
  /** True if they were in the room while this page was, and have left. */
  hasLeft?: true;
}

/** One action as the page shows it, running or ended. */
export interface ActionView extends ActionRecord {
  /** Commands of a person at a stick appear as one entry, from the first push to the standstill. */
  stroke?: { id: string; commands: number };
}

/** An action that ran when its world was left, which ended it. */
export type InterruptedAction = Pick<ActionView, 'actionId' | 'kind' | 'name' | 'input' | 'stroke'>;

/** Whether the previous world continued, and which actions that interrupted, oldest first. */
export type WentOn = { atMs: number; interrupted: readonly InterruptedAction[] } & (
  | { kind: 'restored'; missingMs: number | null }
  | { kind: 'begun-anew'; reason: NotGoneOn }
);

/** What a page knows of a robot that lives elsewhere. */
export interface Visit {
  /** What the page's link allows. */
  access: Access;
  /** Whether a runtime of the robot is in the room. */
  robotIsThere: boolean;
  /** When this page saw the robot leave the room, Unix milliseconds; null while it is there, and when it has not been there yet. */
  offlineSinceMs: number | null;
  /** Whether its emergency stop is latched, as the room and the robot reported last. */
  isStopped: boolean;
  freshness: Freshness;
  /** How old the newest state of the world is, milliseconds; null before the first. */
  ageMs: number | null;
  /** Share of the stream's packets that got lost lately, from 0 to 1. */
  lostShare: number;
  /** What the robot does, as its stream says; null while what is seen is not live. */
  status: WorldStatus | null;
  /** How long the robot's answers take, milliseconds: the median of the last few; null before the first, and for who only watches. */
  roundTripMs: number | null;
  /** Whether the robot answers what this page asks: its states may come while calls get lost. */
  isAnswered: boolean;
  /** A sentence, while the robot has not answered a stop of this page, or has refused it. */
  stopProblem: string | null;
  /** A sentence, when the platform says that the robot is stopped while the robot itself does not answer this page. */
  stopDone: string | null;
  /** A sentence, when the world that comes cannot be drawn by this page. */
  problem: string | null;
}

/** A task as a person was given it. */
export interface GivenTask {
  file: TaskFile;
  /** What the page's address calls it: the id of one of the product's, or the address of its file. Null for a file that was dropped. */
  address: string | null;
}

/** Returns a task of the product, as its id gives it. */
export const productTask = (file: TaskFile): GivenTask => ({ file, address: file.id });

/** Why a file that a person gave was not opened. */
export interface FileRefusal {
  kind: 'scene' | 'task' | 'file';
  /** As the person knows it: its name, or its address. */
  name: string;
  problems: readonly SceneProblem[];
}

/** A task that a robot of this tab alone has. */
export interface TaskOfTab extends GivenTask {
  seed: number;
  /** Null before the judge has looked. */
  verdict: Verdict | null;
  /** Nothing that comes later changes the verdict. */
  isDecided: boolean;
  /** What a failed task lacks, in sentences; empty before it is decided. */
  missing: readonly string[];
}

/** Tasks for a robot of this tab alone. */
export interface TaskDesk {
  /** Starts a task in a fresh world, which replaces the present one. @returns a sentence on why it cannot; null when it has started */
  play(task: GivenTask, seed: number): string | null;
  /** Starts the task of a file that a person dropped. @returns the problems of the file; none when it has started */
  playFile(text: string): Promise<readonly SceneProblem[]>;
  /** Returns the proof of the run of the task so far. */
  proof(): Promise<ProofOutcome>;
}

/** The state shown to people, updated at their pace. Poses of the world are in `Engine.frames`. */
export interface ViewerState {
  phase: 'gate' | 'loading' | 'live' | 'ended';
  /** A sentence that says why the key just given does not work. */
  gateProblem: string | null;
  robot: { id: string | null; name: string } | null;
  /** The model of this tab's robot. */
  robotKind: RobotId;
  /** The robot runs only in this tab, without a key or a room. */
  local: boolean;
  /** The robot lives elsewhere, and this page is none of its runtimes; null where this page is the robot. */
  visit: Visit | null;
  /** The contract of this tab's robot. */
  profile: RuntimeProfile;
  /** The browser says that this computer has no network. */
  offline: boolean;
  /** When the simulation was last restarted after a breakdown, milliseconds since the epoch; otherwise null. */
  restartedAtMs: number | null;
  /** The fate of the previous world after a reload, a take-over or a failure of the simulation; null when there was none. */
  wentOn: WentOn | null;
  /**
   * Whether the world is kept for a reload. `elsewhere`: another tab of this browser continues it; `no`: there is no robot yet.
   */
  keeping: 'no' | 'kept' | 'failing' | 'elsewhere';
  /** False while an emergency stop is latched that the browser does not keep: a reload would release it. */
  stopIsKept: boolean;
  loading: LoadingPart[];
  connection: ConnectionState;
  participants: ParticipantView[];
  /** The same, with the latest of those who have left, so that callers can be named. */
  known: ParticipantView[];
  /** Refreshed about ten times a second while visible. */
  runtime: RuntimeState | null;
  /** Refreshed about twice a second while visible. */
  scene: SceneState | null;
  /** Newest first, at most 300. */
  actions: ActionView[];
  stepsPerSecond: number;
  /** Simulated seconds per wall second; equals the requested speed when all is well. */
  realTimeFactor: number;
  /** The robot's activity in plain words: "Ready", "Walking to pad_B · 3.2 m left", "Holding cube_4". */
  statusText: string;
  /** A scene or a task that was asked for and refused; null when there is none to tell. */
  fileRefusal: FileRefusal | null;
  /** The task of this tab's robot, and how it stands; null without one. */
  task: TaskOfTab | null;
  /** Who last stopped the actions of others again and again; null for nobody yet. */
  repeatedCancels: CancelsRepeated | null;
  /** Grows when `Engine.layout()` would return something new. */
  layoutVersion: number;
}

/** The state of one engine, which pages subscribe to. */
export type ViewerStore = StoreApi<ViewerState>;

/** The source of the drawn world: read per frame, never through the store. */
export interface EngineFrames {
  latest(): RenderState | null;
  overlay(): Overlay;
}

/** The robot in this tab: all of the page that is not drawn. */
export interface Engine {
  readonly store: ViewerStore;
  readonly frames: EngineFrames;
  /** Floor, obstacles, pads and slots of the current scene; null until the world is there. */
  layout(): ScenePlace | null;
  /** Takes a room key, or a link that holds one, as pasted; a refusal is in `store.gateProblem`. */
  connect(pasted: string): void;
  /**
   * Runs the robot only in this tab, driven from the page: no key, no room, no server. A refusal is in `store.gateProblem`.
   * @param sceneId where it starts, unless it continues a kept world. @default the scene of the page's address
   * @param robotId which robot it is. @default the robot of the page's address
   */
  tryHere(sceneId?: SceneId, robotId?: RobotId): void;
  /**
   * Reads a scene file and loads its scene in place of the present world, as `select_scene` does. When the file is refused, or the
   * robot is busy, the present world stays.
   */
  openScene(text: string): Promise<SceneOutcome>;
  /** Absent where the robot is not this tab's. */
  readonly tasks?: TaskDesk;
  /** The key this tab holds and its text, a secret, for a link that a person asks for. Null without one. */
  heldKey(): { key: RoomKey; text: string } | null;
  /** Stops everything the robot does, like the `cancel` skill. */
  stop(): void;
  /** The button at the robot, of the `rcw` profile: brakes, makes the arms limp, and refuses every command until it is released. */
  emergencyStop(latched: boolean): void;
  /** Leaves the room and forgets the key, or ends a robot that runs only in this tab. After an end, returns to the gate. */
  disconnect(): void;
  /** Joins again with the key this tab still holds, after an end that allows it; takes the robot over from another tab. */
  retry(): void;
  /**
   * Takes a picture for the page. It is not an action, and nobody else is told. It shows the current world, and waits for cameras
   * that are still built.
   * @throws A sentence when there is no robot yet, or the cameras fail.
   */
  capture(camera: string, widthPx: number, heightPx: number): Promise<Blob>;
  /**
   * Calls a method of the runtime as the robot's own page.
   * @param hand the mark of a manual command
   * @returns The reply as parsed JSON, guards included.
   */
  call(method: MethodName, payload: unknown, hand?: HandMark): Promise<unknown>;
  /** The page says that its picture of the world is on the screen, or that nothing can draw one. */
  pictureIsShown?(): void;
  /** Ends workers, room and listeners; the engine cannot be used afterwards. */
  dispose(): void;
}

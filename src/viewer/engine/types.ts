import type { HandMark } from '../../protocol/caller.ts';
import type { MethodName } from '../../protocol/methods.ts';
import type { ScenePlace } from '../../protocol/place.ts';
import type { RuntimeProfile } from '../../protocol/profile.ts';
import type { Overlay, RenderState } from '../../protocol/render-state.ts';
import type { RoomKey } from '../../protocol/room-key.ts';
import type { SceneState } from '../../protocol/scene.ts';
import type { RuntimeState } from '../../protocol/state.ts';
import type { ConnectionState, RoomParticipant } from '../../room/connection-state.ts';
import type { ActionRecord } from '../../runtime/action-record.ts';
import type { NotGoneOn } from '../../runtime/host/sim-messages.ts';
import type { ViewerStore } from './store.ts';

export type { ConnectionEnd, ConnectionState, EndReason } from '../../room/connection-state.ts';

export type LoadingPartId = 'physics' | 'world' | 'cameras' | 'room';

/** One thing that has to be there before the robot works. */
export interface LoadingPart {
  id: LoadingPartId;
  label: string;
  /** 0…1, measured. */
  fraction: number;
  done: boolean;
  /** How far, in words of its own: "1.2 of 3.1 MB", "Joining". */
  note?: string;
  /** A sentence, when this part failed. */
  problem?: string;
}

/** Somebody in the room, this tab included. */
export interface ParticipantView extends RoomParticipant {
  /** Was in the room while this page was, and is not any more. */
  hasLeft?: true;
}

/** One action as the page shows it, running or ended. */
export interface ActionView extends ActionRecord {
  /** Commands of a person at a stick stand as one entry, from the first push to the standstill. */
  stroke?: { id: string; commands: number };
}

/** What ran when its world was left, and has ended by that. */
export type InterruptedAction = Pick<ActionView, 'actionId' | 'kind' | 'name' | 'input' | 'stroke'>;

/** Whether the world of before went on, and what that interrupted, the oldest first. */
export type WentOn = { atMs: number; interrupted: readonly InterruptedAction[] } & (
  | { kind: 'restored'; missingMs: number | null }
  | { kind: 'begun-anew'; reason: NotGoneOn }
);

/** What people look at, at people speed; poses of the world are in `Engine.frames`. */
export interface ViewerState {
  phase: 'gate' | 'loading' | 'live' | 'ended';
  /** A sentence on why the key just given does not work. */
  gateProblem: string | null;
  robot: { id: string | null; name: string } | null;
  /** The robot runs in this tab alone, without a key or a room. */
  local: boolean;
  /** Which contract the robot of this tab keeps. */
  profile: RuntimeProfile;
  /** The browser says that this computer has no network. */
  offline: boolean;
  /** When the simulation was last started afresh because it had broken down, milliseconds since the epoch; else null. */
  restartedAtMs: number | null;
  /** What became of the world of before: after a reload, a take-over or a failure of the simulation; null when there was none. */
  wentOn: WentOn | null;
  /** Is the world kept for a reload? `elsewhere`: another tab of this browser has gone on with it; `no`: there is no robot yet. */
  keeping: 'no' | 'kept' | 'failing' | 'elsewhere';
  loading: LoadingPart[];
  connection: ConnectionState;
  participants: ParticipantView[];
  /** The same with those who have left, the latest of them: to name whoever called. */
  known: ParticipantView[];
  /** Refreshed about ten times a second while visible. */
  runtime: RuntimeState | null;
  /** Refreshed about twice a second while visible. */
  scene: SceneState | null;
  /** Newest first, at most 300. */
  actions: ActionView[];
  stepsPerSecond: number;
  /** Simulated seconds per wall second; equals the speed asked for when all is well. */
  realTimeFactor: number;
  /** What the robot is doing, in plain words: "Ready", "Walking to pad_B · 3.2 m left", "Holding cube_4". */
  statusText: string;
  /** Grows when `Engine.layout()` would answer something new. */
  layoutVersion: number;
}

/** Where the drawn world comes from: read per frame, never through the store. */
export interface EngineFrames {
  latest(): RenderState | null;
  overlay(): Overlay;
}

/** The robot in this tab: everything of the page that is not drawn. */
export interface Engine {
  readonly store: ViewerStore;
  readonly frames: EngineFrames;
  /** Floor, obstacles, pads and slots of the current scene; null until the world is there. */
  layout(): ScenePlace | null;
  /** Takes a room key, or a link that holds one, as pasted; a refusal is in `store.gateProblem`. */
  connect(pasted: string): void;
  /** Runs the robot in this tab alone, driven from the page: no key, no room, no server. A refusal is in `store.gateProblem`. */
  tryHere(): void;
  /** The key this tab holds and its text, a secret: for a link that a person asks for. Null without one. */
  heldKey(): { key: RoomKey; text: string } | null;
  /** Stops everything the robot does, like the `cancel` skill. */
  stop(): void;
  /** The button at the robot, of the worker profile: brakes, lets the arms go limp, and refuses every command until it is released. */
  emergencyStop(latched: boolean): void;
  /** Leaves the room and forgets the key, or ends a robot of this tab alone; after an end, back to the gate. */
  disconnect(): void;
  /** Joins again with the key this tab still holds, after an end that allows it; takes the robot over from another tab. */
  retry(): void;
  /**
   * A picture for the page, not an action: nobody else learns of it. It shows the world of now, and waits for cameras that are still built.
   * @throws A sentence when there is no robot yet, or the cameras fail.
   */
  capture(camera: string, widthPx: number, heightPx: number): Promise<Blob>;
  /**
   * Calls a method of the runtime as the robot's own page.
   * @param hand what the person's hand does with it
   * @returns The reply as parsed JSON, guards included.
   */
  call(method: MethodName, payload: unknown, hand?: HandMark): Promise<unknown>;
  /** Ends workers, room and listeners; the engine cannot be used afterwards. */
  dispose(): void;
}

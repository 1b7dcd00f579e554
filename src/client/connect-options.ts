import type { ActionEvent, ActionResult } from './action-result.ts';
import type { RoomTransport } from './transport.ts';

/** Whether commands of the body are signed: always, never, or where the runtime takes no others. */
export type SignControl = boolean | 'auto';

/** Options of `connect`. */
export interface ConnectOptions {
  /** Agents to dispatch: `[]` none (a simulator's tab fills the place), names these, absent the platform's default. */
  workerNames?: readonly string[];
  /** @deprecated drives dispatch no longer; pass `workerNames` */
  workers?: unknown;
  /** How the runtime's identity in the room begins; of a physical robot's contract: `rcw`. @default 'simplesim' */
  rcwIdentityPrefix?: string;
  /** Whether the room is joined, for skills, state and pictures. @default true */
  joinLivekit?: boolean;
  /**
   * The default of `disconnect`: true leaves session, room and viewer in place, false ends them.
   * @default false for a session that this call opened, true for one that was open before: others are in it
   */
  keepSession?: boolean;
  /**
   * Whether skill calls and cancels are signed (docs/protocol.md, "Signed control"): `auto` signs for a physical robot's contract (`rcw-…`) and for any runtime that refuses
   * what is not signed, with a key pair and grants of the session's own. @default 'auto'
   */
  signControl?: SignControl;
  /**
   * The name that others in the room see, the robot's page among them. It tells two programs apart. At most 256 characters.
   * @default 'client'; costs a request for a participant token when given
   */
  name?: string;
  /** Under which name calls are signed, as the robot and its page show it. @default the `name`, or 'client' */
  controlHolder?: string;
  /**
   * Whether `invoke`, `start` and the shortcuts return a refusal (`BUSY`, `UNKNOWN_ENTITY`, `NOT_READY` …) as a failed result, as
   * `tryInvoke` always does. Otherwise they throw it as `RcwRuntimeError`. A timeout is thrown either way. @default false
   */
  returnRefusals?: boolean;
  /** Are told of the session's events, from joining on. */
  callbacks?: ConnectCallbacks;
  /** Longest wait of a call to the runtime when the call names none, milliseconds. @default 60 000 */
  runtimeCallTimeoutMs?: number;
  /** Ends connecting; the session is rolled back. */
  signal?: AbortSignal;
  /** Not available; see `PlatformNotAvailableError`. */
  environmentId?: string;
  /**
   * Scene of the product that the session is for, such as `kitchen`: a simulated robot opens there when it comes into the room. One that is in
   * the room already stays in its scene; call its skill `select_scene`. @default none
   */
  sceneId?: string;
  /** Makes the room. @default `@livekit/rtc-node` in Node, `livekit-client` in browsers */
  transport?: () => Promise<RoomTransport>;
}

/** The kind of robot whose skills the types of a session know. */
export type KindOf<O extends ConnectOptions> = O extends { rcwIdentityPrefix: 'rcw' } ? 'worker' : 'simulator';

/** Callbacks for the events of a session, as they happen. Each is plain or async. The logger is told of one that throws or rejects, and nothing else changes. */
export interface ConnectCallbacks {
  /** An action that this session invoked has ended. It is called with the very object that `invoke` returns. */
  onActionResult?(event: ActionResult): void;
  /** Anything that happens to an action that this session invoked: accepted, running with its progress, its end. */
  onActionEvent?(event: ActionEvent): void;
  /** A runtime has joined the room. @param identity its name there, e.g. `simplesim-<robot_id>` */
  onRuntimeJoined?(identity: string): void;
  /** A runtime has left the room, or was lost. @param identity its name there */
  onRuntimeLeft?(identity: string): void;
  /** The connection to the room broke and is made again. */
  onReconnecting?(): void;
  /** The connection to the room is back. */
  onReconnected?(): void;
  /** The room is over. @param reason in a word or two: "left" after `disconnect`, e.g. "room deleted" from outside */
  onDisconnected?(reason: string): void;
}

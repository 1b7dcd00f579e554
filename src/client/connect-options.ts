import type { ActionEvent, ActionResult } from './action-result.ts';
import type { Logger } from './options.ts';
import type { RoomTransport } from './transport.ts';

/** Whether commands that move the body are signed: always, never, or if the runtime accepts only signed ones. */
export type SignControl = boolean | 'auto';

/** Options of joining a room, by `connect` or `joinRoom`. */
export interface RoomOptions {
  /** Prefix of the runtime's identity in the room. For the physical robot's contract: `rcw`. @default 'simplesim' */
  rcwIdentityPrefix?: string;
  /**
   * Whether `invoke`, `start` and the shortcuts return a refusal (`BUSY`, `UNKNOWN_ENTITY`, `NOT_READY` …) as a failed result, as
   * `tryInvoke` always does. Otherwise they throw the refusal as `RcwRuntimeError`. A timeout is always thrown.
   * @default false
   */
  returnRefusals?: boolean;
  /** Callbacks for the session's events, called from the join onwards. */
  callbacks?: ConnectCallbacks;
  /** Timeout of a call to the runtime if the call sets none, milliseconds. @default 60 000 */
  runtimeCallTimeoutMs?: number;
  /** Stops connecting. A session that `connect` opened is deleted again. */
  signal?: AbortSignal;
  /** Creates the room. @default `@livekit/rtc-node` in Node, `livekit-client` in browsers */
  transport?: () => Promise<RoomTransport>;
}

/** Options of `joinRoom`. */
export interface JoinRoomOptions extends RoomOptions {
  /** Receives the library's log messages. @default the console when PLATFORM_ROBOT_SDK_DEBUG is 1, else only warnings */
  logger?: Logger;
}

/** Options of `connect`. */
export interface ConnectOptions extends RoomOptions {
  /** Agents to dispatch: `[]` none (a simulator's tab takes the place), names: these agents, absent: the platform's default. */
  workerNames?: readonly string[];
  /** @deprecated has no effect on dispatch; pass `workerNames` */
  workers?: unknown;
  /** Whether to join the room, for skills, state and pictures. @default true */
  joinLivekit?: boolean;
  /**
   * The default of `disconnect`: true leaves the session, its room and the viewer in place; false ends them.
   * @default false for a session that this call opened; true for one that was already open, because others may be in it
   */
  keepSession?: boolean;
  /**
   * Whether skill calls and cancels are signed (docs/protocol.md, "Signed control"). `auto` signs for a physical robot's contract
   * (`rcw-…`) and for any runtime that rejects unsigned calls. The session uses a key pair and grants of its own.
   * @default 'auto'
   */
  signControl?: SignControl;
  /**
   * The name that others in the room see, including the robot's page. It distinguishes two programs. At most 256 characters.
   * @default 'client'; a given name costs a request for a participant token
   */
  name?: string;
  /** The name under which calls are signed; the robot and its page show it. @default the `name`, or 'client' */
  controlHolder?: string;
  /** Not available; see `PlatformNotAvailableError`. */
  environmentId?: string;
  /**
   * Scene of the product that the session is for, such as `kitchen`. A simulated robot opens that scene when it joins the room. A
   * robot that is already in the room stays in its scene; call its skill `select_scene`.
   * @default none
   */
  sceneId?: string;
}

/** The kind of robot whose skills the session's types describe. */
export type KindOf<O extends ConnectOptions> = O extends { rcwIdentityPrefix: 'rcw' } ? 'worker' : 'simulator';

/**
 * Callbacks for the events of a session, as they happen. Each may be sync or async. If one throws or rejects, the logger gets a
 * warning and the session continues.
 */
export interface ConnectCallbacks {
  /** An action that this session invoked has ended. Receives the same object that `invoke` returns. */
  onActionResult?(event: ActionResult): void;
  /** An event of an action that this session invoked: accepted, running with its progress, or its end. */
  onActionEvent?(event: ActionEvent): void;
  /** A runtime has joined the room. @param identity its name there, e.g. `simplesim-<robot_id>` */
  onRuntimeJoined?(identity: string): void;
  /** A runtime has left the room, or was lost. @param identity its name there */
  onRuntimeLeft?(identity: string): void;
  /** The connection to the room broke and is being restored. */
  onReconnecting?(): void;
  /** The connection to the room is restored. */
  onReconnected?(): void;
  /** The room is over. @param reason one or two words: "left" after `disconnect`, or for example "room deleted" from outside */
  onDisconnected?(reason: string): void;
}

import { type RoomKey, type RoomKeyResult, readRoomKey } from '../../protocol/room/room-key.ts';
import type { OutOfReach } from '../../protocol/room/room-reach.ts';
import { OUT_OF_REACH } from '../../protocol/texts/rcw-texts.ts';
import type { MethodName } from '../../protocol/wire/methods.ts';
import type { ConnectionState, EndReason } from '../../room/connection-state.ts';
import type { EngineDeps } from './engine-deps.ts';

/** The holder in grants that the page issues to itself. Its calls count as the page's, whatever name they carry. */
export const PAGE_HOLDER = 'page';
export const LOCAL_ROBOT_NAME = 'Your robot';
/** The name of a tab's own robot in the records of emergency stops. */
export const LOCAL_ROBOT = 'this tab';
export const LOCAL_PLACE = { robotId: 'local', session: 'this tab' };

export const COMING_BACK = 'The session was closed. The platform opens it again.';
/** Most attempts to return to a session. A session that is closed again and again is closed on purpose. */
export const COME_BACKS_MAX = 5;
export const COME_BACKS_WITHIN_MS = 60_000;

export const INSECURE_PAGE =
  'This page came unencrypted from another machine. Browsers then block what a robot needs to answer calls. Open the page over https, or on the machine that serves it.';

/** Ends after which the world is not continued: the session was closed, or the person has left the room. */
export const ENDS_THE_WORLD: ReadonlySet<EndReason> = new Set<EndReason>(['session_deleted', 'left']);

/** Ends after which the page reports that another page is the robot. A new attempt would then mean a takeover. */
export const HELD_BY_OTHERS: ReadonlySet<EndReason> = new Set<EndReason>(['taken_over', 'held_elsewhere', 'held_by_another']);

export const hasBeenInRoom = ({ kind }: ConnectionState): boolean =>
  kind === 'connected' || kind === 'silent' || kind === 'reconnecting' || kind === 'rejoining';

/** Methods that may move the robot, or that hold commands that move it. */
export const MAY_MOVE: ReadonlySet<string> = new Set<MethodName>([
  'runtime.tools_call',
  'runtime.cancel',
  'runtime.forward_envelope',
]);
export const stopperOf = (why: OutOfReach | null): string => `the tab, ${OUT_OF_REACH[why ?? 'gone']}`;

export const readKey = (deps: EngineDeps, pasted: string): RoomKeyResult =>
  readRoomKey(pasted, { nowMs: deps.nowMs(), pageProtocol: deps.pageProtocol, profile: deps.contract.profile });

/** Reads the key from the link or from this tab's storage, if it is valid. */
export function readTaken(deps: EngineDeps): RoomKey | null {
  const read = deps.takenKey === null ? null : readKey(deps, deps.takenKey);
  return read?.ok ? read.key : null;
}

export const TASK_IN_A_ROOM =
  'A task needs a robot that runs only in one tab, and this robot is in a room. Open this page in another tab, choose Try it here, and drop the file there. A program does the task with “npm run simplesim -- eval” on the command line.';
export const TASK_IN_OWN_SCENE = 'The page runs tasks in built-in scenes only.';

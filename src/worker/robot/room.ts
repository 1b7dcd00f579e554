import type { Room } from '@livekit/rtc-node';
import type { CallHandler } from '../../protocol/call-desk.ts';
import { METHOD_NAMES } from '../../protocol/methods.ts';
import { startHeartbeat } from '../../protocol/room-heartbeat.ts';
import type { Place, RobotEnd } from '../robot-messages.ts';
import { beatLine } from './beat-line.ts';
import { after, atMost } from './wait.ts';

/** What follows when the robot is out of its room, or did not get into it. */
export type Aftermath = { kind: 'end'; end: RobotEnd } | { kind: 'rejoin'; why: string };

/** One stay in the room, from a join to the final disconnect. */
export interface OpenRoom {
  /** Leaves; `onDisconnected` is not called afterwards. Settles within seconds in any case. */
  leave(): Promise<void>;
}

export interface RoomHandlers {
  onCall: CallHandler;
  /** What the control service has written on the room, now and whenever it changes: JSON text, or empty. */
  onMetadata(metadata: string): void;
  onReconnecting(reconnecting: boolean): void;
  /** Nothing comes from the room any more (true), or something does again (false); `unheardMs` after what came before. */
  onSilent(silent: boolean, unheardMs: number): void;
  onDisconnected(aftermath: Aftermath): void;
}

const JOIN_MAX_MS = 20_000;
/** Leaving may never be answered when the room ends at the same moment; it is left all the same. */
const LEAVE_MAX_MS = 2_000;

/** A join that was given up and may still succeed. Settles when it has, and was left again. */
let lateJoin: Promise<unknown> = Promise.resolve();

/**
 * Joins a room over `@livekit/rtc-node`. The package makes the participant that methods are registered with only when it has joined;
 * they are registered in the same turn of the event loop, before anything else of the room is looked at.
 * @throws when the room cannot be joined; the error's text may hold the token and must not be shown
 */
export async function openRoom(place: Place, handlers: RoomHandlers): Promise<OpenRoom> {
  const rtc = await loadRtc();
  // One that comes too late would throw the next one out: both are this robot.
  await atMost(lateJoin, JOIN_MAX_MS);
  const room = new rtc.Room();
  let alive = true;
  const joining = room.connect(place.sfuUrl, place.token, { autoSubscribe: false, dynacast: false }).then(() => {
    if (!alive) return true;
    for (const method of METHOD_NAMES) {
      room.localParticipant?.registerRpcMethod(method, async ({ requestId, callerIdentity, payload }) => {
        const reply = await handlers.onCall({ requestId, callerIdentity, payload, method });
        // Without the connection it came over, a reply has nowhere to go; handing it over would be a fault.
        return alive ? reply : new Promise<never>(() => {});
      });
    }
    return true;
  });
  let stopBeating = (): void => {};
  const leave = async (): Promise<void> => {
    alive = false;
    stopBeating();
    await leaveQuietly(room);
  };
  if ((await atMost(joining, JOIN_MAX_MS)) === null) {
    // The package cannot give up joining; when it succeeds after all, the room is left again.
    alive = false;
    lateJoin = joining.then(leave, () => undefined);
    throw new Error('The room does not answer.');
  }
  const names = rtc.DisconnectReason;
  room.on('disconnected', (reason) => {
    if (!alive) return;
    void leave();
    handlers.onDisconnected(afterDisconnect(names[reason] ?? ''));
  });
  room.on('reconnecting', () => handlers.onReconnecting(true));
  room.on('reconnected', () => handlers.onReconnecting(false));
  room.on('roomMetadataChanged', (metadata) => handlers.onMetadata(metadata));
  handlers.onMetadata(room.metadata ?? '');
  const heartbeat = startHeartbeat(
    beatLine(room),
    { nowMs: () => performance.now(), after },
    {
      onSilent: (unheardMs) => handlers.onSilent(true, unheardMs),
      onHeard: (unheardMs) => handlers.onSilent(false, unheardMs),
    },
  );
  stopBeating = () => heartbeat.stop();
  if (!room.isConnected) handlers.onDisconnected({ kind: 'rejoin', why: SIGNAL_LOST });
  return { leave };
}

const SIGNAL_LOST = 'The connection to the room was lost.';

/** What to do after a disconnect that this side did not ask for; by LiveKit's name of its reason. */
function afterDisconnect(reason: string): Aftermath {
  switch (reason) {
    case 'DUPLICATE_IDENTITY':
      return { kind: 'end', end: 'taken_over' };
    case 'PARTICIPANT_REMOVED':
      return { kind: 'end', end: 'removed' };
    case 'ROOM_DELETED':
      return { kind: 'end', end: 'session_deleted' };
    case 'USER_REJECTED':
      return { kind: 'end', end: 'refused' };
    case 'SERVER_SHUTDOWN':
      return { kind: 'rejoin', why: 'The SFU is restarting.' };
    default:
      return { kind: 'rejoin', why: SIGNAL_LOST };
  }
}

async function leaveQuietly(room: Room): Promise<void> {
  await atMost(
    room.disconnect().catch(() => undefined),
    LEAVE_MAX_MS,
  );
}

/** The package logs its debugging to the standard output unless NODE_ENV says production while it is loaded. */
async function loadRtc(): Promise<typeof import('@livekit/rtc-node')> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    return await import('@livekit/rtc-node');
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

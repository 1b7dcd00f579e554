import {
  ConnectionState,
  CriticalTimers,
  DisconnectReason,
  RoomEvent as LiveKitEvent,
  LogLevel,
  type ReconnectPolicy,
  Room,
  setLogLevel,
} from 'livekit-client';
import { SentenceError } from '../common/sentence-error.ts';
import { handleForgottenSends } from '../protocol/room/forgotten-sends.ts';
import { createLinkGate } from '../protocol/room/link-gate.ts';
import { createCallers } from '../protocol/room/open-callers.ts';
import { EVENTS_TOPIC, type RoomEvent } from '../protocol/room/room-events.ts';
import { type HeartbeatClock, startHeartbeat } from '../protocol/room/room-heartbeat.ts';
import type { RoomKey } from '../protocol/room/room-key.ts';
import type { PersonInRoom } from '../protocol/room/sfu-session.ts';
import { CALLER_LEFT, CONNECTION_GONE } from '../protocol/texts/room-texts.ts';
import type { CallHandler } from '../protocol/wire/call-deduplicator.ts';
import { CALL_UNPACKED_MAX_BYTES } from '../protocol/wire/limits.ts';
import { METHOD_NAMES } from '../protocol/wire/methods.ts';
import type { WatcherUpdate } from '../protocol/world-stream/audience.ts';
import { WORLD_TOPIC, type WorldPacket } from '../protocol/world-stream/world-frame.ts';
import { announceAtOnce } from './announce.ts';
import type { RoomParticipant } from './connection-state.ts';
import { type Aftermath, afterDisconnect, afterFailedJoin, rejoin, SILENT_FOR_LONG } from './disconnects.ts';
import { heartbeatChannel } from './heartbeat-channel.ts';
import { followParticipants, participantsOf } from './participants.ts';
import { guardResume } from './resume-guard.ts';
import { followWatchers } from './watchers.ts';
import type { Timers } from './worker-timers.ts';

/** A picture for one participant. */
export interface Picture {
  bytes: Uint8Array;
  topic: string;
  name: string;
  attributes: Record<string, string>;
  destinationIdentity: string;
}

/** The presence in a room, from a join to the final disconnect. */
export interface RoomSession {
  /**
   * Sends a JPEG to one participant over a byte stream and closes it.
   * @throws A sentence when the participant has left the room, or the connection is gone.
   */
  sendJpeg(picture: Picture): Promise<void>;
  /** Sends to all participants of the room. A participant that misses it reads the state. */
  sendEvent(event: RoomEvent): void;
  /** Sends packets of the world to all participants of the room; each may be lost. */
  sendWorld(packets: readonly WorldPacket[]): void;
  participants(): RoomParticipant[];
  /** Leaves; `onDisconnected` is not called afterwards. */
  close(): Promise<void>;
}

export interface SessionHandlers {
  onCall: CallHandler;
  onParticipants(participants: RoomParticipant[]): void;
  /** The SFU describes participants: all others in the room after a join, and those that change. */
  onPeople(people: readonly PersonInRoom[], isEverybody: boolean): void;
  onWatchers(update: WatcherUpdate): void;
  /** LiveKit is reconnecting automatically (true), or has done so (false). */
  onReconnecting(reconnecting: boolean): void;
  /** Nothing comes from the room any more although the connection stands (true), or something comes again (false). */
  onSilent(silent: boolean): void;
  onDisconnected(aftermath: Aftermath): void;
  /** The server gave a newer token for the same place. */
  onToken(token: string): void;
  /** Called with the control service's current metadata of the room: JSON text, or empty. */
  onMetadata(metadata: string): void;
}

/**
 * Asks the SFU whether another participant of this tab's name now has its place. Called with a key once the place is lost;
 * false if the server does not answer.
 */
export type IdentityQuestion = (key: RoomKey) => Promise<boolean>;

/** `isIdentityTaken` asks about the session of this join. It is null when the server did not let the tab in. */
export type OpenedSession = { isIdentityTaken: IdentityQuestion | null } & (
  | { ok: true; session: RoomSession }
  | { ok: false; aftermath: Aftermath }
);

/**
 * LiveKit's own waits before a reconnect, except for the first two. After a tab was frozen, the first attempt only shows that the
 * room has given it up, and the robot must be back within 5 s (promise P13).
 */
const RECONNECT_DELAYS_MS = [100, 200, 1_200, 2_700, 4_800, 7_000, 7_000, 7_000, 7_000, 7_000];
const SOON_AGAIN: ReconnectPolicy = {
  nextRetryDelayInMs({ retryCount }) {
    const delayMs = RECONNECT_DELAYS_MS[retryCount];
    // Half to one and a half times the wait, so that tabs which lost their server together do not come back at one instant.
    return delayMs === undefined ? null : delayMs * (0.5 + Math.random());
  },
};

/** Keeps the pace of LiveKit's pings and back-offs in a hidden page. Call it once per page, before the first session. */
export function giveLiveKitTimers(timers: Timers): void {
  // Some of its messages contain the address of the room with the token.
  setLogLevel(LogLevel.silent);
  CriticalTimers.setTimeout = (callback, delayMs) => timers.setTimeout(callback as () => void, Number(delayMs ?? 0));
  CriticalTimers.setInterval = (callback, periodMs) => timers.setInterval(callback as () => void, Number(periodMs ?? 0));
  CriticalTimers.clearTimeout = (id) => timers.clear(Number(id));
  CriticalTimers.clearInterval = (id) => timers.clear(Number(id));
}

/**
 * Reasons that a server may send in the middle of a join. LiveKit hears them and still waits 15 s for its connection. Another
 * attempt then would throw out the participant for whom this tab had to leave.
 */
const GOODBYES = new Set([
  DisconnectReason.DUPLICATE_IDENTITY,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.ROOM_DELETED,
]);

/**
 * Joins a room as the key's identity. The handlers of all methods are registered before the connection is made, so that no call
 * finds a participant without them. Never throws: a failed join returns its aftermath.
 */
export async function openSession(key: RoomKey, handlers: SessionHandlers, signal: AbortSignal): Promise<OpenedSession> {
  // The manager handles leaving on pagehide; LiveKit's own way would also leave when a download link is clicked.
  const room = new Room({
    disconnectOnPageLeave: false,
    adaptiveStream: false,
    dynacast: false,
    reconnectPolicy: SOON_AGAIN,
    dataStream: { maxPayloadByteLength: CALL_UNPACKED_MAX_BYTES },
  });
  let alive = true;
  let stopHeartbeat = (): void => {};

  handleForgottenSends(room.engine);
  announceAtOnce(room);
  let hasReported = false;
  const reportMetadata = (): void => {
    hasReported = true;
    handlers.onMetadata(room.metadata ?? '');
  };
  const callers = createCallers();
  const refusalOf = createLinkGate({
    metadata: () => room.metadata ?? '',
    attributesOf: (identity) => room.remoteParticipants.get(identity)?.attributes,
    nowMs: Date.now,
  });
  room.on(LiveKitEvent.ParticipantDisconnected, ({ identity }) => callers.left(identity));
  room.engine.on('joined', ({ otherParticipants }) => alive && handlers.onPeople(otherParticipants, true));
  room.engine.on('participantUpdate', (people) => {
    const others = people.filter(({ identity }) => identity !== key.identity);
    if (alive) handlers.onPeople(others, false);
  });
  room.on(LiveKitEvent.ParticipantConnected, ({ identity }) => callers.back(identity));
  for (const method of METHOD_NAMES) {
    room.registerRpcMethod(method, async ({ requestId, callerIdentity, payload }) => {
      const ended = callers.begin(callerIdentity);
      // A latched emergency stop stands in the metadata: no call comes before it.
      if (!hasReported) reportMetadata();
      try {
        const refusal = refusalOf({ requestId, callerIdentity, payload, method });
        if (refusal !== null) return refusal;
        const reply = await handlers.onCall({ requestId, callerIdentity, payload, method });
        // Without the connection that brought the call, a reply has nowhere to go.
        return alive ? reply : new Promise<never>(() => {});
      } finally {
        ended();
      }
    });
  }
  followParticipants(room, (participants) => handlers.onParticipants(participants));
  followWatchers(room, (update) => alive && handlers.onWatchers(update));

  const onAbort = (): void => void room.disconnect();
  signal.addEventListener('abort', onAbort, { once: true });
  let over = (_reason: DisconnectReason | undefined): void => {};
  const lostInJoin = new Promise<Aftermath>((resolve) => {
    over = (reason) => resolve(afterDisconnect(reason));
    room.on(LiveKitEvent.Disconnected, (reason) => {
      if (reason !== undefined && GOODBYES.has(reason)) over(reason);
    });
  });
  const guard = guardResume(room.engine, key.identity, HEARTBEAT_CLOCK, () => over(DisconnectReason.DUPLICATE_IDENTITY));
  let sid: string | null = null;
  room.once(LiveKitEvent.SignalConnected, () => {
    sid = room.localParticipant.sid;
  });
  // A later join of this tab whose answer got lost stays in the room for a while, but makes no connection.
  const identityQuestion = (): IdentityQuestion | null => {
    const mine = sid;
    return mine === null ? null : ({ sfuUrl: url, token }) => guard.isTakenOver({ url, token, sid: mine }, 'connected');
  };
  /**
   * Asks whether another has the place. A tab that lost it may have been displaced without notice; another join would displace
   * the other.
   */
  const afterAsking = async (aftermath: Aftermath): Promise<Aftermath> => {
    if (aftermath.kind === 'end' || sid === null || signal.aborted) return aftermath;
    const isTakenOver = await guard.isTakenOver({ url: key.sfuUrl, token: key.token, sid });
    return isTakenOver ? afterDisconnect(DisconnectReason.DUPLICATE_IDENTITY) : aftermath;
  };
  room.on(LiveKitEvent.Reconnecting, () => {
    // The place in the room is lost. LiveKit would also leave and join, but reports it only after seconds, and asks no one.
    over(DisconnectReason.SIGNAL_CLOSE);
    void room.disconnect();
  });
  try {
    const joined = room.connect(key.sfuUrl, key.token, { autoSubscribe: false });
    const aftermath = await Promise.race([joined.then(() => null), lostInJoin]);
    if (aftermath) {
      alive = false;
      joined.catch(() => {});
      await room.disconnect();
      return { ok: false, aftermath: await afterAsking(aftermath), isIdentityTaken: identityQuestion() };
    }
    if (signal.aborted) throw new Error('aborted');
  } catch (error) {
    alive = false;
    await room.disconnect();
    return { ok: false, aftermath: await afterAsking(afterFailedJoin(error)), isIdentityTaken: identityQuestion() };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }

  const lost = (aftermath: Aftermath): void => {
    const wasAlive = alive;
    alive = false;
    stopHeartbeat();
    if (wasAlive) handlers.onDisconnected(aftermath);
  };
  over = (reason) => lost(afterDisconnect(reason));
  room.on(LiveKitEvent.ConnectionStateChanged, (state) => {
    if (state === ConnectionState.SignalReconnecting) handlers.onReconnecting(true);
    else if (state === ConnectionState.Connected) handlers.onReconnecting(false);
  });
  room.once(LiveKitEvent.Disconnected, (reason) => over(reason));
  room.on(LiveKitEvent.RoomMetadataChanged, reportMetadata);
  reportMetadata();
  room.engine.on('tokenRefreshed', (token) => handlers.onToken(token));
  const heartbeat = startHeartbeat(heartbeatChannel(room), HEARTBEAT_CLOCK, {
    onSilent: () => handlers.onSilent(true),
    onHeard: () => handlers.onSilent(false),
    onStale() {
      lost(rejoin(SILENT_FOR_LONG));
      void room.disconnect();
    },
  });
  stopHeartbeat = () => heartbeat.stop();

  // Pictures share one channel. Sending them one after the other keeps a large one from starving those that came first.
  let lastSent: Promise<unknown> = Promise.resolve();
  return {
    ok: true,
    isIdentityTaken: identityQuestion(),
    session: {
      sendJpeg({ bytes, destinationIdentity, ...header }) {
        const sent = lastSent.then(async () => {
          if (!alive) throw new SentenceError(CONNECTION_GONE);
          if (callers.hasLeft(destinationIdentity)) throw new SentenceError(CALLER_LEFT);
          await room.localParticipant.sendBytes(bytes, {
            ...header,
            mimeType: 'image/jpeg',
            destinationIdentities: [destinationIdentity],
            compress: false,
          });
        });
        lastSent = sent.catch(() => {});
        return sent;
      },
      sendEvent(event) {
        if (!alive) return;
        const bytes = new TextEncoder().encode(JSON.stringify(event));
        room.localParticipant.publishData(bytes, { reliable: true, topic: EVENTS_TOPIC }).catch(() => undefined);
      },
      sendWorld(packets) {
        if (!alive) return;
        for (const packet of packets)
          room.localParticipant.publishData(packet, { reliable: false, topic: WORLD_TOPIC }).catch(() => undefined);
      },
      participants: () => participantsOf(room),
      async close() {
        alive = false;
        stopHeartbeat();
        await room.disconnect();
      },
    },
  };
}

/** LiveKit's own timers, which keep their pace in a hidden page. */
const HEARTBEAT_CLOCK: HeartbeatClock = {
  nowMs: () => performance.now(),
  after(ms, act) {
    const timer = CriticalTimers.setTimeout(act, ms);
    return () => CriticalTimers.clearTimeout(timer);
  },
};

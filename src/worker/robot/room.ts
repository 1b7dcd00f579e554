import type { Room } from '@livekit/rtc-node';
import { loadQuietly } from '../../common/load-quietly.ts';
import { SentenceError } from '../../common/sentence-error.ts';
import { createLinkGate } from '../../protocol/room/link-gate.ts';
import { createCallers } from '../../protocol/room/open-callers.ts';
import { EVENTS_TOPIC, type RoomEvent } from '../../protocol/room/room-events.ts';
import { startHeartbeat } from '../../protocol/room/room-heartbeat.ts';
import type { PersonInRoom, SfuSession } from '../../protocol/room/sfu-session.ts';
import { CALLER_LEFT, CONNECTION_GONE } from '../../protocol/texts/room-texts.ts';
import type { CallHandler } from '../../protocol/wire/call-deduplicator.ts';
import { CALL_UNPACKED_MAX_BYTES } from '../../protocol/wire/limits.ts';
import { METHOD_NAMES } from '../../protocol/wire/methods.ts';
import { POSES_TOPIC } from '../../protocol/wire/pose-packets.ts';
import { createPoseReceiver } from '../../protocol/wire/pose-receiver.ts';
import { createAudience, type WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import { WORLD_TOPIC, type WorldPacket } from '../../protocol/world-stream/world-frame.ts';
import type { SentJpeg } from '../../runtime/host/carry-out-capture.ts';
import type { Place } from '../robot-messages.ts';
import { type Aftermath, afterDisconnect, afterNoPort, NO_ANSWER, NO_MEDIA, rejoin, SILENT_FOR_LONG } from './aftermath.ts';
import { heartbeatChannel } from './heartbeat-channel.ts';
import { openSignalGate } from './signal-gate.ts';
import { after, atMost, pause } from './wait.ts';

/** One connection to the room, from a join to the final disconnect. */
export interface OpenRoom {
  /** Sends to all participants in the room. A participant that misses it reads the state. */
  sendEvent(event: RoomEvent): void;
  /** Sends a JPEG to one participant over a byte stream and closes it. @throws Error with a sentence */
  sendJpeg(picture: SentJpeg): Promise<void>;
  /** Leaves; `onDisconnected` is not called afterwards. Settles within seconds in any case. */
  leave(): Promise<void>;
  /** Sends packets of the world to all participants in the room; each may be lost. */
  sendWorld(packets: readonly WorldPacket[]): void;
  /** Returns the name of a participant, or of the robot itself if `identity` is null. Null if there is no name. */
  nameOf(identity: string | null): string | null;
}

export interface RoomHandlers {
  onCall: CallHandler;
  /** The control service's metadata of the room, now and after each change: JSON text, or empty. */
  onMetadata(metadata: string): void;
  /** The SFU describes participants: all others in the room after a join, and those that change. */
  onPeople(people: readonly PersonInRoom[], isEverybody: boolean): void;
  /** The watchers of the robot have changed. */
  onWatchers(update: WatcherUpdate): void;
  onReconnecting(reconnecting: boolean): void;
  /** Nothing arrives from the room (true), or something does again (false); `unheardMs` is the time since the last arrival. */
  onSilent(silent: boolean, unheardMs: number): void;
  /** The SFU has issued a token to the robot for later use. */
  onToken(token: string): void;
  onDisconnected(aftermath: Aftermath): void;
  /** LiveKit's package does not load; the join that is under way ends with `cannot_join`. */
  onNotLoaded(thrown: unknown): void;
}

/** The result of a join. `sfuSession` is the SFU's description of the session, null if it did not admit the robot. */
export type Opened = { sfuSession: SfuSession | null } & ({ ok: true; room: OpenRoom } | { ok: false; aftermath: Aftermath });

const JOIN_MAX_MS = 20_000;
/** The SFU may never answer a leave if the room ends at the same moment. The room counts as left after this time. */
const LEAVE_MAX_MS = 2_000;
/** A picture of some hundred kilobytes takes this long only on a connection that is nearly dead. */
const SEND_MAX_MS = 30_000;

/**
 * Joins a room over `@livekit/rtc-node`. The package creates the participant, on which methods are registered, only after it has
 * joined. So methods are registered in the same turn of the event loop, before any other event of the room is handled. Never
 * throws: a failed join returns the next step.
 */
export async function openRoom(place: Place, handlers: RoomHandlers): Promise<Opened> {
  const rtc = await loadQuietly(process.env, () => import('@livekit/rtc-node')).catch((thrown) => {
    handlers.onNotLoaded(thrown);
    return null;
  });
  // A module that failed to load stays failed for the life of a process.
  if (rtc === null) return { ok: false, aftermath: { kind: 'end', end: 'cannot_join' }, sfuSession: null };
  const room = new rtc.Room();
  let alive = true;
  let isIn = false;
  let stopHeartbeat = (): void => {};
  let ended: Aftermath | null = null;
  let wake = (): void => {};
  const endedInJoin = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const end = (aftermath: Aftermath): void => {
    if (ended || !alive) return;
    ended = aftermath;
    wake();
    if (!isIn) return;
    void leave();
    handlers.onDisconnected(aftermath);
  };
  const opened = await openSignalGate(place, end, handlers).catch(afterNoPort);
  if ('kind' in opened) return { ok: false, aftermath: opened, sfuSession: null };
  const gate = opened;
  async function leave(): Promise<void> {
    alive = false;
    stopHeartbeat();
    await leaveQuietly(room);
    gate.close();
  }

  // Before the join, because the room may be lost again at the moment of entry.
  room.on('disconnected', (reason) => end(afterDisconnect(Number(reason))));
  room.on('reconnecting', () => isIn && handlers.onReconnecting(true));
  room.on('reconnected', () => isIn && handlers.onReconnecting(false));
  room.on('roomMetadataChanged', (metadata) => isIn && handlers.onMetadata(metadata));
  const callers = createCallers();
  const refusalOf = createLinkGate({
    metadata: () => room.metadata ?? '',
    attributesOf: (identity) => room.remoteParticipants.get(identity)?.attributes,
    nowMs: Date.now,
  });
  room.on('participantConnected', ({ identity }) => callers.back(identity));
  room.on('participantDisconnected', ({ identity }) => callers.left(identity));
  const audience = createAudience(
    () => room.remoteParticipants.values(),
    (update) => alive && handlers.onWatchers(update),
  );
  for (const event of ['participantConnected', 'participantDisconnected', 'participantAttributesChanged', 'reconnected'] as const)
    room.on(event, () => isIn && audience.look());
  let hasReported = false;

  const reportMetadata = (): void => {
    hasReported = true;
    handlers.onMetadata(room.metadata ?? '');
  };
  const answerPose = (to: string, packet: string): void => {
    const options = { reliable: false, topic: POSES_TOPIC, destination_identities: [to] };
    if (alive) room.localParticipant?.publishData(new TextEncoder().encode(packet), options).catch(() => undefined);
  };
  const onCall: CallHandler = async (call) => refusalOf(call) ?? handlers.onCall(call);
  const takePose = createPoseReceiver(onCall, answerPose, () => performance.now());
  room.on('dataReceived', (bytes, participant, _kind, topic) => {
    if (participant === undefined) audience.heard(topic);
    if (participant === undefined || topic !== POSES_TOPIC || !isIn) return;
    // As for a call: the metadata contains a latched emergency stop.
    if (!hasReported) reportMetadata();
    takePose(new TextDecoder().decode(bytes), participant.identity);
  });

  const dataStream = { maxPayloadByteLength: CALL_UNPACKED_MAX_BYTES };
  const joining = room.connect(gate.url, place.token, { autoSubscribe: false, dynacast: false, dataStream }).then(
    () => {
      for (const method of METHOD_NAMES) {
        room.localParticipant?.registerRpcMethod(method, async ({ requestId, callerIdentity, payload }) => {
          // The metadata contains a latched emergency stop, so no call may come before it.
          if (!hasReported) reportMetadata();
          const ended = callers.begin(callerIdentity);
          const reply = await onCall({ requestId, callerIdentity, payload, method }).finally(ended);
          // Without the connection of the call, a reply cannot be delivered; passing it to the package would be a fault.
          return alive ? reply : new Promise<never>(() => {});
        });
      }
      return true;
    },
    // The text of the error may contain the token. The gate has already reported the known facts.
    () => false,
  );
  await Promise.race([joining, endedInJoin, pause(JOIN_MAX_MS)]);
  if (ended || !room.isConnected) {
    const sfuSession = gate.sfuSession();
    const aftermath = afterFailedJoin(ended, sfuSession);
    alive = false;
    gate.close();
    // The package cannot abort a join. Nothing that it does reaches the SFU from here on.
    void joining.then((hasJoined) => (hasJoined ? leaveQuietly(room) : undefined));
    return { ok: false, aftermath, sfuSession };
  }
  isIn = true;
  reportMetadata();
  audience.look();
  const heartbeat = startHeartbeat(
    heartbeatChannel(room),
    { nowMs: () => performance.now(), after },
    {
      onSilent: (unheardMs) => handlers.onSilent(true, unheardMs),
      onHeard: (unheardMs) => handlers.onSilent(false, unheardMs),
      onStale: () => end(rejoin(SILENT_FOR_LONG)),
    },
  );
  stopHeartbeat = () => heartbeat.stop();
  const sendEvent = (event: RoomEvent): void => {
    if (!alive) return;
    const bytes = new TextEncoder().encode(JSON.stringify(event));
    room.localParticipant?.publishData(bytes, { reliable: true, topic: EVENTS_TOPIC }).catch(() => undefined);
  };
  function sendWorld(packets: readonly WorldPacket[]): void {
    if (!alive) return;
    for (const packet of packets)
      room.localParticipant?.publishData(packet, { reliable: false, topic: WORLD_TOPIC }).catch(() => undefined);
  }
  // One after the other, as in a tab, so that a large picture does not delay an earlier one.
  let lastSent: Promise<unknown> = Promise.resolve();
  function sendJpeg(picture: SentJpeg): Promise<void> {
    const sent = lastSent.then(() => sendOne(picture));
    lastSent = sent.catch(() => undefined);
    return sent;
  }
  async function sendOne({ bytes, destinationIdentity, ...header }: SentJpeg): Promise<void> {
    if (!alive || !room.localParticipant) throw new SentenceError(CONNECTION_GONE);
    if (callers.hasLeft(destinationIdentity)) throw new SentenceError(CALLER_LEFT);
    const options = {
      ...header,
      mimeType: 'image/jpeg',
      totalSize: bytes.byteLength,
      destinationIdentities: [destinationIdentity],
    };
    const writing = room.localParticipant.streamBytes(options).then(async (writer) => {
      await writer.write(bytes);
      await writer.close();
      return true;
    });
    // The package's error texts do not help a caller that asks for a picture.
    const isSent = await atMost(
      writing.catch(() => false),
      SEND_MAX_MS,
    );
    if (!isSent) throw new SentenceError(alive ? NOT_SENT : CONNECTION_GONE);
  }
  function nameOf(identity: string | null): string | null {
    const participant = identity === null ? room.localParticipant : room.remoteParticipants.get(identity);
    return participant?.name || null;
  }
  return { ok: true, room: { leave, sendEvent, sendJpeg, sendWorld, nameOf }, sfuSession: gate.sfuSession() };
}

function afterFailedJoin(ended: Aftermath | null, sfuSession: SfuSession | null): Aftermath {
  if (ended?.kind === 'end') return ended;
  return { kind: 'rejoin', why: sfuSession ? NO_MEDIA : (ended?.why ?? NO_ANSWER) };
}

const NOT_SENT = 'The picture could not be sent. Ask again, or for a smaller picture.';

async function leaveQuietly(room: Room): Promise<void> {
  await atMost(
    room.disconnect().catch(() => undefined),
    LEAVE_MAX_MS,
  );
}

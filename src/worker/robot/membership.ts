import { errorFacts } from '../../common/error-facts.ts';
import { createRoomPatience, rejoinWaitMs } from '../../protocol/room/rejoin-wait.ts';
import type { RobotEnd } from '../../protocol/room/robot-end.ts';
import type { RoomEvent } from '../../protocol/room/room-events.ts';
import { createReach, type OutOfReach } from '../../protocol/room/room-reach.ts';
import { createRoomSessions } from '../../protocol/room/room-sessions.ts';
import type { SfuSession } from '../../protocol/room/sfu-session.ts';
import { NOT_IN_ROOM } from '../../protocol/texts/room-texts.ts';
import type { CallHandler } from '../../protocol/wire/call-deduplicator.ts';
import { NOBODY_WATCHES, type WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import type { WorldPacket } from '../../protocol/world-stream/world-frame.ts';
import type { SentJpeg } from '../../runtime/host/carry-out-capture.ts';
import type { Log } from '../log.ts';
import type { FreshKey, Place } from '../robot-messages.ts';
import { type Aftermath, NO_ANSWER } from './aftermath.ts';
import { isIdentityTaken } from './identity-question.ts';
import { probePlace } from './probe.ts';
import { lengthened } from './renewed-token.ts';
import { type OpenRoom, openRoom } from './room.ts';
import { after, pause } from './wait.ts';

export interface MembershipDeps {
  onCall: CallHandler;
  onMetadata(metadata: string): void;
  /** A participant has left the room. */
  onLeft(identity: string): void;
  /** The watchers of the robot have changed. It has none while it is in no room. */
  onWatchers(update: WatcherUpdate): void;
  /** The robot has entered the room, first or again. */
  onJoined(): void;
  /** In the room, or back in it after an interruption or a silence: calls arrive. */
  onReachable(): void;
  /** The robot is unreachable. Called once, until it can be reached again. */
  onLost(why: OutOfReach): void;
  /** Returns a newer key for the same place, or null. */
  freshKey(): Promise<FreshKey | null>;
  /** Whether a newer key will come. If so, a rejected token does not end the rejoin. */
  renewsKeys: boolean;
  log: Log;
}

/** The robot's presence in a room until it is over, through every rejoin. */
export interface Membership {
  /** Settles with the reason when it is over, `ended` after `leave`. */
  readonly over: Promise<RobotEnd>;
  /** Sends to all participants in the room; does nothing if the robot is in no room. */
  sendEvent(event: RoomEvent): void;
  /** The room may exist again. */
  nudge(): void;
  /** Sends a JPEG to one participant. @throws Error with a sentence, also while the robot is in no room */
  sendJpeg(picture: SentJpeg): Promise<void>;
  /** Sends packets to all watchers. Without a room they are lost; any packet may be lost. */
  sendWorld(packets: readonly WorldPacket[]): void;
  /** Returns the name of a participant, or of the robot itself if `identity` is null. Null if there is no name or no room. */
  nameOf(identity: string | null): string | null;
  leave(): Promise<void>;
}

/** Of the attempts after the first, every how many are logged. */
const LOG_EVERY = 20;

/** Joins, lets LiveKit resume, rejoins when it has given up, and reports why it is over. */
export function openMembership(first: Place, deps: MembershipDeps): Membership {
  const left = new AbortController();
  let place = first;
  const sessions = createRoomSessions((identity) => deps.onLeft(identity));
  let room: OpenRoom | null = null;
  /** The current session, or the last one. */
  let sfuSession: SfuSession | null = null;
  let kick: (() => void) | null = null;
  let lost: ((aftermath: Aftermath) => void) | null = null;
  const reach = createReach(after, deps);

  async function live(): Promise<RobotEnd> {
    let why: string | null = null;
    while (!left.signal.aborted) {
      const outcome: Aftermath = await enter(why);
      if (outcome.kind === 'end') return outcome.end;
      why = outcome.why;
    }
    return 'ended';
  }

  /**
   * Attempts until the room was entered and lost again, or it is over. `why` is a sentence for a rejoin, null for the first join.
   */
  async function enter(why: string | null): Promise<Aftermath> {
    const mayBeBack = createRoomPatience(() => performance.now());
    let reason = why;
    let reported: string | null = null;
    for (let failures = why === null ? 0 : 1; !left.signal.aborted; failures += 1) {
      if (failures > 0) {
        if (reason !== reported || failures % LOG_EVERY === 0) {
          deps.log({ level: 'warn', event: 'robot_rejoins', attempt: failures, message: reason ?? NO_ANSWER });
        }
        reported = reason;
        await wait(rejoinWaitMs(failures, Math.random()));
        if (left.signal.aborted) break;
        const key = await deps.freshKey();
        if (key !== null) place = { ...place, ...key };
      }
      const outcome = await attempt();
      if (left.signal.aborted) break;
      if (outcome.kind === 'lost') return outcome.aftermath;
      if (outcome.kind === 'rejoin') {
        reason = outcome.why;
        continue;
      }
      if (failures === 0) return outcome;
      if (deps.renewsKeys && (outcome.end === 'refused' || outcome.end === 'key_expired')) {
        reason = OLD_KEY;
        continue;
      }
      if (outcome.end !== 'session_deleted') return outcome;
      // The robot was not informed that its session is over.
      if (!mayBeBack()) return { kind: 'end', end: 'room_gone' };
      reason = NO_ROOM;
    }
    return { kind: 'end', end: 'ended' };
  }

  /**
   * Makes one join. Settles with `lost` when the room was entered and is lost again. If it was not entered, settles at once with
   * the next step.
   */
  async function attempt(): Promise<Aftermath | { kind: 'lost'; aftermath: Aftermath }> {
    const probed = await probePlace(place);
    if (probed.kind === 'refused') return { kind: 'end', end: probed.end };
    if (probed.kind === 'unreachable') return { kind: 'rejoin', why: NO_ANSWER };
    if (sfuSession && (await isIdentityTaken(place, sfuSession))) return { kind: 'end', end: 'taken_over' };
    if (left.signal.aborted) return { kind: 'end', end: 'ended' };
    const losing = new Promise<Aftermath>((resolve) => {
      lost = resolve;
    });
    const opened = await openRoom(place, {
      onCall: deps.onCall,
      onMetadata: deps.onMetadata,
      onPeople: (people, isEverybody) => (isEverybody ? sessions.joined(people) : sessions.heard(people)),
      onWatchers: deps.onWatchers,
      onReconnecting(reconnecting) {
        deps.log({ level: 'info', event: reconnecting ? 'robot_reconnecting' : 'robot_reconnected' });
        reach.reconnecting(reconnecting);
      },
      onSilent(silent, unheardMs) {
        const unheard_ms = Math.round(unheardMs);
        if (silent) deps.log({ level: 'warn', event: 'robot_silent', unheard_ms, message: NOTHING_COMES });
        else deps.log({ level: 'info', event: 'robot_heard', unheard_ms, message: COMES_AGAIN });
        reach.silent(silent);
      },
      onToken(token) {
        place = lengthened(place, token, Date.now()) ?? place;
      },
      onDisconnected: (aftermath) => lost?.(aftermath),
      onNotLoaded: (thrown) => deps.log({ level: 'error', event: 'room_not_loaded', ...errorFacts(thrown) }),
    });
    sfuSession = opened.sfuSession ?? sfuSession;
    if (!opened.ok) return opened.aftermath;
    if (left.signal.aborted) {
      await opened.room.leave();
      return { kind: 'end', end: 'ended' };
    }
    room = opened.room;
    reach.joined();
    deps.onJoined();
    const aftermath = await losing;
    room = null;
    deps.onWatchers(NOBODY_WATCHES);
    if (aftermath.kind === 'rejoin') reach.left();
    else reach.over();
    return { kind: 'lost', aftermath };
  }

  async function wait(ms: number): Promise<void> {
    const kicked = new AbortController();
    kick = () => kicked.abort();
    await pause(ms, AbortSignal.any([kicked.signal, left.signal]));
    kick = null;
  }

  return {
    over: live(),
    sendEvent: (event) => room?.sendEvent(event),
    nudge: () => kick?.(),
    async sendJpeg(picture) {
      if (room === null) throw new Error(NOT_IN_ROOM);
      await room.sendJpeg(picture);
    },
    sendWorld: (packets) => room?.sendWorld(packets),
    nameOf: (identity) => room?.nameOf(identity) ?? null,
    async leave() {
      left.abort();
      const leaving = room?.leave();
      lost?.({ kind: 'end', end: 'ended' });
      await leaving;
    },
  };
}

const NO_ROOM = 'The room is not there; perhaps the SFU has just restarted.';
const OLD_KEY =
  'The SFU does not accept the token; perhaps it has other keys since it was started again. The next one may be good.';
const NOTHING_COMES =
  'The room sends nothing any more, although the connection is open: the robot stops, because no one could stop it.';
const COMES_AGAIN = 'The room sends again: the robot takes commands, and does not resume what it did before.';

import type { CallHandler } from '../../protocol/call-desk.ts';
import { rejoinWaitMs } from '../../protocol/rejoin-wait.ts';
import { createReach, type OutOfReach } from '../../protocol/room-reach.ts';
import type { Log } from '../log.ts';
import type { Place, RobotEnd } from '../robot-messages.ts';
import { probePlace } from './probe.ts';
import { type Aftermath, type OpenRoom, openRoom } from './room.ts';
import { after, pause } from './wait.ts';

export interface StayDeps {
  onCall: CallHandler;
  onMetadata(metadata: string): void;
  /** In the room, for the first time or again. */
  onJoined(): void;
  /** In the room, or back in it after a hiccup or a silence: calls come in. */
  onReachable(): void;
  /** Nobody can reach the robot. Once, until it can be reached again. */
  onLost(why: OutOfReach): void;
  /** A fresher token for the same place, or null. */
  freshToken(): Promise<string | null>;
  log: Log;
}

/** Being in a room until it is over, through every rejoin. */
export interface Stay {
  /** Settles with the reason when it is over, `ended` after `leave`. */
  readonly over: Promise<RobotEnd>;
  /** The room may be there again. */
  nudge(): void;
  leave(): Promise<void>;
}

/** Of the attempts after the first. */
const LOG_EVERY = 20;
/** A server that started anew knows no room until the platform makes its rooms again, which is a matter of a second. */
const ROOM_BACK_WITHIN_MS = 10_000;

/** Joins, lets LiveKit resume, joins again when it has given up, and says why it is over. */
export function openStay(first: Place, deps: StayDeps): Stay {
  const left = new AbortController();
  let place = first;
  let room: OpenRoom | null = null;
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

  /** Attempts until the room was entered and lost again, or it is over. `why` is a sentence for a rejoin, null for the first join. */
  async function enter(why: string | null): Promise<Aftermath> {
    let missingSinceMs: number | null = null;
    for (let failures = why === null ? 0 : 1; !left.signal.aborted; failures += 1) {
      if (failures > 0) {
        if (failures === 1 || failures % LOG_EVERY === 0) {
          deps.log({ level: 'warn', event: 'robot_rejoins', attempt: failures, message: why ?? NO_ANSWER });
        }
        await wait(rejoinWaitMs(failures, Math.random()));
        if (left.signal.aborted) break;
        const token = await deps.freshToken();
        if (token !== null) place = { ...place, token };
      }
      const probed = await probePlace(place);
      if (left.signal.aborted) break;
      if (probed.kind === 'welcome') {
        const lostAgain = await attempt();
        if (lostAgain) return lostAgain;
      } else if (probed.kind === 'refused') {
        missingSinceMs ??= performance.now();
        const mayComeBack = failures > 0 && probed.end === 'session_deleted';
        if (!mayComeBack || performance.now() - missingSinceMs > ROOM_BACK_WITHIN_MS) return { kind: 'end', end: probed.end };
      }
    }
    return { kind: 'end', end: 'ended' };
  }

  /** One join. Settles when the room is lost; at once with null when it could not be joined. */
  async function attempt(): Promise<Aftermath | null> {
    const losing = new Promise<Aftermath>((resolve) => {
      lost = resolve;
    });
    try {
      const opened = await openRoom(place, {
        onCall: deps.onCall,
        onMetadata: deps.onMetadata,
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
        onDisconnected: (aftermath) => lost?.(aftermath),
      });
      if (left.signal.aborted) {
        await opened.leave();
        return null;
      }
      room = opened;
    } catch {
      return null;
    }
    reach.joined();
    deps.onJoined();
    const aftermath = await losing;
    room = null;
    if (aftermath.kind === 'rejoin') reach.left();
    else reach.over();
    return aftermath;
  }

  async function wait(ms: number): Promise<void> {
    const kicked = new AbortController();
    kick = () => kicked.abort();
    await pause(ms, AbortSignal.any([kicked.signal, left.signal]));
    kick = null;
  }

  return {
    over: live(),
    nudge: () => kick?.(),
    async leave() {
      left.abort();
      const leaving = room?.leave();
      lost?.({ kind: 'end', end: 'ended' });
      await leaving;
    },
  };
}

const NO_ANSWER = 'The SFU does not answer.';
const NOTHING_COMES =
  'Nothing comes from the room any more, though the connection stands: the robot stops, for nobody could stop it.';
const COMES_AGAIN = 'The room is heard again: the robot takes commands, and does not go on with what it did before.';

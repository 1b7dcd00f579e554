import { ROOM_SILENT_AFTER_MS, ROOM_STALE_AFTER_MS } from '../wire/limits.ts';
import { createSilenceWatch, type ReceivedCounts, type SilenceWatch } from './room-silence.ts';

/** The counts of everything received from the SFU so far. */
export interface Received {
  /** All packets. */
  all: ReceivedCounts;
  /**
   * The packets which show that the SFU received data from this side: answers to the checks that a connection makes of itself
   * (RFC 7675).
   */
  answers: ReceivedCounts;
}

/** A packet whose only receiver is its sender: the SFU acknowledges it and forwards it to no one. */
export const HEARTBEAT = new Uint8Array(1);
export const HEARTBEAT_TOPIC = 'simplesim.beat';

/** A connection to a room as the heartbeat needs it. */
export interface HeartbeatChannel {
  /** Sends BEAT under its topic. May fail, or settle late or never. */
  sendHeartbeat(): Promise<unknown>;
  /** May fail, or settle late or never. */
  received(): Promise<Received>;
}

/** A monotonic clock in milliseconds, and a way to wait. */
export interface HeartbeatClock {
  nowMs(): number;
  /** @returns a function that cancels the wait */
  after(ms: number, act: () => void): () => void;
}

export interface HeartbeatEvents {
  /** Called when nothing has come from the room for so long that its runtime must count as out of reach. */
  onSilent(unheardMs: number): void;
  /** Called when packets come again. */
  onHeard(unheardMs: number): void;
  /**
   * Called when the room answers again after so long that it should be joined again. An SFU repeats unacknowledged packets after
   * 1, 2, 4, 8, … s (RFC 9260, 6.3.3) and keeps later packets behind them: calls would be delayed again by the length of the
   * break.
   */
  onStale(unansweredMs: number): void;
}

export interface Heartbeat {
  isSilent(): boolean;
  stop(): void;
}

/** Unanswered heartbeats; at this number no more are sent, so that none pile up behind a connection that is being restored. */
const HEARTBEATS_UNDER_WAY_MAX = 8;

/**
 * Notices within {@link ROOM_SILENT_AFTER_MS} and one heartbeat that nothing comes from a room any more. LiveKit itself takes
 * more than ten seconds when a connection ends silently. Its SFU does not return a participant's own packets, but it acknowledges
 * each packet of data, and the acknowledgement counts as a received packet.
 */
export function startHeartbeat(channel: HeartbeatChannel, clock: HeartbeatClock, events: HeartbeatEvents): Heartbeat {
  const watch = createSilenceWatch(clock.nowMs(), ROOM_SILENT_AFTER_MS);
  // Null until the first answer: until then the connection is being set up, which may take time.
  let answers: SilenceWatch | null = null;
  let silent = false;
  let stopped = false;
  let looking = false;
  let underWay = 0;
  let giveUp = (): void => {};

  function judge(received: Received | null): void {
    if (stopped) return;
    const nowMs = clock.nowMs();
    const unheardMs = watch.unheardMs(nowMs);
    const change = watch.look(received?.all ?? null, nowMs);
    if (received !== null && hasCome(received.answers)) answers ??= createSilenceWatch(nowMs, ROOM_STALE_AFTER_MS);
    const unansweredMs = answers?.unheardMs(nowMs) ?? 0;
    if (answers?.look(received?.answers ?? null, nowMs) === 'heard') {
      events.onStale(unansweredMs);
      return;
    }
    if (change === null) return;
    silent = change === 'silent';
    if (silent) events.onSilent(unheardMs);
    else events.onHeard(unheardMs);
  }

  function tick(): void {
    watch.pass(clock.nowMs());
    answers?.pass(clock.nowMs());
    // A check without an answer gives no information, and detecting silence must not wait for it.
    if (looking) judge(null);
    else look();
    if (stopped) return;
    if (underWay < HEARTBEATS_UNDER_WAY_MAX) sendHeartbeat();
    giveUp = clock.after(watch.periodMs(), tick);
  }

  function look(): void {
    looking = true;
    settled(
      () => channel.received(),
      (received) => {
        looking = false;
        judge(received);
      },
    );
  }

  function sendHeartbeat(): void {
    underWay += 1;
    settled(
      () => channel.sendHeartbeat(),
      () => {
        underWay -= 1;
      },
    );
  }

  tick();
  return {
    isSilent: () => silent,
    stop() {
      stopped = true;
      giveUp();
    },
  };
}

const hasCome = (counts: ReceivedCounts): boolean => [...counts.values()].some((count) => count > 0);

/** Passes on the result of a call, null when it fails. */
function settled<T>(call: () => Promise<T>, then: (value: T | null) => void): void {
  void Promise.resolve()
    .then(call)
    .catch(() => null)
    .then(then);
}

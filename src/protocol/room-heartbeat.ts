import { ROOM_SILENT_AFTER_MS, ROOM_STALE_AFTER_MS } from './limits.ts';
import { createSilenceWatch, type ReceivedCounts, type SilenceWatch } from './room-silence.ts';

/** The counts of everything received from the SFU so far. */
export interface Received {
  /** All packets. */
  all: ReceivedCounts;
  /** The packets that show that the SFU heard this side: answers to the checks that a connection makes of itself (RFC 7675). */
  answers: ReceivedCounts;
}

/** A packet whose only receiver is its sender: the SFU acknowledges it and hands it to nobody. */
export const BEAT = new Uint8Array(1);
export const BEAT_TOPIC = 'simplesim.beat';

/** A connection to a room as the heartbeat needs it. */
export interface BeatLine {
  /** Sends BEAT under its topic. May fail, or settle late or never. */
  beat(): Promise<unknown>;
  /** May fail, or settle late or never. */
  received(): Promise<Received>;
}

/** Milliseconds that never go back, and a way to wait. */
export interface BeatClock {
  nowMs(): number;
  /** @returns a function that cancels the wait */
  after(ms: number, act: () => void): () => void;
}

export interface HeartbeatEvents {
  /** Nothing has come from the room for so long that its runtime must count as out of reach. */
  onSilent(unheardMs: number): void;
  /** Packets come again. */
  onHeard(unheardMs: number): void;
  /**
   * The room answers again, after so long that it is better joined anew. An SFU repeats unacknowledged packets after 1, 2, 4, 8,
   * … s (RFC 9260, 6.3.3), and keeps later packets behind them: so calls would be delayed again by as long as the break was.
   */
  onStale(unansweredMs: number): void;
}

export interface Heartbeat {
  isSilent(): boolean;
  stop(): void;
}

/** Unanswered beats; at this number no more are sent, so that none pile up behind a connection that is being restored. */
const BEATS_UNDER_WAY_MAX = 8;

/**
 * Notices within {@link ROOM_SILENT_AFTER_MS} and one beat that nothing comes from a room any more. LiveKit itself takes more
 * than ten seconds when a connection ends silently. Its SFU returns nobody's own packets; but it acknowledges each packet of
 * data, and the acknowledgement is counted among the received packets.
 */
export function startHeartbeat(line: BeatLine, clock: BeatClock, events: HeartbeatEvents): Heartbeat {
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
    const turn = watch.look(received?.all ?? null, nowMs);
    if (received !== null && hasCome(received.answers)) answers ??= createSilenceWatch(nowMs, ROOM_STALE_AFTER_MS);
    const unansweredMs = answers?.unheardMs(nowMs) ?? 0;
    if (answers?.look(received?.answers ?? null, nowMs) === 'heard') {
      events.onStale(unansweredMs);
      return;
    }
    if (turn === null) return;
    silent = turn === 'silent';
    if (silent) events.onSilent(unheardMs);
    else events.onHeard(unheardMs);
  }

  function tick(): void {
    watch.pass(clock.nowMs());
    answers?.pass(clock.nowMs());
    // A look without an answer tells nothing, and silence must not wait for it.
    if (looking) judge(null);
    else look();
    if (stopped) return;
    if (underWay < BEATS_UNDER_WAY_MAX) beat();
    giveUp = clock.after(watch.periodMs(), tick);
  }

  function look(): void {
    looking = true;
    settled(
      () => line.received(),
      (received) => {
        looking = false;
        judge(received);
      },
    );
  }

  function beat(): void {
    underWay += 1;
    settled(
      () => line.beat(),
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

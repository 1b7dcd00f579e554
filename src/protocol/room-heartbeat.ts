import { ROOM_SILENT_AFTER_MS, ROOM_STALE_AFTER_MS } from './limits.ts';
import { createSilenceWatch, type ReceivedCounts, type SilenceWatch } from './room-silence.ts';

/** What has come from the SFU so far. */
export interface Received {
  /** Whatever came. */
  all: ReceivedCounts;
  /** What shows that the SFU heard this side: answers to the checks that a connection makes of itself (RFC 7675). */
  answers: ReceivedCounts;
}

/** A connection to a room as the heartbeat needs it. */
export interface BeatLine {
  /** Sends something small that the SFU acknowledges and hands to nobody. May fail, or settle late or never. */
  beat(): Promise<unknown>;
  /** May fail, or settle late or never. */
  received(): Promise<Received>;
}

/** Milliseconds that never go back, and a way to wait. */
export interface BeatClock {
  nowMs(): number;
  /** @returns what gives the wait up */
  after(ms: number, act: () => void): () => void;
}

export interface HeartbeatEvents {
  /** Nothing has come from the room for so long that whoever is in it must count as out of reach. */
  onSilent(unheardMs: number): void;
  /** Something comes again. */
  onHeard(unheardMs: number): void;
  /**
   * The room answers again, after so long that it is better joined anew. An SFU repeats what nobody acknowledged after 1, 2, 4, 8, … s
   * (RFC 9260, 6.3.3), and keeps what comes later behind it: so calls would come in as late again as the break was long.
   */
  onStale(unansweredMs: number): void;
}

export interface Heartbeat {
  isSilent(): boolean;
  stop(): void;
}

/** Beats on their way; more are not sent, so that none pile up behind a connection that is being taken up again. */
const BEATS_UNDER_WAY_MAX = 8;

/**
 * Notices within {@link ROOM_SILENT_AFTER_MS} and a beat that nothing comes from a room any more. LiveKit itself takes more than ten
 * seconds when a connection ends without a word. Its SFU hands nobody back what they sent; but it acknowledges each packet of data, and
 * the acknowledgement is counted among what came in.
 */
export function startHeartbeat(line: BeatLine, clock: BeatClock, events: HeartbeatEvents): Heartbeat {
  const watch = createSilenceWatch(clock.nowMs(), ROOM_SILENT_AFTER_MS);
  // From the first answer on: until then the connection comes about, which may take its time.
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
    // A look that is not answered tells nothing, and silence must not wait for it.
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

/** Hands on what a call brings, null when it fails. */
function settled<T>(call: () => Promise<T>, then: (value: T | null) => void): void {
  Promise.resolve()
    .then(call)
    .catch(() => null)
    .then(then);
}

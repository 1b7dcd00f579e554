/** The conditions of a link for its packets. */
export interface LinkConditions {
  /** Added in each direction: the round trip takes twice this longer. */
  delayMs: number;
  /** Each packet deviates from `delayMs` by up to this much, and its delay is never negative. Datagrams overtake each other. */
  jitterMs: number;
  /** Share of datagrams that arrive twice, each after its own delay. TCP hides duplicates. */
  twiceRatio: number;
  /** Share of packets lost in each direction, 0 to 1. A datagram is lost; data of TCP arrives late, as after a repeat. */
  lossRatio: number;
  /** The rate in each direction; `Infinity` for no limit. Drops datagrams that would wait longer than {@link QUEUE_MAX_MS}. */
  bytesPerSecond: number;
  /** The directions that carry nothing, without notice to either end: datagrams are lost, and data of TCP waits for the link. */
  silent: 'neither' | 'to-sfu' | 'from-sfu' | 'both';
}

/** A link without any effect. */
export const GOOD_LINK: LinkConditions = {
  delayMs: 0,
  jitterMs: 0,
  twiceRatio: 0,
  lossRatio: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  silent: 'neither',
};

export type Way = 'to-sfu' | 'from-sfu';

/** Like the queue of a router, drops what would wait longer. */
const QUEUE_MAX_MS = 2_000;
/** The shortest wait before TCP of Linux repeats unacknowledged data, on top of the round trip. */
const TCP_REPEAT_MS = 200;

/** The traffic of a link, in packets (each chunk of TCP counts as one). */
export interface WayCounts {
  carried: number;
  lost: number;
}

/** One direction of a link; all its traffic shares its rate. */
export interface OneWay {
  /** Carries a datagram, or loses it. */
  datagram(bytes: number, deliver: () => void): void;
  /** Begins a TCP stream: its data arrives complete and in order, though perhaps late. */
  stream(): OrderedStream;
  /** Applies changed conditions. */
  changed(): void;
  readonly counts: WayCounts;
  /** Stops all delivery. */
  close(): void;
}

export interface OrderedStream {
  carry(bytes: number, deliver: () => void): void;
  /** Closes it. Waiting packets are discarded. */
  close(): void;
}

/** @param chance returns a number from 0 to 1, a different one at each call */
export function createOneWay(way: Way, conditions: () => LinkConditions, chance: () => number): OneWay {
  const counts: WayCounts = { carried: 0, lost: 0 };
  const timers = new Set<NodeJS.Timeout>();
  const held = new Set<() => void>();
  let closed = false;
  /** The time at which the last accepted byte has been sent. */
  let freeAtMs = 0;

  const isSilent = (): boolean => {
    const { silent } = conditions();
    return silent === 'both' || silent === way;
  };

  function later(ms: number, act: () => void): void {
    if (ms <= 0) {
      act();
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!closed) act();
    }, ms);
    timers.add(timer);
  }

  /** Returns the time until this much has passed, or null if the queue is too long. */
  function transit(bytes: number, mayDrop: boolean): number | null {
    const { bytesPerSecond } = conditions();
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, freeAtMs);
    if (mayDrop && startMs - nowMs > QUEUE_MAX_MS) return null;
    freeAtMs = startMs + (bytes / bytesPerSecond) * 1_000;
    return freeAtMs - nowMs + wayMs();
  }

  /** Returns the transit time of a packet without waiting. Draws a random number only if the delay varies. */
  function wayMs(): number {
    const { delayMs, jitterMs } = conditions();
    return jitterMs === 0 ? delayMs : Math.max(0, delayMs + (2 * chance() - 1) * jitterMs);
  }

  function createStream(): OrderedStream {
    const waiting: { bytes: number; deliver: () => void }[] = [];
    let dueAtMs = 0;
    let over = false;

    function send(): void {
      while (!over && !closed && !isSilent()) {
        const next = waiting.shift();
        if (!next) return;
        counts.carried += 1;
        const { delayMs, lossRatio } = conditions();
        const repeatMs = chance() < lossRatio ? TCP_REPEAT_MS + 2 * delayMs : 0;
        const nowMs = performance.now();
        // Each stream keeps its order: nothing overtakes repeated data.
        dueAtMs = Math.max(dueAtMs, nowMs + (transit(next.bytes, false) ?? 0) + repeatMs);
        later(dueAtMs - nowMs, () => {
          if (!over) next.deliver();
        });
      }
    }
    held.add(send);
    return {
      carry(bytes, deliver) {
        waiting.push({ bytes, deliver });
        send();
      },
      close() {
        over = true;
        held.delete(send);
      },
    };
  }

  return {
    counts,
    datagram(bytes, deliver) {
      const waitMs = closed || isSilent() || chance() < conditions().lossRatio ? null : transit(bytes, true);
      if (waitMs === null) {
        counts.lost += 1;
        return;
      }
      counts.carried += 1;
      const { twiceRatio } = conditions();
      // A packet in transit when a cable is unplugged does not arrive either.
      const arrive = (): void => {
        if (!isSilent()) deliver();
      };
      later(waitMs, arrive);
      if (twiceRatio > 0 && chance() < twiceRatio) later(wayMs(), arrive);
    },
    stream: createStream,
    changed() {
      for (const send of held) send();
    },
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

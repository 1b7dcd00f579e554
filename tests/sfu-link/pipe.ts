/** The conditions of a link for its packets. */
export interface LinkConditions {
  /** Added on each way: the round trip takes twice this longer. */
  delayMs: number;
  /** Each packet is faster or slower than `delayMs` by up to this much, never faster than none. Datagrams overtake each other by it. */
  jitterMs: number;
  /** Share of datagrams that arrive twice, each at a time of its own. TCP hides that. */
  twiceRatio: number;
  /** Share of packets lost on each way, 0 to 1. A datagram is gone; what TCP carries comes late, as after a repeat. */
  lossRatio: number;
  /** How much each way carries; `Infinity` for as much as comes. Datagrams that would wait longer than {@link QUEUE_MAX_MS} are dropped. */
  bytesPerSecond: number;
  /** Which ways carry nothing, without a word to either end: datagrams are gone, what TCP carries waits until the way is open again. */
  silent: 'neither' | 'to-sfu' | 'from-sfu' | 'both';
}

/** A link that does nothing to what it carries. */
export const GOOD_LINK: LinkConditions = {
  delayMs: 0,
  jitterMs: 0,
  twiceRatio: 0,
  lossRatio: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  silent: 'neither',
};

export type Way = 'to-sfu' | 'from-sfu';

/** As a router's queue: what would wait longer is dropped. */
const QUEUE_MAX_MS = 2_000;
/** The shortest wait before TCP of Linux repeats what was not acknowledged, on top of the round trip. */
const TCP_REPEAT_MS = 200;

/** How much a link has carried, in packets (chunks of TCP count as such). */
export interface WayCounts {
  carried: number;
  lost: number;
}

/** One way of a link: all that travels on it shares its rate. */
export interface OneWay {
  /** Carries a datagram, or loses it. */
  datagram(bytes: number, deliver: () => void): void;
  /** Begins a stream of TCP: what it is given arrives in order and whole, though perhaps late. */
  stream(): OrderedStream;
  /** The conditions have changed. */
  changed(): void;
  readonly counts: WayCounts;
  /** Nothing is delivered any more. */
  close(): void;
}

export interface OrderedStream {
  carry(bytes: number, deliver: () => void): void;
  /** Closes it. Waiting packets are not delivered any more. */
  close(): void;
}

/** @param chance a number from 0 to 1, anew at each call */
export function createOneWay(way: Way, conditions: () => LinkConditions, chance: () => number): OneWay {
  const counts: WayCounts = { carried: 0, lost: 0 };
  const timers = new Set<NodeJS.Timeout>();
  const held = new Set<() => void>();
  let closed = false;
  /** When the last byte that was taken is out on the wire. */
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

  /** How long until this much has gone through, or null when the queue is too long for it. */
  function transit(bytes: number, mayDrop: boolean): number | null {
    const { bytesPerSecond } = conditions();
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, freeAtMs);
    if (mayDrop && startMs - nowMs > QUEUE_MAX_MS) return null;
    freeAtMs = startMs + (bytes / bytesPerSecond) * 1_000;
    return freeAtMs - nowMs + wayMs();
  }

  /** How long a packet is under way that waits for nothing. Nothing is drawn where nothing varies. */
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
        // Each stream keeps its order: nothing overtakes what is repeated.
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
      // A packet under way when a cable is pulled does not arrive either.
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

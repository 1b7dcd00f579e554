/** The participants that have a call under way, and whether the room has reported their departure meanwhile. */
export interface Callers {
  /**
   * Notes that a call has come. Its caller is present, whatever the room has reported about it. @returns a function that ends the
   * call
   */
  begin(identity: string): () => void;
  /** Notes that the room reports the departure of a participant. */
  left(identity: string): void;
  /** Notes that the room reports the arrival of a participant. */
  back(identity: string): void;
  /** Whether this participant, whose call is under way, has left since its last call. */
  hasLeft(identity: string): boolean;
  /** Number of remembered names, never more than calls under way. */
  kept(): number;
}

/**
 * Creates the record of callers. The server reports silent participants up to 3 s late, after their first calls. Therefore an
 * unknown caller is not necessarily absent, and a participant that has left may call again before the room reports its return.
 */
export function createCallers(): Callers {
  const underWay = new Map<string, { calls: number; hasLeft: boolean }>();
  const mark = (identity: string, hasLeft: boolean): void => {
    const caller = underWay.get(identity);
    if (caller) caller.hasLeft = hasLeft;
  };
  return {
    begin(identity) {
      const caller = underWay.get(identity) ?? { calls: 0, hasLeft: false };
      caller.calls += 1;
      caller.hasLeft = false;
      underWay.set(identity, caller);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        caller.calls -= 1;
        if (caller.calls === 0) underWay.delete(identity);
      };
    },
    left: (identity) => mark(identity, true),
    back: (identity) => mark(identity, false),
    hasLeft: (identity) => underWay.get(identity)?.hasLeft ?? false,
    kept: () => underWay.size,
  };
}

/** Those who have a call under way, and whether the room says that they have left meanwhile. */
export interface Callers {
  /** A call has come: whoever calls is there, whatever the room has told of them. @returns what ends the call */
  begin(identity: string): () => void;
  /** The room says that somebody has left. */
  left(identity: string): void;
  /** The room says that somebody has come. */
  back(identity: string): void;
  /** Has this one, whose call is under way, left since they called last? */
  hasLeft(identity: string): boolean;
  /** How many names are remembered: no more than calls are under way. */
  kept(): number;
}

/**
 * The server tells of silent participants up to 3 s late, after their first calls: who is not known is not therefore absent, and who has
 * left may call again before the room says that they are back.
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

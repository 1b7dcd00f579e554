/**
 * Lets so many at a time do something; the others wait in line. Owners take turns: whoever has many things waiting gets one of them
 * done, then everybody else who waits one of theirs.
 */
export class Turns {
  private free: number;
  /** By owner; whose turn is next stands first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  /** Whether nobody is at it, nor waits. */
  get isIdle(): boolean {
    return this.busy === 0;
  }
  private busy = 0;

  /** Runs `task` when its turn comes. Rejects as the task does. */
  async run<T>(task: () => Promise<T>, owner = ''): Promise<T> {
    this.busy += 1;
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.wait(owner, resolve));
    try {
      return await task();
    } finally {
      this.busy -= 1;
      const next = this.next();
      if (next) next();
      else this.free += 1;
    }
  }

  private wait(owner: string, begin: () => void): void {
    const own = this.waiting.get(owner);
    if (own) own.push(begin);
    else this.waiting.set(owner, [begin]);
  }

  private next(): (() => void) | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [owner, own] = first;
    const begin = own.shift();
    // To the end of the line, with what is left.
    this.waiting.delete(owner);
    if (own.length > 0) this.waiting.set(owner, own);
    return begin;
  }
}

/** A line of one at a time for each key. */
export class TurnsByKey {
  private readonly lines = new Map<string, Turns>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const turns = this.lines.get(key) ?? new Turns(1);
    this.lines.set(key, turns);
    try {
      return await turns.run(task);
    } finally {
      if (turns.isIdle) this.lines.delete(key);
    }
  }
}

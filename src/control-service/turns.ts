import { FairTurns } from '../protocol/fair-turns.ts';

/**
 * Runs a limited number of tasks at a time; the others wait in a queue. Owners take turns: after one task of an owner, every
 * other waiting owner gets one of theirs done.
 */
export class Turns {
  private free: number;
  private readonly waiting = new FairTurns<() => void>();

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  /** Whether no task is running or waiting. */
  get isIdle(): boolean {
    return this.busy === 0;
  }
  private busy = 0;

  /** Runs `task` when its turn comes. Rejects as the task does. */
  async run<T>(task: () => Promise<T>, owner = ''): Promise<T> {
    this.busy += 1;
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(owner, resolve));
    try {
      return await task();
    } finally {
      this.busy -= 1;
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}

/** A queue for each key, one task at a time. */
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

import { FairQueue } from '../common/fair-queue.ts';

/**
 * Runs a limited number of tasks at a time; the others wait in a queue. Owners take turns: after one task of an owner, every
 * other waiting owner gets one of theirs done.
 */
export class TaskQueue {
  private free: number;
  private readonly waiting = new FairQueue<() => void>();

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
export class TaskQueuesByKey {
  private readonly queues = new Map<string, TaskQueue>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(key) ?? new TaskQueue(1);
    this.queues.set(key, queue);
    try {
      return await queue.run(task);
    } finally {
      if (queue.isIdle) this.queues.delete(key);
    }
  }
}

import { startAwakeTimer } from './awake-timer.ts';
import { CameraError } from './camera-error.ts';
import type { Capture, FromWorker, JobUpdate, ToWorker } from './messages.ts';

/** The part of a Worker that is used here, in words that a process without a page has too. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message: string }) => void) | null;
  onmessageerror: (() => void) | null;
}

/** One task of the worker. */
export interface Job {
  message: (id: number) => ToWorker;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

interface Entry {
  job: Job;
  /** Number of workers that broke while doing it. */
  losses: number;
  isSettled: boolean;
  settle(outcome: Outcome): void;
}

type Outcome = { capture: Capture | null } | { error: unknown };

export interface WorkerLinkOptions {
  createWorker: () => WorkerLike;
  /** The first message to every new worker. */
  introduction: () => Pick<Job, 'message' | 'timeoutMs'>;
}

/**
 * Does jobs one after the other in a worker that may break. A job whose worker crashed, lost its WebGL context or went silent is
 * tried once more in a fresh worker, then rejected. Aborting a job that is being drawn settles it at once; the worker still
 * finishes it, and the result is discarded.
 */
export class WorkerLink {
  readonly #options: WorkerLinkOptions;
  readonly #queue: Entry[] = [];
  #worker: { port: WorkerLike; isIntroduced: boolean } | null = null;
  #active: { id: number; entry: Entry; endTimer: () => void; timeoutMs: number } | null = null;
  #nextId = 1;
  #isDisposed = false;

  constructor(options: WorkerLinkOptions) {
    this.#options = options;
  }

  /** Resolves with the worker's capture, or null for jobs that capture nothing. */
  run(job: Job): Promise<Capture | null> {
    return new Promise((resolve, reject) => {
      if (this.#isDisposed) return reject(CameraError.disposed());
      if (job.signal?.aborted) return reject(job.signal.reason);
      const onAbort = (): void => {
        const queued = this.#queue.indexOf(entry);
        if (queued >= 0) this.#queue.splice(queued, 1);
        entry.settle({ error: job.signal?.reason });
      };
      const entry: Entry = {
        job,
        losses: 0,
        isSettled: false,
        settle(outcome) {
          if (entry.isSettled) return;
          entry.isSettled = true;
          job.signal?.removeEventListener('abort', onAbort);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.capture);
        },
      };
      job.signal?.addEventListener('abort', onAbort);
      this.#queue.push(entry);
      this.#pump();
    });
  }

  /** Ends the worker and rejects the waiting jobs. */
  dispose(): void {
    this.#isDisposed = true;
    const waiting = [...(this.#active ? [this.#active.entry] : []), ...this.#queue.splice(0)];
    this.#endWorker();
    for (const entry of waiting) entry.settle({ error: CameraError.disposed() });
  }

  #pump(): void {
    if (this.#active || this.#isDisposed) return;
    const entry = this.#queue.shift();
    if (!entry) return;
    try {
      this.#worker ??= { port: this.#openWorker(), isIntroduced: false };
      if (this.#worker.isIntroduced) this.#send(entry, entry.job);
      else this.#send(entry, this.#options.introduction());
    } catch (error) {
      // There is no worker here, or the message cannot be cloned.
      this.#endWorker();
      entry.settle({ error: CameraError.failed(error instanceof Error ? error.message : String(error)) });
      this.#pump();
    }
  }

  #openWorker(): WorkerLike {
    const port = this.#options.createWorker();
    port.onmessage = ({ data }) => {
      if (data.type === 'lost') this.#handleLoss('the WebGL context was lost');
      else this.#handle(data);
    };
    port.onerror = (event) => this.#handleLoss(event.message || 'the worker stopped');
    port.onmessageerror = () => this.#handleLoss('a message could not be read');
    return port;
  }

  #send(entry: Entry, { message, timeoutMs }: Pick<Job, 'message' | 'timeoutMs'>): void {
    const id = this.#nextId++;
    const endTimer = startAwakeTimer(timeoutMs, () => this.#handleLoss(null));
    this.#active = { id, entry, endTimer, timeoutMs };
    this.#worker?.port.postMessage(message(id));
  }

  #handle(message: JobUpdate): void {
    const active = this.#active;
    if (active?.id !== message.id) return;
    switch (message.type) {
      case 'progress':
        active.entry.job.onProgress?.(message.done, message.total);
        break;
      case 'captured':
        this.#finish({ capture: message.capture });
        break;
      case 'done':
        if (this.#worker && !this.#worker.isIntroduced) this.#introduced(this.#worker);
        else this.#finish({ capture: null });
        break;
      case 'failed':
        // A worker whose introduction failed is of no use to the next job either.
        if (!this.#worker?.isIntroduced) this.#dropWorker();
        this.#finish({ error: CameraError.failed(message.reason) });
        break;
    }
  }

  /** Marks the worker as introduced and starts the job that waited for it, unless it was aborted meanwhile. */
  #introduced(worker: { isIntroduced: boolean }): void {
    worker.isIntroduced = true;
    const active = this.#active;
    if (!active) return;
    active.endTimer();
    this.#active = null;
    if (!active.entry.isSettled) this.#queue.unshift(active.entry);
    this.#pump();
  }

  #finish(outcome: Outcome): void {
    const active = this.#active;
    if (!active) return;
    active.endTimer();
    this.#active = null;
    active.entry.settle(outcome);
    this.#pump();
  }

  /** @param detail what happened, or null when the worker went silent */
  #handleLoss(detail: string | null): void {
    const active = this.#active;
    this.#endWorker();
    if (!active) return;
    const { entry, timeoutMs } = active;
    entry.losses += 1;
    if (entry.losses < 2 && !entry.isSettled) this.#queue.unshift(entry);
    else entry.settle({ error: detail === null ? CameraError.timeout(timeoutMs) : CameraError.workerLost(detail) });
    this.#pump();
  }

  #endWorker(): void {
    this.#active?.endTimer();
    this.#active = null;
    this.#dropWorker();
  }

  #dropWorker(): void {
    const port = this.#worker?.port;
    this.#worker = null;
    if (!port) return;
    port.onmessage = null;
    port.onerror = null;
    port.onmessageerror = null;
    port.terminate();
  }
}

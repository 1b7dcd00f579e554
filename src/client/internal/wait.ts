import { TimeoutError } from '../errors.ts';

/** A timer with a longer time fires immediately; about 24 days. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Settles after the time, or rejects with the signal's reason. */
export function sleep(durationMs: number, signal?: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(durationMs, LONGEST_TIMER_MS),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Settles as the promise does, unless the time is up or the signal fires first.
 * @param message of the error; a function is called when the time is up
 * @throws TimeoutError with the message; the signal's reason
 */
export async function within<T>(
  promise: Promise<T>,
  timeoutMs: number,
  message: string | (() => string),
  signal?: AbortSignal | undefined,
  actionId: string | null = null,
): Promise<T> {
  const done = new AbortController();
  const stops = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
  // The promise that loses the race must not be reported as unhandled.
  promise.catch(() => {});
  const timer = sleep(timeoutMs, stops).then(() => {
    throw new TimeoutError(typeof message === 'string' ? message : message(), actionId);
  });
  timer.catch(() => {});
  try {
    return await Promise.race([promise, timer]);
  } finally {
    done.abort();
  }
}

/** Settles when the promise settles or when the time is up; never rejects. */
export async function atMost(promise: Promise<unknown>, durationMs: number): Promise<void> {
  const settled = new AbortController();
  const ended = promise.then(
    () => {},
    () => {},
  );
  await Promise.race([ended, sleep(durationMs, settled.signal).catch(() => {})]).finally(() => settled.abort());
}

/**
 * The end of a long-lived object, which calls await beside their own promise. `Promise.race` with one long-lived promise would
 * keep every promise in memory; here nothing remains after a wait is over.
 */
export class CommonEnd {
  #reason: { error: unknown } | null = null;
  readonly #waiting = new Set<Deferred<never>>();

  get hasCome(): boolean {
    return this.#reason !== null;
  }

  /** Ends all current and future waits with the error. A second call does nothing. */
  come(error: unknown): void {
    if (this.#reason) return;
    this.#reason = { error };
    for (const waiting of this.#waiting) waiting.reject(error);
  }

  /** @throws its error, once it has come */
  check(): void {
    if (this.#reason) throw this.#reason.error;
  }

  /** Settles as the promise does, unless the end comes first. @throws the error of the end */
  async before<T>(promise: Promise<T>): Promise<T> {
    // The promise that loses the race must not be reported as unhandled.
    promise.catch(() => {});
    this.check();
    const end = deferred<never>();
    this.#waiting.add(end);
    try {
      return await Promise.race([promise, end.promise]);
    } finally {
      this.#waiting.delete(end);
    }
  }
}

/** A promise with its handles. It may reject before any caller awaits it, so a rejection without a handler is not an error. */
export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Returns a promise and the two functions that settle it. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Returns a unique id: 128 random bits as text. Works in insecure pages too, where `crypto.randomUUID` is missing. */
export function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

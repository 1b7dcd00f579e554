import type { ActiveAction, Progress } from '../../protocol/wire/state.ts';
import type { ActionEvent, ActionResult } from '../action-result.ts';
import { endEventOf } from './read-result.ts';

/** Most events that wait for one reader. Events arrive five times a second. */
const WAITING_EVENTS = 256;

/** Delivers events to any number of readers, each at its own pace. */
export class EventFeed<E extends { phase: string }> {
  #last: E | null = null;
  #closed: { failure: { error: unknown } | null } | null = null;
  readonly #readers = new Set<{ queue: E[]; wake: () => void }>();

  push(event: E): void {
    this.#last = event;
    for (const reader of this.#readers) {
      // A reader that is far behind skips running events that a later one replaces.
      const isSkipped = reader.queue.length >= WAITING_EVENTS && event.phase === 'running';
      if (isSkipped && reader.queue.at(-1)?.phase === 'running') reader.queue.pop();
      reader.queue.push(event);
      reader.wake();
    }
  }

  close(failure: { error: unknown } | null): void {
    this.#closed = { failure };
    for (const reader of this.#readers) reader.wake();
  }

  async *follow(): AsyncGenerator<E, void, undefined> {
    const reader = { queue: this.#last === null ? [] : [this.#last], wake: () => {} };
    this.#readers.add(reader);
    try {
      for (;;) {
        for (let event = reader.queue.shift(); event !== undefined; event = reader.queue.shift()) yield event;
        if (this.#closed?.failure) throw this.#closed.failure.error;
        if (this.#closed) return;
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
        });
      }
    } finally {
      this.#readers.delete(reader);
    }
  }
}

/** Turns the runtime's reports on an action into events: accepted once, running at each change, and one end. */
export class ActionReporter {
  readonly #actionId: string;
  readonly #emit: (event: ActionEvent) => void;
  #isAccepted = false;
  #isEnded = false;
  #shown = '';

  constructor(actionId: string, emit: (event: ActionEvent) => void) {
    this.#actionId = actionId;
    this.#emit = emit;
  }

  active({ phase, progress, started_at_ms }: ActiveAction): void {
    if (this.#isEnded) return;
    this.#accept(started_at_ms);
    const shown = JSON.stringify([phase, progress]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const event = { action_id: this.#actionId, phase: 'running', at_ms: Date.now(), activity: phase } as const;
    this.#emit(progress === undefined ? event : { ...event, progress: { ...progress } satisfies Progress });
  }

  ended(result: ActionResult): void {
    const event = endEventOf(result);
    this.#accept(result.meta.started_at_ms ?? event.at_ms);
    this.#isEnded = true;
    this.#emit(event);
  }

  /** Reports a call that did not become an action. `accepted` is only emitted for an action that was seen to run. */
  refused(result: ActionResult): void {
    this.#isEnded = true;
    this.#emit(endEventOf(result));
  }

  #accept(atMs: number | undefined): void {
    if (this.#isAccepted) return;
    this.#isAccepted = true;
    this.#emit({ action_id: this.#actionId, phase: 'accepted', at_ms: atMs ?? Date.now() });
  }
}

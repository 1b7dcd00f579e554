import type { ActionEvent, ActionResult } from './action-result.ts';
import type { EventFeed } from './internal/action-events.ts';

/** A skill under way, made by `session.start`. Iterating it gives its events, and ends with the action. */
export class Action<T = Record<string, unknown>> implements AsyncIterable<ActionEvent<T>> {
  /** Id of the action: the one that the call gave, or a fresh one. */
  readonly actionId: string;
  /** The end of the action, as `invoke` gives it. A rejection that nobody waits for is not reported. */
  readonly result: Promise<ActionResult<T>>;
  readonly #cancel: () => Promise<ActionResult>;
  readonly #events: EventFeed<ActionEvent<T>>;
  #cancelled: Promise<ActionResult> | null = null;

  /** @internal */
  constructor(
    actionId: string,
    result: Promise<ActionResult<T>>,
    events: EventFeed<ActionEvent<T>>,
    cancel: () => Promise<ActionResult>,
  ) {
    this.actionId = actionId;
    this.result = result;
    this.#events = events;
    this.#cancel = cancel;
    result.then(
      () => events.close(null),
      (error: unknown) => events.close({ error }),
    );
  }

  /** Cancels it and gives its end once the robot stands; of one that has ended before, its end. Called again it does no more. */
  cancel(): Promise<ActionResult> {
    this.#cancelled ??= this.#cancel();
    return this.#cancelled;
  }

  /**
   * Its events from now on, beginning with the last one there was. Leaving the loop leaves the action running.
   * @throws what `result` rejects with
   */
  [Symbol.asyncIterator](): AsyncGenerator<ActionEvent<T>, void, undefined> {
    return this.#events.follow();
  }
}

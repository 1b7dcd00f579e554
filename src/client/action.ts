import type { ActionEvent, ActionResult } from './action-result.ts';
import type { EventFeed } from './internal/action-events.ts';

/** A running skill, started by `session.start`. Iterating it yields its events until the action ends. */
export class Action<T = Record<string, unknown>> implements AsyncIterable<ActionEvent<T>> {
  /** Id of the action: the one given in the call, or a new one. */
  readonly actionId: string;
  /** The end of the action, as `invoke` returns it. A rejection that no caller awaits is not reported as unhandled. */
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

  /**
   * Cancels the action and returns its end once the robot stands. If the action has ended, returns that end. Further calls have
   * no effect.
   */
  cancel(): Promise<ActionResult> {
    this.#cancelled ??= this.#cancel();
    return this.#cancelled;
  }

  /**
   * Yields the events from now on, beginning with the latest one. Leaving the loop does not stop the action.
   * @throws what `result` rejects with
   */
  [Symbol.asyncIterator](): AsyncGenerator<ActionEvent<T>, void, undefined> {
    return this.#events.follow();
  }
}

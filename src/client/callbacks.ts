import type { ActionEvent, ActionResult } from './action-result.ts';
import type { Logger } from './settings.ts';

/** Callbacks for the events of a session, as they happen. Each is plain or async. The logger is told of one that throws or rejects, and nothing else changes. */
export interface ConnectCallbacks {
  /** An action that this session invoked has ended. It is called with the very object that `invoke` returns. */
  onActionResult?(event: ActionResult): void;
  /** Anything that happens to an action that this session invoked: accepted, running with its progress, its end. */
  onActionEvent?(event: ActionEvent): void;
  onRuntimeJoined?(identity: string): void;
  onRuntimeLeft?(identity: string): void;
  onReconnecting?(): void;
  onReconnected?(): void;
  /** The room is over, by `disconnect` ("left") or from outside ("room deleted"). */
  onDisconnected?(reason: string): void;
}

/**
 * One of the callbacks, which now cannot throw into the library; undefined when there is none.
 * @param owner what holds it, so that `this` is right
 */
export function guardCallback<T extends object, K extends keyof T & string>(
  owner: T,
  name: K,
  logger: Logger,
): T[K] extends ((...args: infer A) => void) | undefined ? ((...args: A) => void) | undefined : never {
  const callback = owner[name];
  const guarded = (...args: unknown[]): void => {
    const warn = (error: unknown) =>
      logger.warn(`the callback ${name} threw ${error instanceof Error ? error.name : 'something'}`);
    try {
      // One that is async rejects later; nobody else listens to that.
      Promise.resolve((callback as (...args: unknown[]) => unknown).apply(owner, args)).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
  return (typeof callback === 'function' ? guarded : undefined) as never;
}

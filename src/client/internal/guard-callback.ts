import type { Logger } from '../options.ts';

/**
 * Wraps a callback so that it cannot throw into the library; undefined if there is none.
 * @param owner the object with the callback, so that `this` is right
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
      // An async callback rejects later, and nothing else handles that rejection.
      Promise.resolve((callback as (...args: unknown[]) => unknown).apply(owner, args)).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
  return (typeof callback === 'function' ? guarded : undefined) as never;
}

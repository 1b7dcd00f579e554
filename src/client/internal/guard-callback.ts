import type { Logger } from '../options.ts';

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

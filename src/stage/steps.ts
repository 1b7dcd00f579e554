/** Work in short steps. The caller decides how much of it is done at once. */
export type Steps<T> = Generator<void, T, void>;

/** Does all steps at once. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * A waiting line in which owners take turns: whoever has many things waiting is served one of them, then everybody else who waits one of
 * theirs. What one owner has waiting is served in the order in which it came.
 */
export class FairTurns<T> {
  /** By owner; whose turn is next stands first. */
  readonly #waiting = new Map<string, T[]>();

  push(owner: string, item: T): void {
    const own = this.#waiting.get(owner);
    if (own) own.push(item);
    else this.#waiting.set(owner, [item]);
  }

  /** Takes out what is next; null when nothing waits. */
  shift(): T | null {
    const [next] = this.#waiting;
    if (!next) return null;
    const [owner, own] = next;
    const item = own.shift() ?? null;
    // To the end of the line, with what is left.
    this.#waiting.delete(owner);
    if (own.length > 0) this.#waiting.set(owner, own);
    return item;
  }
}

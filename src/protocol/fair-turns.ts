/**
 * A waiting line in which owners take turns: whoever has many things waiting is served one of them, then everybody else who waits one of
 * theirs. What one owner has waiting is served in the order in which it came, but for what goes first.
 */
export class FairTurns<T> {
  /** By owner; whose turn is next stands first. */
  readonly #waiting = new Map<string, { first: T[]; rest: T[] }>();

  push(owner: string, item: T): void {
    this.#of(owner).rest.push(item);
  }

  /** Puts it before all else that this owner has waiting, but behind what was put there before. It gains no turn of others. */
  pushFirst(owner: string, item: T): void {
    this.#of(owner).first.push(item);
  }

  /** Takes out what is next; null when nothing waits. */
  shift(): T | null {
    const [next] = this.#waiting;
    if (!next) return null;
    const [owner, own] = next;
    const item = own.first.shift() ?? own.rest.shift() ?? null;
    // To the end of the line, with what is left.
    this.#waiting.delete(owner);
    if (own.first.length + own.rest.length > 0) this.#waiting.set(owner, own);
    return item;
  }

  #of(owner: string): { first: T[]; rest: T[] } {
    const own = this.#waiting.get(owner) ?? { first: [], rest: [] };
    this.#waiting.set(owner, own);
    return own;
  }
}

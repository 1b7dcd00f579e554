/** One owner's waiting things. */
interface Own<T> {
  first: T[];
  rest: T[];
  /** The number of these that are urgent, counted from the front. */
  hurried: number;
}

/**
 * A queue in which owners take turns: it serves one thing of an owner, then one of each other waiting owner. One owner's things
 * are served in the order of their arrival, except those put first. While urgent owners exist, every other turn is theirs: the
 * number of other owners does not delay them, and they do not block the others.
 */
export class FairQueue<T> {
  /** By owner; the owner whose turn is next comes first. */
  readonly #waiting = new Map<string, Own<T>>();
  /** The urgent owners, in the order of their turns. */
  readonly #hurried = new Map<string, Own<T>>();
  #wasHurried = false;

  push(owner: string, item: T): void {
    this.#of(owner).rest.push(item);
  }

  /**
   * Puts a thing before everything else that this owner has waiting, but behind things put first earlier. It takes no turn from
   * other owners.
   */
  pushFirst(owner: string, item: T): void {
    const own = this.#of(owner);
    own.first.push(item);
    if (own.hurried > 0) own.hurried += 1;
  }

  /** Makes this owner's present things urgent: the last of them is served in its order, and soon. */
  hurry(owner: string): void {
    const own = this.#waiting.get(owner);
    if (!own) return;
    own.hurried = own.first.length + own.rest.length;
    this.#hurried.set(owner, own);
  }

  /** Same as {@link hurry}, but only for the things that were put first. */
  hurryFirst(owner: string): void {
    const own = this.#waiting.get(owner);
    if (!own || own.first.length === 0) return;
    own.hurried = Math.max(own.hurried, own.first.length);
    this.#hurried.set(owner, own);
  }

  /** Takes out the next thing; null when nothing waits. */
  shift(): T | null {
    const [hurried] = this.#hurried;
    const isHurried = hurried !== undefined && !this.#wasHurried;
    const [next] = isHurried ? [hurried] : this.#waiting;
    if (!next) return null;
    this.#wasHurried = isHurried;
    const [owner, own] = next;
    const item = own.first.shift() ?? own.rest.shift() ?? null;
    const isEmpty = own.first.length + own.rest.length === 0;
    own.hurried = Math.max(0, own.hurried - 1);
    // Moves the owner to the end of the queue, with the remaining things. An urgent turn costs an owner none of its others.
    if (isEmpty || !isHurried) this.#waiting.delete(owner);
    if (!isEmpty && !isHurried) this.#waiting.set(owner, own);
    if (own.hurried === 0) this.#hurried.delete(owner);
    else if (isHurried) {
      this.#hurried.delete(owner);
      this.#hurried.set(owner, own);
    }
    return item;
  }

  #of(owner: string): Own<T> {
    const own = this.#waiting.get(owner) ?? { first: [], rest: [], hurried: 0 };
    this.#waiting.set(owner, own);
    return own;
  }
}

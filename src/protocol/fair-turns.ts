/** What one owner has waiting. */
interface Own<T> {
  first: T[];
  rest: T[];
  /** So many of these are in a hurry, counted from the front. */
  hurried: number;
}

/**
 * A waiting line in which owners take turns: whoever has many things waiting is served one of them, then everybody else who waits one of
 * theirs. What one owner has waiting is served in the order in which it came, but for what goes first.
 *
 * Every other turn is for owners who are in a hurry, as long as there are any: neither does the number of others keep them waiting, nor
 * do they shut out the others.
 */
export class FairTurns<T> {
  /** By owner; whose turn is next stands first. */
  readonly #waiting = new Map<string, Own<T>>();
  /** Those of them who are in a hurry, in the order of their turns. */
  readonly #hurried = new Map<string, Own<T>>();
  #wasHurried = false;

  push(owner: string, item: T): void {
    this.#of(owner).rest.push(item);
  }

  /** Puts it before all else that this owner has waiting, but behind what was put there before. It gains no turn of others. */
  pushFirst(owner: string, item: T): void {
    const own = this.#of(owner);
    own.first.push(item);
    if (own.hurried > 0) own.hurried += 1;
  }

  /** What this owner has waiting now is in a hurry: its last thing is served in its order, and soon. */
  hurry(owner: string): void {
    const own = this.#waiting.get(owner);
    if (!own) return;
    own.hurried = own.first.length + own.rest.length;
    this.#hurried.set(owner, own);
  }

  /** As {@link hurry}, for what was put first and no more. */
  hurryFirst(owner: string): void {
    const own = this.#waiting.get(owner);
    if (!own || own.first.length === 0) return;
    own.hurried = Math.max(own.hurried, own.first.length);
    this.#hurried.set(owner, own);
  }

  /** Takes out what is next; null when nothing waits. */
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
    // To the end of the line, with what is left. A hurried turn costs an owner none of its others.
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

/**
 * Room that owners share. The amount is counted, not its content. While there is enough, owners take as much as they like. When
 * it is full, only owners with less than an equal part still get some. Owners that come one after the other then take all of it,
 * a half, a third and so on: together at most `1 + ln(owners)` times the room.
 */
export class FairRoom {
  readonly #size: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes room for this owner. @returns whether there was enough */
  take(owner: string, amount: number): boolean {
    if (!this.hasRoom(owner, amount)) return false;
    this.force(owner, amount);
    return true;
  }

  hasRoom(owner: string, amount: number): boolean {
    if (this.#total + amount <= this.#size) return true;
    const own = this.#taken.get(owner);
    const owners = this.#taken.size + (own === undefined ? 1 : 0);
    return (own ?? 0) + amount <= this.#size / owners;
  }

  /** Takes room even if none is left. */
  force(owner: string, amount: number): void {
    this.#total += amount;
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + amount);
  }

  /** Gives back room. */
  give(owner: string, amount: number): void {
    this.#total -= amount;
    const left = (this.#taken.get(owner) ?? 0) - amount;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}

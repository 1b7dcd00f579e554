/** One thing on the shelf, with its neighbours in the order of all things and in the order of its owner. */
interface Place<T> {
  readonly id: string;
  readonly share: Share<T>;
  readonly item: T;
  older: Place<T> | null;
  newer: Place<T> | null;
  ownNewer: Place<T> | null;
  ownOlder: Place<T> | null;
}

/** One owner's things on the shelf. */
interface Share<T> {
  readonly owner: string;
  count: number;
  oldest: Place<T> | null;
  newest: Place<T> | null;
}

/**
 * Things kept by id in the order of their arrival, up to a number. A thing beyond that number removes the oldest thing of the
 * owner with the most things, so that an owner with more things never displaces another owner's. Only `newestFirst` walks the
 * shelf, as far as it is read.
 */
export class FairShelf<T> {
  readonly #capacity: number;
  readonly #places = new Map<string, Place<T>>();
  readonly #shares = new Map<string, Share<T>>();
  /** The owners by their number of things. */
  readonly #byCount = new Map<number, Set<Share<T>>>();
  #most = 0;
  #oldest: Place<T> | null = null;
  #newest: Place<T> | null = null;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#places.size;
  }

  get(id: string): T | undefined {
    return this.#places.get(id)?.item;
  }

  newest(): T | null {
    return this.#newest?.item ?? null;
  }

  oldest(): T | null {
    return this.#oldest?.item ?? null;
  }

  *newestFirst(): Generator<T, void, void> {
    for (let place = this.#newest; place; place = place.older) yield place.item;
  }

  /** Puts a thing at the newer end, and replaces one with the same id. @returns the thing removed for lack of room */
  put(id: string, owner: string, item: T): T | null {
    this.remove(id);
    const gone = this.size >= this.#capacity ? this.dropOneOfMost() : null;
    const share = this.#shares.get(owner) ?? { owner, count: 0, oldest: null, newest: null };
    this.#shares.set(owner, share);
    const place: Place<T> = { id, share, item, older: this.#newest, newer: null, ownOlder: share.newest, ownNewer: null };
    if (this.#newest) this.#newest.newer = place;
    else this.#oldest = place;
    this.#newest = place;
    if (share.newest) share.newest.ownNewer = place;
    else share.oldest = place;
    share.newest = place;
    this.#places.set(id, place);
    this.#count(share, share.count + 1);
    return gone;
  }

  /** @returns the thing that was under this id */
  remove(id: string): T | null {
    const place = this.#places.get(id);
    if (!place) return null;
    this.#places.delete(id);
    const { share, older, newer, ownOlder, ownNewer } = place;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    if (ownOlder) ownOlder.ownNewer = ownNewer;
    else share.oldest = ownNewer;
    if (ownNewer) ownNewer.ownOlder = ownOlder;
    else share.newest = ownOlder;
    this.#count(share, share.count - 1);
    return place.item;
  }

  /** Removes the oldest thing of all. */
  dropOldest(): T | null {
    return this.#oldest && this.remove(this.#oldest.id);
  }

  /**
   * Removes the oldest thing of the owner with the most; among equals, of the owner that has had that many for the longest time.
   */
  dropOneOfMost(): T | null {
    const [share] = this.#byCount.get(this.#most) ?? [];
    return share?.oldest ? this.remove(share.oldest.id) : null;
  }

  #count(share: Share<T>, next: number): void {
    const before = this.#byCount.get(share.count);
    before?.delete(share);
    if (before?.size === 0) this.#byCount.delete(share.count);
    share.count = next;
    if (next === 0) {
      this.#shares.delete(share.owner);
    } else {
      const same = this.#byCount.get(next) ?? new Set();
      same.add(share);
      this.#byCount.set(next, same);
    }
    // A count changes by one: when the last owner with the most things loses one, its new count is the most.
    if (next > this.#most || !this.#byCount.has(this.#most)) this.#most = next;
  }
}

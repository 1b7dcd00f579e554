/** No piece, or no place. */
export const NONE = -1;

/**
 * The straight pieces of a search that are still to be looked at: least total first; among equals, first pushed first. A piece is
 * a number here, and what is known of it stands in lists of numbers: a search pushes hundreds, most of which are never read.
 */
export class PieceHeap {
  /** The places between which each piece lies. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** Cost of the way to the end of each piece; without `isChecked`, of the way if the piece is free. */
  readonly cost: number[] = [];
  readonly isChecked: boolean[] = [];
  /** Cost with the straight rest to the goal. */
  private readonly total: number[] = [];
  private readonly heap: number[] = [];

  push(from: number, to: number, cost: number, restM: number, isChecked: boolean): void {
    const heap = this.heap;
    const piece = this.total.length;
    this.from.push(from);
    this.to.push(to);
    this.cost.push(cost);
    this.isChecked.push(isChecked);
    this.total.push(cost + restM);
    let at = heap.length;
    heap.push(piece);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] ?? NONE;
      if (!this.isBefore(piece, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = piece;
  }

  /** Takes the next piece out; NONE when none is left. */
  pop(): number {
    const heap = this.heap;
    const top = heap[0] ?? NONE;
    const last = heap.pop() ?? NONE;
    const count = heap.length;
    if (count === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= count) break;
      if (below + 1 < count && this.isBefore(heap[below + 1] ?? NONE, heap[below] ?? NONE)) below += 1;
      const child = heap[below] ?? NONE;
      if (!this.isBefore(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return top;
  }

  private isBefore(one: number, other: number): boolean {
    const [a, b] = [this.total[one] ?? 0, this.total[other] ?? 0];
    return a < b || (a === b && one < other);
  }
}

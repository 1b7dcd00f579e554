import { seeded } from '../oracle/chance.ts';

/** The judge's random numbers: a seed gives the same numbers everywhere. */
export class Dice {
  /** 0 up to, not including, 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number from low to high, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.next());
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const item = from[Math.floor(from.length * this.next())];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

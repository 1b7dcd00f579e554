import { expect, it } from 'vitest';
import { FairRoom } from '../../src/common/fair-room.ts';
import { createChance } from '../oracle/chance.ts';

it('one owner may take the whole room, and no more', () => {
  const room = new FairRoom(100);
  expect(room.take('a', 60)).toBe(true);
  expect(room.take('a', 40)).toBe(true);
  expect(room.take('a', 1)).toBe(false);
  room.give('a', 1);
  expect(room.take('a', 1)).toBe(true);
});

it('an owner with a large share leaves room for an owner with little', () => {
  const room = new FairRoom(100);
  room.take('greedy', 100);
  expect(room.take('modest', 10)).toBe(true);
  expect(room.take('greedy', 1)).toBe(false);
  expect(room.take('modest', 41)).toBe(false);
  expect(room.take('modest', 40)).toBe(true);
});

it('greedy owners that come one after the other together stay below the documented amount', () => {
  const [size, owners] = [10_000, 500];
  const room = new FairRoom(size);
  for (let owner = 0; owner < owners; owner += 1) while (room.take(`owner-${owner}`, 10));
  expect(room.total).toBeGreaterThan(size);
  expect(room.total).toBeLessThanOrEqual(size * (1 + Math.log(owners)));
});

it('the room never exceeds its amount, its rest is exact, and no owner is remembered after any sequence of takes and returns', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const chance = createChance(seed);
    const room = new FairRoom(1_000);
    const taken: { owner: string; amount: number }[] = [];
    for (let act = 0; act < 500; act += 1) {
      const owner = `owner-${Math.floor(chance.between(0, 300))}`;
      const amount = Math.floor(chance.between(1, 60));
      if (chance.happens(0.8)) {
        if (room.take(owner, amount)) taken.push({ owner, amount });
      } else {
        const [given] = taken.splice(Math.floor(chance.between(0, taken.length)), 1);
        if (given) room.give(given.owner, given.amount);
      }
      expect(room.total).toBe(taken.reduce((sum, one) => sum + one.amount, 0));
      expect(room.total).toBeLessThanOrEqual(1_000 * (1 + Math.log(300)));
    }
    for (const { owner, amount } of taken) room.give(owner, amount);
    expect(room.total).toBe(0);
    expect(room.take('one', 1_000)).toBe(true);
  }
});

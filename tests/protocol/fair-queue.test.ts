/** A queue in which owners take turns, and urgent owners get every other turn. */
import { expect, it } from 'vitest';
import { FairQueue } from '../../src/common/fair-queue.ts';
import { createChance } from '../oracle/chance.ts';

/** Takes out everything, in order. */
function drain(turns: FairQueue<string>): string[] {
  const out: string[] = [];
  for (let next = turns.shift(); next !== null; next = turns.shift()) out.push(next);
  return out;
}

it('the queue serves urgent things in their order, with other things between', () => {
  const turns = new FairQueue<string>();
  for (const owner of ['a', 'b', 'c']) for (const item of [1, 2]) turns.push(owner, `${owner}${item}`);
  turns.push('d', 'd1');
  turns.push('d', 'd2');
  turns.hurry('d');
  turns.push('d', 'd3');
  expect(drain(turns)).toEqual(['d1', 'a1', 'd2', 'b1', 'c1', 'd3', 'a2', 'b2', 'c2']);
});

it('the urgency of things that were put first ends with them', () => {
  const turns = new FairQueue<string>();
  for (const owner of ['a', 'b', 'c']) turns.push(owner, `${owner}1`);
  turns.push('c', 'c2');
  turns.pushFirst('c', 'stop');
  turns.hurryFirst('c');
  expect(drain(turns)).toEqual(['stop', 'a1', 'b1', 'c1', 'c2']);
});

it('urgent owners take turns too, and do not block the others', () => {
  const turns = new FairQueue<string>();
  turns.push('quiet', 'quiet1');
  for (const owner of ['x', 'y']) {
    for (let item = 1; item <= 50; item += 1) turns.push(owner, `${owner}${item}`);
    turns.hurry(owner);
  }
  expect(drain(turns).slice(0, 4)).toEqual(['x1', 'quiet1', 'y1', 'x2']);
});

it('an owner without waiting things is not urgent', () => {
  const turns = new FairQueue<string>();
  turns.hurry('nobody');
  turns.hurryFirst('nobody');
  expect(turns.shift()).toBeNull();
});

it('each thing comes out once, in the order of its owner, and an urgent thing waits only for its own predecessors and as many others, whatever operations follow', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const chance = createChance(seed);
    const turns = new FairQueue<{ owner: string; number: number }>();
    const due = new Map<string, number[]>();
    let number = 0;
    const take = (): boolean => {
      const next = turns.shift();
      if (!next) return false;
      expect(due.get(next.owner)?.shift()).toBe(next.number);
      return true;
    };
    for (let act = 0; act < 200; act += 1) {
      const owner = `owner-${Math.floor(chance.between(0, 6))}`;
      if (chance.happens(0.5)) {
        number += 1;
        turns.push(owner, { owner, number });
        due.set(owner, [...(due.get(owner) ?? []), number]);
      } else if (chance.happens(0.8)) take();
      else if (chance.happens(0.9)) turns.hurry(owner);
      else turns.hurryFirst(owner);
    }
    turns.push('late', { owner: 'late', number: -1 });
    due.set('late', [-1]);
    turns.hurry('late');
    // Six others may be urgent before it, and between any two of them comes one that is not.
    for (let turn = 0; turn < 14 && due.get('late')?.length !== 0; turn += 1) take();
    expect(due.get('late')).toEqual([]);
    while (take());
    expect([...due.values()].flat()).toEqual([]);
  }
});

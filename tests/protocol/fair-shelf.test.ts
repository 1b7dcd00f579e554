import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/common/fair-queue.ts';
import { FairShelf } from '../../src/common/fair-shelf.ts';
import { createChance } from '../oracle/chance.ts';

const idsOf = (shelf: FairShelf<string>): string[] => [...shelf.newestFirst()].reverse();

describe('a shelf with a share for each owner', () => {
  it('the shelf keeps its maximum length by removing the oldest thing of the owner with the most', () => {
    const shelf = new FairShelf<string>(6);
    for (const id of ['q1', 'q2']) shelf.put(id, 'quiet', id);
    for (let n = 0; n < 100; n += 1) shelf.put(`f${n}`, 'flood', `f${n}`);
    expect(idsOf(shelf)).toEqual(['q1', 'q2', 'f96', 'f97', 'f98', 'f99']);
    shelf.put('q3', 'quiet', 'q3');
    expect(idsOf(shelf)).toEqual(['q1', 'q2', 'f97', 'f98', 'f99', 'q3']);
    expect([shelf.get('q1'), shelf.get('f0'), shelf.newest(), shelf.oldest()]).toEqual(['q1', undefined, 'q3', 'q1']);
  });

  it('a thing with a known id replaces the previous thing and moves to the newer end', () => {
    const shelf = new FairShelf<string>(3);
    for (const id of ['a', 'b', 'a']) expect(shelf.put(id, 'one', id)).toBeNull();
    expect(idsOf(shelf)).toEqual(['b', 'a']);
  });

  it('among many owners with one thing each, the shelf drops the oldest', () => {
    const shelf = new FairShelf<string>(3);
    for (const id of ['a', 'b', 'c', 'd', 'e']) shelf.put(id, id, id);
    expect(idsOf(shelf)).toEqual(['c', 'd', 'e']);
  });

  it.each([1, 2, 3])('the shelf behaves like a list that is searched from the start; seed %i', (seed) => {
    const chance = createChance(seed);
    const capacity = 20;
    const shelf = new FairShelf<string>(capacity);
    let list: { id: string; owner: string }[] = [];
    const countOf = (owner: string): number => list.filter((each) => each.owner === owner).length;
    for (let n = 0; n < 800; n += 1) {
      const [id, owner] = [`i${chance.below(60)}`, `o${chance.below(6)}`];
      const deed = chance.float();
      if (deed < 0.8) {
        list = list.filter((each) => each.id !== id);
        const most = Math.max(...list.map((each) => countOf(each.owner)));
        const gone = shelf.put(id, owner, `${id}/${owner}`);
        if (list.length >= capacity) {
          const loser = list.find((each) => `${each.id}/${each.owner}` === gone);
          expect(loser && countOf(loser.owner)).toBe(most);
          expect(list.find((each) => each.owner === loser?.owner)).toBe(loser);
          list = list.filter((each) => each !== loser);
        } else expect(gone).toBeNull();
        list.push({ id, owner });
      } else if (deed < 0.9) {
        shelf.remove(id);
        list = list.filter((each) => each.id !== id);
      } else {
        shelf.dropOldest();
        list.shift();
      }
      expect(idsOf(shelf)).toEqual(list.map((each) => `${each.id}/${each.owner}`));
      expect(shelf.size).toBe(list.length);
    }
  });
});

describe('turns', () => {
  it('turns serve every waiting owner before they serve an owner a second time, each in its own order', () => {
    const turns = new FairQueue<string>();
    for (let n = 0; n < 4; n += 1) turns.push('many', `m${n}`);
    expect(turns.shift()).toBe('m0');
    turns.push('few', 'f0');
    turns.push('other', 'o0');
    turns.push('few', 'f1');
    expect(Array.from({ length: 7 }, () => turns.shift())).toEqual(['m1', 'f0', 'o0', 'm2', 'f1', 'm3', null]);
  });
});

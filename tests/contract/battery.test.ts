/**
 * Asks both contracts hundreds of calls, every method with every kind of payload in every situation, and compares the outcomes
 * field by field. A difference that no row of the guide covers fails here, and so does a row that no outcome shows.
 */
import { describe, expect, it } from 'vitest';
import { compare, createPair, type Found, questions } from './battery.ts';
import { DIFFERENCES } from './differences.ts';
import { EXPLANATIONS } from './explanations.ts';

const ASKED = questions();
const shown = new Set<string>();

const reported = ({ question, path, simulator, worker }: Found): string =>
  `${question.id.slice(0, 200)} → ${path}: ${short(simulator)} on the simulator, ${short(worker)} on the worker`;
const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 160);

describe('every difference that the battery shows is named in the guide', () => {
  it.each([...new Set(ASKED.map(({ situation, method }) => `${situation} | ${method}`))])('%s', async (group) => {
    const unnamed: string[] = [];
    const pair = createPair();
    for (const question of ASKED.filter(({ situation, method }) => `${situation} | ${method}` === group)) {
      for (const found of compare(question, await pair.ask(question))) {
        const named = EXPLANATIONS.filter(({ covers }) => covers(found));
        if (named.length === 0) unnamed.push(reported(found));
        for (const { title } of named) shown.add(title);
      }
    }
    expect(unnamed).toEqual([]);
  });

  it('every difference that the guide names shows in the battery', () => {
    expect([...shown].sort()).toEqual(EXPLANATIONS.map(({ title }) => title).sort());
    expect(DIFFERENCES.map(({ title }) => title)).toEqual(expect.arrayContaining(EXPLANATIONS.map(({ title }) => title)));
  });
});

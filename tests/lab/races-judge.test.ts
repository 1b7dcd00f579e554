/** The judge of races finds the faults that it exists for. */
import { describe, expect, it } from 'vitest';
import type { RaceEvent } from '../../lab/proof/race-page/race-page.ts';
import { isSettled, judgeRace, type RaceStory } from '../../lab/proof/races-judge.ts';

const asked = (atMs: number): RaceEvent => ({ atMs, kind: 'asked' });
const state = (atMs: number, name: string): RaceEvent => ({ atMs, kind: 'state', state: name, reason: '' });
const call = (atMs: number, number: number): RaceEvent => ({ atMs, kind: 'call', number });

const good: RaceStory = {
  tabs: {
    one: [asked(0), state(1, 'joining'), state(2, 'connected'), call(3, 1), call(4, 2), state(6, 'ended')],
    other: [asked(1), state(2, 'joining'), state(5, 'connected'), call(7, 3)],
  },
  answered: [
    { number: 1, atMs: 4 },
    { number: 2, atMs: 5 },
    { number: 3, atMs: 8 },
  ],
  listed: 1,
  turnsMax: 1,
  gapMaxMs: 5_000,
};
const withTabs = (changes: RaceStory['tabs']): RaceStory => ({ ...good, tabs: { ...good.tabs, ...changes } });

describe('the judge of races', () => {
  it('accepts a tab that gives way to another, and reports how long both considered themselves in the room', () => {
    expect(judgeRace(good)).toEqual({ failures: [], gapMs: 3, overlapMs: 1 });
  });

  it.each<[string, RaceStory, RegExp]>([
    [
      'a call carried out twice',
      withTabs({ other: [asked(1), state(5, 'connected'), call(7, 2)] }),
      /call 2 was carried out by one and by other/,
    ],
    [
      'a tab that acts after the next one did',
      withTabs({ one: [asked(0), state(2, 'connected'), call(3, 1), state(6, 'ended'), call(9, 4)] }),
      /one acted again after another tab did/,
    ],
    ['two that are left', withTabs({ one: [asked(0), state(2, 'connected'), call(3, 1)] }), /2 tabs are the robot/],
    [
      'no tab that is left',
      withTabs({ other: [asked(1), state(5, 'connected'), call(7, 3), state(8, 'ended')] }),
      /0 tabs are the robot/,
    ],
    [
      'a robot that does not act',
      withTabs({ other: [asked(1), state(5, 'connected')] }),
      /other is the robot at the end, and one acts/,
    ],
    ['two in the room', { ...good, listed: 2 }, /lists 2 runtimes/],
    ['a long time without an active tab', { ...good, gapMaxMs: 2 }, /no call was answered/],
  ])('reports %s', (_, story, failure) => {
    expect(judgeRace(story).failures.join('\n')).toMatch(failure);
  });

  it('waits for every tab that made a request', () => {
    expect(isSettled(good.tabs)).toBe(true);
    expect(isSettled({ ...good.tabs, late: [asked(9)] })).toBe(false);
    expect(isSettled({ ...good.tabs, idle: [] })).toBe(true);
    expect(isSettled({ one: [asked(0), state(1, 'ended')] })).toBe(false);
  });
});

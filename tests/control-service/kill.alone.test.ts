import { describe, expect, it } from 'vitest';
import { KillJudge } from './helpers/kill-judge.ts';
import type { Found, Write } from './helpers/kill-reports.ts';
import { runKillStorm } from './helpers/kill-storm.ts';

// `npm run lab -- kills` repeats this as often as requested.
it('a service killed with SIGKILL starts again automatically, keeps all acknowledged writes, and leaves no half record', async () => {
  const storm = await runKillStorm({ kills: 5, seed: 1 });
  expect(storm.wrong).toEqual([]);
  expect(storm.kills).toBeGreaterThanOrEqual(5);
  expect(storm.atSteps).toBeGreaterThan(0);
  expect(storm.inFirstStarts).toBeGreaterThan(0);
  expect(storm.acknowledged).toBeGreaterThan(0);
}, 300_000);

describe('the judge of kills', () => {
  const created = { op: 'create', id: 'r', name: 'lane 0 robot 0', type: 'virtual' } as const;
  const robot = { id: 'r', name: 'lane 0 robot 0', type: 'virtual', model: 'model of lane 0 robot 0' } as const;
  const found = (more: Partial<Found> = {}): Found => ({ robots: [robot], phases: {}, tries: {}, agree: true, ...more });
  const judgeAfter = (...reports: [kind: 'begin' | 'done', lane: number, write: Write][]): KillJudge => {
    const judge = new KillJudge();
    for (const [kind, lane, write] of reports) judge.take({ kind, lane, write });
    return judge;
  };
  const rename = { op: 'rename', id: 'r', name: 'lane 0 robot 1' } as const;

  it('accepts acknowledged writes, and unfinished writes that are complete or absent', () => {
    expect(judgeAfter(['done', 0, created]).compare(found())).toEqual([]);
    const renamed = found({ robots: [{ ...robot, name: rename.name }] });
    for (const state of [found(), renamed]) {
      expect(judgeAfter(['done', 0, created], ['begin', 0, rename]).compare(state)).toEqual([]);
    }
    const deleting = ['begin', 0, { op: 'delete', id: 'r' }] as const;
    expect(judgeAfter(['done', 0, created], [...deleting]).compare(found({ robots: [] }))).toEqual([]);
    expect(judgeAfter(['begin', 0, { ...created, id: '' }]).compare(found({ robots: [] }))).toEqual([]);
  });

  it.each<[string, [kind: 'begin' | 'done', lane: number, write: Write][], Found]>([
    ['a lost robot', [['done', 0, created]], found({ robots: [] })],
    [
      'a lost change',
      [
        ['done', 0, created],
        ['done', 0, rename],
      ],
      found(),
    ],
    [
      'a robot that was deleted',
      [
        ['done', 0, created],
        ['done', 0, { op: 'delete', id: 'r' }],
      ],
      found(),
    ],
    [
      'a lost session',
      [
        ['done', 0, created],
        ['done', 0, { op: 'open', id: 'r' }],
      ],
      found(),
    ],
    ['a session that was closed', [['done', 0, created]], found({ phases: { r: 'open' } })],
    [
      'a try that is not counted',
      [
        ['done', 0, created],
        ['done', 0, { op: 'guess', id: 'r' }],
      ],
      found(),
    ],
    ['a robot that was never made', [], found()],
    ['half a record', [['done', 0, created]], found({ robots: [{ ...robot, model: '' }] })],
    ['an index that lost a row', [['done', 0, created]], found({ agree: false })],
  ])('reports %s', (_, reports, state) => {
    expect(judgeAfter(...reports).compare(state)).toHaveLength(1);
  });
});

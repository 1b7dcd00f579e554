import { expect, it } from 'vitest';
import { createDriveStreams } from '../../src/tasks/drive-streams.ts';

const drive = (identity: string) => ({ name: 'set_velocity', caller: { kind: 'participant' as const, identity } });
const pick = { name: 'pick_entity', caller: { kind: 'participant' as const, identity: 'ann' } };

it('a stream of drive commands is one action, whichever caller sends it; a pause, another driver or another skill begins a new one', () => {
  const drives = createDriveStreams();
  const story = [
    [drive('ann'), 0],
    [drive('ann'), 30],
    [drive('ann'), 150],
    [drive('ben'), 160],
    [pick, 170],
    [drive('ben'), 180],
    [drive('ben'), 301],
  ] as const;
  expect(story.map(([action, step]) => drives.goesOn(action, step))).toEqual([false, true, true, false, false, false, false]);
});

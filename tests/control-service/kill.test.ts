import { expect, it } from 'vitest';
import { runKillStorm } from './helpers/kill-storm.ts';

// `npm run kills` does the same 100 times.
it('a service that is killed with SIGKILL while it writes loses nothing that it has acknowledged, and leaves no half record', async () => {
  const storm = await runKillStorm({ kills: 8, seed: 1 });
  expect(storm.wrong).toEqual([]);
  expect(storm.kills).toBe(8);
  expect(storm.acknowledged).toBeGreaterThan(20);
}, 300_000);

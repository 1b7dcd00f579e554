import { expect, it } from 'vitest';
import { play } from './handling.ts';
import { randomRound } from './handling-rounds.ts';

/** Rounds of one seed each; more of them with `SIMPLESIM_HANDLING_ROUNDS`. */
const ROUNDS = Number(process.env.SIMPLESIM_HANDLING_ROUNDS ?? 60);
/** Of the rounds that a robot tries. A round that it rejects before it moves does not count. */
const LEAST_DONE = 0.98;

it(`P1 P2 things of every size that hands can hold are moved between all places, and every reply is correct (${ROUNDS} rounds)`, async () => {
  const lies: string[] = [];
  const failures: string[] = [];
  let [done, refused] = [0, 0];
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const { picked, placed, lies: ofRound } = await play(randomRound(seed));
    lies.push(...ofRound.map((lie) => `seed ${seed}: ${lie}`));
    const last = placed ?? picked;
    if (last.status === 'done') done += 1;
    else if (last.error.details.attempted === false) refused += 1;
    else failures.push(`seed ${seed}: ${last.error.message}`);
  }
  expect(lies).toEqual([]);
  expect(done / (done + failures.length), failures.join('\n')).toBeGreaterThanOrEqual(LEAST_DONE);
  expect(refused).toBeLessThan(ROUNDS * 0.2);
}, 600_000);

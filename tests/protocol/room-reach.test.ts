/** One sign out of several: can a runtime be reached in its room? */
import { expect, it } from 'vitest';
import { ROOM_HICCUP_MS } from '../../src/protocol/limits.ts';
import { createReach } from '../../src/protocol/room-reach.ts';
import { createFakeClock } from './helpers/fake-clock.ts';

function createReached() {
  const clock = createFakeClock();
  const told: string[] = [];
  const reach = createReach(clock.after, {
    onLost: (why) => told.push(why),
    onReachable: () => told.push('reachable'),
  });
  reach.joined();
  told.length = 0;
  return { clock, reach, told };
}

it('a hiccup of the connection is none; one that lasts is', async () => {
  const { clock, reach, told } = createReached();
  reach.reconnecting(true);
  await clock.pass(ROOM_HICCUP_MS - 1);
  reach.reconnecting(false);
  await clock.pass(ROOM_HICCUP_MS);
  expect(told).toEqual(['reachable']);
  reach.reconnecting(true);
  await clock.pass(ROOM_HICCUP_MS);
  expect(told).toEqual(['reachable', 'interrupted']);
});

it('is lost once, by whatever shows first', async () => {
  const { clock, reach, told } = createReached();
  reach.silent(true);
  reach.reconnecting(true);
  await clock.pass(ROOM_HICCUP_MS);
  reach.left();
  expect(told).toEqual(['silent']);
  reach.joined();
  expect(told).toEqual(['silent', 'reachable']);
});

it('is reachable only when nothing is amiss any more', () => {
  const { reach, told } = createReached();
  reach.silent(true);
  reach.reconnecting(true);
  reach.reconnecting(false);
  expect(told).toEqual(['silent']);
  reach.silent(false);
  expect(told).toEqual(['silent', 'reachable']);
});

it('is not lost by a room that it has left for good', async () => {
  const { clock, reach, told } = createReached();
  reach.reconnecting(true);
  reach.over();
  await clock.pass(10 * ROOM_HICCUP_MS);
  expect(told).toEqual([]);
});

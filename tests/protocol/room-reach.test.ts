/** Combines several signs into one: whether a runtime can be reached in its room. */
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

it('a hiccup of the connection does not count as unreachable; an interruption that lasts does', async () => {
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

it('a lost room is reported once, by the first sign of it', async () => {
  const { clock, reach, told } = createReached();
  reach.silent(true);
  reach.reconnecting(true);
  await clock.pass(ROOM_HICCUP_MS);
  reach.left();
  expect(told).toEqual(['silent']);
  reach.joined();
  expect(told).toEqual(['silent', 'reachable']);
});

it('a runtime counts as reachable only when every sign of trouble is gone', () => {
  const { reach, told } = createReached();
  reach.silent(true);
  reach.reconnecting(true);
  reach.reconnecting(false);
  expect(told).toEqual(['silent']);
  reach.silent(false);
  expect(told).toEqual(['silent', 'reachable']);
});

it('a room that the runtime has left for good is not reported as lost', async () => {
  const { clock, reach, told } = createReached();
  reach.reconnecting(true);
  reach.over();
  await clock.pass(10 * ROOM_HICCUP_MS);
  expect(told).toEqual([]);
});

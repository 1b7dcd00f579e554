/** Combines several signs into one: whether a runtime can be reached in its room. */
import { expect, it } from 'vitest';
import { createReach } from '../../src/protocol/room/room-reach.ts';
import { ROOM_HICCUP_MS } from '../../src/protocol/wire/limits.ts';
import { createFakeClock } from './helpers/fake-clock.ts';

function createReached() {
  const clock = createFakeClock();
  const reported: string[] = [];
  const reach = createReach(clock.after, {
    onLost: (why) => reported.push(why),
    onReachable: () => reported.push('reachable'),
  });
  reach.joined();
  reported.length = 0;
  return { clock, reach, reported };
}

it('a hiccup of the connection does not count as unreachable; an interruption that lasts does', async () => {
  const { clock, reach, reported } = createReached();
  reach.reconnecting(true);
  await clock.pass(ROOM_HICCUP_MS - 1);
  reach.reconnecting(false);
  await clock.pass(ROOM_HICCUP_MS);
  expect(reported).toEqual(['reachable']);
  reach.reconnecting(true);
  await clock.pass(ROOM_HICCUP_MS);
  expect(reported).toEqual(['reachable', 'interrupted']);
});

it('a lost room is reported once, by the first sign of it', async () => {
  const { clock, reach, reported } = createReached();
  reach.silent(true);
  reach.reconnecting(true);
  await clock.pass(ROOM_HICCUP_MS);
  reach.left();
  expect(reported).toEqual(['silent']);
  reach.joined();
  expect(reported).toEqual(['silent', 'reachable']);
});

it('a runtime counts as reachable only when every sign of trouble is gone', () => {
  const { reach, reported } = createReached();
  reach.silent(true);
  reach.reconnecting(true);
  reach.reconnecting(false);
  expect(reported).toEqual(['silent']);
  reach.silent(false);
  expect(reported).toEqual(['silent', 'reachable']);
});

it('a room that the runtime has left for good is not reported as lost', async () => {
  const { clock, reach, reported } = createReached();
  reach.reconnecting(true);
  reach.over();
  await clock.pass(10 * ROOM_HICCUP_MS);
  expect(reported).toEqual([]);
});

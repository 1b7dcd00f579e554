import { expect, it } from 'vitest';
import { createAudience, WATCH_TOPIC, type WatcherUpdate } from '../../../src/protocol/world-stream/audience.ts';

const watcher = (identity: string, access = 'watch') => ({ identity, attributes: { 'simplesim.access': access } });
const program = { identity: 'agent', attributes: {} };

it('reports arrivals and departures of watchers, and ignores other participants', () => {
  const updates: WatcherUpdate[] = [];
  let room: { identity: string; attributes: unknown }[] = [program];
  const audience = createAudience(
    () => room,
    (reported) => updates.push(reported),
  );
  const look = (...next: typeof room): WatcherUpdate[] => {
    room = next;
    audience.look();
    return updates.splice(0);
  };
  // The previous room may have had watchers.
  expect(look(program)).toEqual([{ present: false, isNew: false, isComing: false }]);
  expect(look(program)).toEqual([]);
  expect(look(program, watcher('a'))).toEqual([{ present: true, isNew: true, isComing: false }]);
  expect(look(program, watcher('a'))).toEqual([]);
  expect(look(watcher('a'), watcher('b', 'drive'))).toEqual([{ present: true, isNew: true, isComing: false }]);
  // One leaves and another comes between two checks.
  expect(look(watcher('a'), watcher('c'))).toEqual([{ present: true, isNew: true, isComing: false }]);
  expect(look(watcher('c'))).toEqual([{ present: true, isNew: false, isComing: false }]);
  expect(look(program, watcher('d', 'everything'), { identity: 'e', attributes: null })).toEqual([
    { present: false, isNew: false, isComing: false },
  ]);
});

it('reports a watcher that the platform announces, and ignores other topics', () => {
  const updates: WatcherUpdate[] = [];
  const audience = createAudience(
    () => [],
    (reported) => updates.push(reported),
  );
  audience.heard(undefined);
  audience.heard('simplesim.world');
  expect(updates).toEqual([]);
  audience.heard(WATCH_TOPIC);
  expect(updates).toEqual([{ present: false, isNew: true, isComing: true }]);
});

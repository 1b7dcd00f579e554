import { expect, it } from 'vitest';
import { createAudience, WATCH_TOPIC, type WatcherNews } from '../../../src/protocol/world-stream/audience.ts';

const watcher = (identity: string, access = 'watch') => ({ identity, attributes: { 'simplesim.access': access } });
const program = { identity: 'agent', attributes: {} };

it('reports arrivals and departures of watchers, and ignores other participants', () => {
  const news: WatcherNews[] = [];
  let room: { identity: string; attributes: unknown }[] = [program];
  const audience = createAudience(
    () => room,
    (told) => news.push(told),
  );
  const look = (...next: typeof room): WatcherNews[] => {
    room = next;
    audience.look();
    return news.splice(0);
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
  const news: WatcherNews[] = [];
  const audience = createAudience(
    () => [],
    (told) => news.push(told),
  );
  audience.heard(undefined);
  audience.heard('simplesim.world');
  expect(news).toEqual([]);
  audience.heard(WATCH_TOPIC);
  expect(news).toEqual([{ present: false, isNew: true, isComing: true }]);
});

import { expect, it } from 'vitest';
import { createAudience, WATCH_TOPIC, type WatcherNews } from '../../../src/protocol/world-stream/audience.ts';

const watcher = (identity: string, access = 'watch') => ({ identity, attributes: { 'simplesim.access': access } });
const program = { identity: 'agent', attributes: {} };

it('tells who comes and goes of those who watch, and nothing of others', () => {
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
  // The room before this one may have had watchers.
  expect(look(program)).toEqual([{ present: false, isNew: false, isComing: false }]);
  expect(look(program)).toEqual([]);
  expect(look(program, watcher('a'))).toEqual([{ present: true, isNew: true, isComing: false }]);
  expect(look(program, watcher('a'))).toEqual([]);
  expect(look(watcher('a'), watcher('b', 'drive'))).toEqual([{ present: true, isNew: true, isComing: false }]);
  // One goes and another comes between two looks.
  expect(look(watcher('a'), watcher('c'))).toEqual([{ present: true, isNew: true, isComing: false }]);
  expect(look(watcher('c'))).toEqual([{ present: true, isNew: false, isComing: false }]);
  expect(look(program, watcher('d', 'everything'), { identity: 'e', attributes: null })).toEqual([
    { present: false, isNew: false, isComing: false },
  ]);
});

it('is told by the platform of one who is about to come, and hears no other topic', () => {
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

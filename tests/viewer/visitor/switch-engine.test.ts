import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createSwitchEngine } from '../../../src/viewer/embed/switch-engine.ts';
import { initialState } from '../../../src/viewer/engine/store.ts';
import type { Engine, ViewerState } from '../../../src/viewer/engine/types.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Engines that only record what happens to them. A key that begins with "v" is a visitor’s. */
function createFixture() {
  const log: string[] = [];
  const made: { name: string; store: Engine['store'] }[] = [];
  const engine = (name: string): Engine => {
    const store = createStore<ViewerState>(() => ({ ...initialState(), statusText: name }));
    made.push({ name, store });
    log.push(`${name} made`);
    return {
      store,
      frames: { latest: () => null, overlay: () => ({ path: [], goal: null, targetEntityId: null }) },
      layout: () => null,
      connect: (key: string) => log.push(`${name} connects ${key}`),
      stop: () => log.push(`${name} stops`),
      dispose: () => log.push(`${name} disposed`),
    } as unknown as Engine;
  };
  const kinds = {
    isForVisitor: (key: string) => key.startsWith('v'),
    createRobot: (key: string) => engine(`robot of ${key}`),
    createVisitor: async (key: string) => engine(`visitor of ${key}`),
  };
  const switching = createSwitchEngine(kinds, engine('first'), false);
  return { switching, log, made, kinds };
}

test('a frame becomes what its key asks for, and receives nothing from its previous engine', async () => {
  const { switching, log, made } = createFixture();
  switching.connect('r1');
  switching.connect('v1');
  await settle();
  expect(switching.store.getState().statusText).toBe('visitor of v1');
  made[0]?.store.setState({ statusText: 'late' });
  expect(switching.store.getState().statusText).toBe('visitor of v1');
  made[1]?.store.setState({ statusText: 'live' });
  expect(switching.store.getState().statusText).toBe('live');
  switching.connect('r2');
  switching.stop();
  expect(log).toEqual([
    'first made',
    'first connects r1',
    'visitor of v1 made',
    'first disposed',
    'robot of r2 made',
    'visitor of v1 disposed',
    'robot of r2 stops',
  ]);
});

test('the last of two keys in a row counts, also while the first one still loads', async () => {
  const { switching, log } = createFixture();
  switching.connect('v1');
  switching.connect('r1');
  await settle();
  expect(log).toEqual(['first made', 'visitor of v1 made', 'first connects r1', 'visitor of v1 disposed']);
});

test('a frame that becomes a visitor is joining meanwhile: the previous room does not answer for the new key', async () => {
  const { switching, made } = createFixture();
  made[0]?.store.setState({ connection: { kind: 'connected' } });
  switching.connect('v1');
  made[0]?.store.setState({ connection: { kind: 'connected' }, statusText: 'late' });
  expect(switching.store.getState().connection.kind).toBe('joining');
  await settle();
  expect(switching.store.getState().statusText).toBe('visitor of v1');
});

test('a visitor whose code cannot be loaded leaves the frame unchanged, with a message', async () => {
  const { switching, kinds, made } = createFixture();
  made[0]?.store.setState({ connection: { kind: 'connected' } });
  kinds.createVisitor = () => Promise.reject(new Error('no network'));
  switching.connect('v1');
  await settle();
  expect(switching.store.getState()).toMatchObject({
    connection: { kind: 'connected' },
    gateProblem: expect.stringContaining('could not be loaded'),
  });
  made[0]?.store.setState({ statusText: 'walks' });
  expect(switching.store.getState().statusText).toBe('walks');
});

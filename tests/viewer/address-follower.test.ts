/** The address follows the state of the page, so that a reload opens the same state. */
import { expect, it } from 'vitest';
import { followInAddress } from '../../src/viewer/engine/address-follower.ts';
import { taskById } from '../../src/viewer/engine/tasks/task-list.ts';
import { createFixture, KEY, settle } from './engine-fixture.ts';
import { LAYOUT } from './fake-runtime.ts';

/** An engine whose page stands at this address. */
function standAt(href: string, takenKey: string | null = null) {
  const fixture = createFixture(takenKey);
  const location = { href };
  followInAddress(fixture.engine, {
    location,
    history: {
      state: null,
      replaceState: (_state, _unused, url) => {
        location.href = String(url);
      },
    },
  });
  return {
    ...fixture,
    location,
    asks: (parameter: string) => new URL(location.href).searchParams.get(parameter),
    loadWorld: () => fixture.emit({ kind: 'layout', layout: LAYOUT }),
  };
}

it('a task in the address is kept when the world is ready before the list of tasks', () => {
  const { engine, location, asks, loadWorld } = standAt('https://robot.example/?try=1&task=hall-both-reds');
  loadWorld();
  expect(location.href).toBe('https://robot.example/?try=1&task=hall-both-reds');
  engine.tryHere();
  loadWorld();
  expect(asks('try')).toBe('1');
  expect(asks('task')).toBe('hall-both-reds');
});

it('a robot of this tab adds itself to a bare address, and removes itself when it ends', () => {
  const { engine, location, asks, loadWorld } = standAt('https://robot.example/');
  loadWorld();
  expect(location.href).toBe('https://robot.example/');
  engine.tryHere();
  loadWorld();
  expect(asks('try')).toBe('1');
  engine.disconnect();
  expect(asks('try')).toBeNull();
});

it('a robot of a room removes the robot of this tab from the address, because a reload would forget its key', async () => {
  const { location, loadWorld } = standAt('https://robot.example/?try=1&task=hall-both-reds', KEY);
  loadWorld();
  await settle();
  expect(location.href).toBe('https://robot.example/');
});

it('the address of a task file is kept, and a dropped task file has no address to reload', () => {
  const { engine, location, asks, loadWorld } = standAt('https://robot.example/?try=1&task=/own/a.json');
  const file = taskById('hall-hold-blue');
  if (!file) throw new Error('there is no such task');
  engine.tasks?.play({ file, address: '/own/a.json' }, 1);
  loadWorld();
  expect(asks('task')).toBe('/own/a.json');
  engine.tasks?.play({ file, address: null }, 1);
  loadWorld();
  expect([asks('try'), asks('task'), location.href.includes('blue')]).toEqual(['1', null, false]);
});

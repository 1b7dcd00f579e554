/** The robot of the tab alone: without key and room. */
import { describe, expect, it } from 'vitest';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { ROBOT_IDS } from '../../src/protocol/wire/robot.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import {
  asksForLocal,
  markLocal,
  markRobot,
  markScene,
  readRobot,
  readScene,
  readSeed,
  robotMistake,
  sceneMistake,
} from '../../src/viewer/engine/page-address.ts';
import { createFixture, KEY, settle } from './engine-fixture.ts';
import { FRAME, LAYOUT } from './fake-runtime.ts';

async function goLocal() {
  const fixture = createFixture();
  fixture.engine.tryHere();
  fixture.emit({ kind: 'layout', layout: LAYOUT });
  fixture.emit({ kind: 'frame', renderState: FRAME, overlay: EMPTY_OVERLAY });
  expect(fixture.state().phase).toBe('loading');
  fixture.emit({ kind: 'ready' });
  await settle();
  fixture.finishWarmUp();
  await settle();
  return fixture;
}

describe('Try it here', () => {
  it('a local robot is live without a key, joins no room, and its calls reach the same runtime', async () => {
    const { state, engine, joins, kept } = await goLocal();
    expect(state()).toMatchObject({ phase: 'live', local: true, connection: { kind: 'idle' } });
    expect(joins).toEqual([]);
    expect(kept).toEqual([]);
    expect(await engine.call('runtime.state', {})).toEqual({ answered: 'runtime.state' });
  });

  it('a local robot that ends returns to the gate with an untouched world', async () => {
    const { state, engine, simulations } = await goLocal();
    engine.disconnect();
    expect(state()).toMatchObject({ phase: 'gate', local: false, robot: null });
    expect(simulations()).toBe(2);
  });

  it('a local robot starts in the scene of the address or in the chosen scene, with a world of its own', () => {
    const { engine, scenes } = createFixture();
    expect(scenes).toEqual(['warehouse']);
    engine.tryHere('warehouse');
    expect(scenes).toEqual(['warehouse']);
    engine.disconnect();
    engine.tryHere('hall');
    expect(scenes).toEqual(['warehouse', 'warehouse', 'hall']);
    engine.disconnect();
    expect(scenes.at(-1)).toBe('hall');
  });

  it('a local robot is the robot of the address or the chosen robot, with a world of its own', () => {
    const { engine, robots, state } = createFixture();
    engine.tryHere('warehouse', 'humanoid');
    expect(robots).toEqual(['humanoid']);
    engine.disconnect();
    engine.tryHere('warehouse', 'picker');
    expect(robots).toEqual(['humanoid', 'humanoid', 'picker']);
    expect(state().robotKind).toBe('picker');
  });

  it('a robot that cannot keep the contract is rejected with the reason', () => {
    const { engine, robots, state } = createFixture(null, false, true, 'worker');
    engine.tryHere('warehouse', 'picker');
    expect(state()).toMatchObject({ local: false, robotKind: 'humanoid' });
    expect(state().gateProblem).toMatch(/The picker cannot follow the rules of a physical robot/);
    expect(robots).toEqual(['humanoid']);
    engine.tryHere('warehouse', 'humanoid');
    expect(state()).toMatchObject({ local: true, gateProblem: null });
  });

  it('a local robot ends when a key is given', async () => {
    const { state, engine, joins } = await goLocal();
    engine.connect(KEY);
    await settle();
    expect(state()).toMatchObject({ phase: 'loading', local: false, robot: { id: 'r1' } });
    expect(joins).toHaveLength(1);
  });

  it('a local robot does not start while the tab is in a room', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.engine.tryHere();
    expect(fixture.state().local).toBe(false);
  });
});

it('an address names the seed of a world as a whole number in the valid range', () => {
  const read = (seed: string) => readSeed(`http://h/?try=1&seed=${seed}`);
  expect(['0', '7', '4294967295'].map(read)).toEqual([0, 7, 4_294_967_295]);
  expect(['', '-1', '1.5', '1e3', '0x7', '4294967296', 'seven'].map(read)).toEqual([null, null, null, null, null, null, null]);
});

describe('the address of a scene', () => {
  it('the address names a scene unless it is the default one, and keeps everything else', () => {
    expect(markScene('http://h/?a=1#b', 'hall')).toBe('http://h/?a=1&scene=hall#b');
    expect(markScene('http://h/?a=1&scene=hall', 'warehouse')).toBe('http://h/?a=1');
    expect(markScene('http://h/?a=1', 'warehouse')).toBe('http://h/?a=1');
  });

  it('an unknown scene in the address counts as the default scene', () => {
    expect(
      ['?scene=hall', '?scene=', '?scene=toString', '?scene=HALL', ''].map((search) => readScene(`http://h/${search}`)),
    ).toEqual(['hall', 'warehouse', 'warehouse', 'warehouse', 'warehouse']);
  });
});

describe('an address with an unknown scene or robot', () => {
  it.each([
    [sceneMistake('http://h/?scene=kitchn'), `There is no scene kitchn; there are ${SCENE_IDS.join(', ')}.`],
    [
      sceneMistake('http://h/?scene=big%20%E2%80%AEhall'),
      `There is no scene “big \ufffdhall”; there are ${SCENE_IDS.join(', ')}.`,
    ],
    [robotMistake('http://h/?robot=Picker'), `There is no robot Picker; there are ${ROBOT_IDS.join(', ')}.`],
  ])('an address with an unknown scene or robot is answered with the valid ids', (reported, sentence) => {
    expect(reported).toBe(sentence);
  });

  it.each(['', '?scene=', '?scene=hall&robot=picker'])('the address %j names known scenes and robots', (search) => {
    expect([sceneMistake(`http://h/${search}`), robotMistake(`http://h/${search}`)]).toEqual([null, null]);
  });
});

describe('the address of a robot', () => {
  it('an unknown robot in the address counts as the default robot', () => {
    expect(['?robot=picker', '?robot=Picker', ''].map((search) => readRobot(`http://h/${search}`))).toEqual([
      'picker',
      'humanoid',
      'humanoid',
    ]);
    expect(markRobot('http://h/?scene=hall#b', 'picker')).toBe('http://h/?scene=hall&robot=picker#b');
    expect(markRobot('http://h/?robot=picker', 'humanoid')).toBe('http://h/');
  });
});

describe('the address of a robot of the tab alone', () => {
  it('the address of a local robot gets and loses its parameter, and keeps everything else', () => {
    expect(markLocal('http://h/?a=1#b', true)).toBe('http://h/?a=1&try=1#b');
    expect(markLocal('http://h/?a=1&try=1#b', false)).toBe('http://h/?a=1#b');
    expect(markLocal('http://h/?a=1', false)).toBe('http://h/?a=1');
  });
  it('a local robot is recognised by the parameter, unless its value is no', () => {
    expect(['http://h/?try', 'http://h/?try=1'].map(asksForLocal)).toEqual([true, true]);
    expect(['http://h/', 'http://h/?try=0', 'http://h/?retry=1'].map(asksForLocal)).toEqual([false, false, false]);
  });
});

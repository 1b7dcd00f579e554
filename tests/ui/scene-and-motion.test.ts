import { describe, expect, test } from 'vitest';
import type { RenderState } from '../../src/protocol/wire/render-state.ts';
import type { EntityState, SceneState } from '../../src/protocol/wire/scene.ts';
import { runningSkills, somethingMoves, stateTone } from '../../src/viewer/ui/common/motion.ts';
import { distanceM, padContents, sceneGroups, whereText, wrongPadText } from '../../src/viewer/ui/values/scene-texts.ts';
import { catchUp, robotFocus } from '../../src/viewer/ui/world/picture/eye.ts';
import { isSoftwareRenderer } from '../../src/viewer/ui/world/picture/rendering.ts';
import { samePicture } from '../../src/viewer/ui/world/picture/same-picture.ts';
import { actionView, runtimeState } from './examples.ts';

const entity = (entity_id: string, kind: EntityState['kind'], change: Partial<EntityState> = {}): EntityState => ({
  entity_id,
  kind,
  pose: { frame_id: 'world', position: [1, 2, 0.65] },
  visible: true,
  attached_to: null,
  state: {},
  ...change,
});

describe('the scene in words', () => {
  const onPad = entity('cube_2', 'cube', { state: { color: 'red', parent_pad_id: 'pad_A' } });
  const scene: SceneState = {
    timestamp: { step: 0, sim_time_s: 0, wall_time_ms: 0 },
    entities: {
      cube_10: entity('cube_10', 'cube', { attached_to: 'robot' }),
      cube_2: onPad,
      cube_0: entity('cube_0', 'cube', { visible: false, state: { color: 'red', parent_pad_id: 'pad_B', collected: true } }),
      pad_A: entity('pad_A', 'pad'),
      robot: entity('robot', 'robot', { pose: { frame_id: 'world', position: [-2, -2, 0.62] } }),
    },
  };

  test('the scene in words lists where objects are', () => {
    expect(whereText(onPad)).toBe('on pad_A');
    expect(whereText(entity('cube_1', 'cube', { attached_to: 'robot', state: { parent_pad_id: 'pad_A' } }))).toBe(
      'held by the robot',
    );
    expect(whereText(entity('cube_1', 'cube', { pose: { frame_id: 'world', position: [1, 2, 0.075] } }))).toBe(
      'on the floor at x 1.00, y 2.00',
    );
    expect(whereText(entity('cube_1', 'cube'))).toBe('at x 1.00, y 2.00, z 0.65 m');
  });

  test('the scene in words lists cubes and pads separately, in order, without the robot', () => {
    const groups = sceneGroups(scene);
    expect(groups.cubes.map(({ entity_id }) => entity_id)).toEqual(['cube_2', 'cube_10']);
    expect(groups.collected.map(whereText)).toEqual(['delivered to pad_B']);
    expect(groups.pads.map(({ entity_id }) => entity_id)).toEqual(['pad_A']);
    expect(padContents('pad_A', groups.cubes)).toBe('1 cube');
    expect(padContents('pad_B', groups.cubes)).toBe('empty');
  });

  test('only a cube on the destination pad of another colour is marked', () => {
    const pads = [
      entity('pad_A', 'pad', { state: { role: 'source' } }),
      entity('pad_B', 'pad', { state: { role: 'destination', color: 'red' } }),
      entity('pad_C', 'pad', { state: { role: 'destination' } }),
    ];
    const lying = (color: 'red' | 'blue', parent_pad_id: string, kind: EntityState['kind'] = 'cube') =>
      wrongPadText(entity('cube_1', kind, { state: { color, parent_pad_id } }), pads);
    expect(lying('blue', 'pad_B')).toBe('wrong pad, it is for red');
    expect(lying('red', 'pad_B')).toBeNull();
    expect(lying('blue', 'pad_A')).toBeNull();
    expect(lying('blue', 'pad_C')).toBeNull();
    expect(lying('blue', 'pad_B', 'object')).toBeNull();
    expect(wrongPadText(entity('cube_1', 'cube', { state: { color: 'blue', parent_pad_id: null } }), pads)).toBeNull();
  });

  test('distances are measured on the floor', () => {
    expect(distanceM(scene, onPad)).toBe(5);
    expect(distanceM({ ...scene, entities: {} }, onPad)).toBeNull();
  });
});

describe('the stop button is available while anything moves', () => {
  const running = actionView({ actionId: 'run', status: 'running' });
  test('a running skill, a moving body or a command shows the stop button, and a picture does not', () => {
    expect(somethingMoves({ actions: [running], runtime: null })).toBe(true);
    expect(somethingMoves({ actions: [], runtime: runtimeState({ robot: { status: 'moving' } }) })).toBe(true);
    expect(somethingMoves({ actions: [], runtime: runtimeState({ command: { vx: 0, vy: 0, wz: 0.1 } }) })).toBe(true);
    expect(somethingMoves({ actions: [{ ...running, kind: 'capture' }], runtime: runtimeState() })).toBe(false);
  });

  test('running skills are listed with the oldest first', () => {
    const later = actionView({ actionId: 'later', status: 'running' });
    expect(runningSkills([later, actionView({}), running]).map(({ actionId }) => actionId)).toEqual(['run', 'later']);
  });

  test('the status pill takes its colour from the most serious state', () => {
    const tone = (status: 'ready' | 'moving' | 'fallen' | 'unknown') =>
      stateTone({ phase: 'live', actions: [], runtime: runtimeState({ robot: { status } }) });
    expect([tone('ready'), tone('moving'), tone('fallen'), tone('unknown')]).toEqual(['good', 'active', 'bad', 'warn']);
    expect(stateTone({ phase: 'loading', actions: [], runtime: null })).toBe('quiet');
  });
});

describe('a frame is drawn when the world looks different', () => {
  const pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;
  const state: RenderState = {
    step: 1,
    simTimeS: 0,
    rootPose: pose,
    jointPositions: [0, 0.5],
    things: [{ ...pose, entityId: 'cube_0', colour: 'red', held: false }],
    collected: [],
    cameras: { pov: { ...pose, verticalFovDeg: 70 }, topdown: { ...pose, verticalFovDeg: 60 } },
    colourMode: 'natural',
    fixtures: [{ kind: 'conveyor', id: 'belt', travelM: 0 }],
  };

  test('a change of time alone draws no frame', () => expect(samePicture(state, { ...state, step: 99, simTimeS: 5 })).toBe(true));
  test.each([
    ['a joint', { jointPositions: [0, 0.51] }],
    ['the body', { rootPose: { ...pose, position: [0.01, 0, 0] } }],
    ['the belt', { fixtures: [{ kind: 'conveyor', id: 'belt', travelM: 0.01 }] }],
    ['a cube gone', { things: [] }],
    [
      'a cube that is being taken away',
      { collected: [{ ...pose, entityId: 'cube_7', colour: 'red', padId: 'pad_B', ageS: 0.5 }] },
    ],
    ['another cube', { things: [{ ...pose, entityId: 'cube_7', colour: 'red', held: false }] }],
    ['colours', { colourMode: 'plain' }],
  ] as [string, Partial<RenderState>][])('a frame is drawn for a visible change: %s', (_what, change) => {
    expect(samePicture(state, { ...state, ...change })).toBe(false);
  });
});

test('a processor that draws is recognised', () => {
  expect(isSoftwareRenderer('ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)')).toBe(true);
  expect(isSoftwareRenderer('llvmpipe (LLVM 15.0.7, 256 bits)')).toBe(true);
  expect(isSoftwareRenderer('ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11)')).toBe(false);
});

test('the view keeps its height over the robot and catches up smoothly', () => {
  expect(robotFocus(null)[2]).toBe(0.62);
  expect(catchUp(0, 0.25)).toBe(0);
  expect(catchUp(0.75, 0.25)).toBeGreaterThan(0.94);
  expect(catchUp(-1, 0.25)).toBe(0);
});

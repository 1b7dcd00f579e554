import { describe, expect, test } from 'vitest';
import { HUMANOID } from '../../src/protocol/robots/humanoid.ts';
import { PICKER } from '../../src/protocol/robots/picker.ts';
import { callerKey, PAGE, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { ENTITY_KINDS } from '../../src/protocol/wire/entity-kind.ts';
import { runtimeError } from '../../src/protocol/wire/error-codes.ts';
import type { RobotModel } from '../../src/protocol/wire/robot.ts';
import type { SceneState } from '../../src/protocol/wire/scene.ts';
import type { ParticipantView } from '../../src/viewer/engine/types.ts';
import { peopleOf, runningCallerOf } from '../../src/viewer/ui/common/people.ts';
import { entityChoices, slotChoices } from '../../src/viewer/ui/console/scene-choices.ts';
import { ALL_ACTIONS, filterChoices, filtered, SKILLS_ONLY } from '../../src/viewer/ui/panels/action-filter.ts';
import { actionsFile } from '../../src/viewer/ui/panels/action-json.ts';
import { Samples, summaryOf } from '../../src/viewer/ui/panels/samples.ts';
import { timelineLanes, timelineText } from '../../src/viewer/ui/panels/timeline-lanes.ts';
import { copyText, treeRows } from '../../src/viewer/ui/values/tree-rows.ts';
import { actionView, runtimeState } from './examples.ts';

const MINUTE = 60_000;
const participant = (identity: string, isSelf = false): ParticipantView => ({
  identity,
  name: identity.toUpperCase(),
  joinedAtMs: 5,
  isSelf,
});
const pickAt = (startedAtMs: number, finishedAtMs: number | null, change = {}) =>
  actionView({ actionId: `a-${startedAtMs}`, name: 'pick_entity', startedAtMs, finishedAtMs, ...change });

describe('the timeline', () => {
  const nowMs = 10 * MINUTE;
  const spanMs = 5 * MINUTE;
  const lanes = (...actions: ReturnType<typeof actionView>[]) => timelineLanes(actions, 'body', nowMs, spanMs);
  const bars = (all: ReturnType<typeof lanes>, id: string) => all.find((lane) => lane.id === id)?.bars ?? null;

  test('the timeline shows an action on every part of the body that it moves', () => {
    const all = lanes(pickAt(6 * MINUTE, 7 * MINUTE));
    expect(bars(all, 'base')).toMatchObject([{ from: 0.2, to: 0.4 }]);
    expect(bars(all, 'arms')).toMatchObject([{ from: 0.2, to: 0.4 }]);
    expect(bars(all, 'head')).toEqual([]);
    expect(bars(all, 'pictures')).toBeNull();
  });

  test('the timeline names the lanes as the robot names its parts', () => {
    const labels = (robot: RobotModel) => timelineLanes([], 'body', nowMs, spanMs, [], robot.words).map(({ label }) => label);
    expect(labels(HUMANOID)).toEqual(['Base', 'Arms', 'Head']);
    expect(labels(PICKER)).toEqual(['Base', 'Arm', 'Head']);
  });

  test('the timeline draws running actions up to now, clips earlier starts, and leaves out what ended before', () => {
    const all = lanes(pickAt(9 * MINUTE, null), pickAt(4 * MINUTE, 6 * MINUTE), pickAt(MINUTE, 2 * MINUTE));
    expect(bars(all, 'base')).toMatchObject([
      { from: 0, to: 0.2 },
      { from: 0.8, to: 1 },
    ]);
  });

  test('the timeline has a lane for each caller, by name, and for pictures', () => {
    const picture = actionView({
      kind: 'capture',
      name: 'cameras_capture',
      caller: PAGE,
      startedAtMs: nowMs - 5,
      finishedAtMs: nowMs,
    });
    const all = timelineLanes([picture, pickAt(nowMs - 50, null, { caller: unsignedCaller('ada') })], 'caller', nowMs, spanMs, [
      participant('ada'),
    ]);
    expect(all.map(({ label }) => label)).toEqual(['ADA', 'this page']);
    expect(bars(lanes(picture), 'pictures')).toHaveLength(1);
  });

  test('the timeline is described in a sentence', () => {
    const all = lanes(pickAt(9 * MINUTE, null, { status: 'running' }), pickAt(8 * MINUTE, 9 * MINUTE));
    expect(timelineText(all, spanMs)).toBe('2 actions in the last 5 minutes: 1 running, 1 done.');
    expect(timelineText([], MINUTE)).toBe('Nothing was done in the last minute.');
  });
});

describe('the filter of actions', () => {
  const far = runtimeError('OUT_OF_REACH', 'too far from cube_6');
  const actions = [
    pickAt(3, 4, { error: far, caller: unsignedCaller('ada'), input: { target: { kind: 'entity', entity_id: 'cube_6' } } }),
    actionView({ actionId: 'shot', kind: 'capture', name: 'cameras_capture', caller: unsignedCaller('ada') }),
    actionView({ actionId: 'walk', input: { target: { kind: 'entity', entity_id: 'pad_B' } } }),
  ];
  const ids = (part: Partial<typeof ALL_ACTIONS>) =>
    filtered(actions, { ...ALL_ACTIONS, ...part }, [participant('ada')]).map(({ actionId }) => actionId);

  test.each([
    [{}, ['a-3', 'shot', 'walk']],
    [{ name: 'go_to' }, ['walk']],
    [{ name: SKILLS_ONLY }, ['a-3', 'walk']],
    [{ status: 'refused' as const }, ['a-3']],
    [{ status: 'failed' as const }, []],
    [{ caller: callerKey(unsignedCaller('ada')) }, ['a-3', 'shot']],
    [{ text: 'pad_B walk' }, ['walk']],
    [{ text: 'out_of_reach' }, ['a-3']],
    [{ text: 'pad_b', caller: callerKey(unsignedCaller('ada')) }, []],
  ])('filters actions by %j', (part, expected) => expect(ids(part)).toEqual(expected));

  test('the filter offers the existing values', () => {
    expect(filterChoices(actions)).toEqual({
      names: [
        ['cameras_capture', 1],
        ['go_to', 1],
        ['pick_entity', 1],
      ],
      callers: [
        [unsignedCaller('ada'), 2],
        [unsignedCaller('sorter'), 1],
      ],
    });
  });

  test('a displayed picture is saved with its source', () => {
    const { name, text } = actionsFile(actions.slice(0, 1), { id: 'r1', name: 'Ada’s robot!' }, { status: 'refused' }, 0);
    expect(name).toBe('actions-ada-s-robot-1970-01-01T00-00-00.json');
    expect(JSON.parse(text)).toMatchObject({
      robot: { id: 'r1' },
      filter: { status: 'refused' },
      actions: [
        {
          action_id: 'a-3',
          caller: 'ada',
          caller_kind: 'participant',
          result: { status: 'failed', error: { code: 'OUT_OF_REACH' } },
        },
      ],
    });
  });
});

describe('readings of the last minute', () => {
  const at = (simTimeS: number, x: number, command = 0) => {
    const state = runtimeState({ command: { vx: command, vy: 0, wz: 0 } });
    const [, y, z] = state.robot.pose.position;
    return {
      ...state,
      timestamp: { ...state.timestamp, sim_time_s: simTimeS },
      robot: { ...state.robot, pose: { ...state.robot.pose, position: [x, y, z] as [number, number, number] } },
    };
  };

  test('a speed is measured from places and simulated time, at any factor of time', () => {
    const samples = new Samples();
    for (let i = 0; i <= 10; i += 1) samples.add(at(i * 0.2, i * 0.1, 0.6), 2, 1_000 + i * 100);
    expect(summaryOf(samples.recent(2_000), 'measuredMps')?.last).toBeCloseTo(0.5, 6);
    expect(summaryOf(samples.recent(2_000), 'commandedMps')).toEqual({ last: 0.6, min: 0.6, max: 0.6 });
  });

  test('a restarted scene does not count as motion', () => {
    const samples = new Samples();
    for (const [simTimeS, x] of [
      [5, 3],
      [5.2, 3],
      [0, 0],
      [0.2, 0],
    ] as const)
      samples.add(at(simTimeS, x), 1, 1_000);
    expect(samples.recent(1_000).map(({ measuredMps }) => measuredMps)).toEqual([null, 0, null, 0]);
  });

  test('a sample older than a minute is deleted, and the buffer never grows', () => {
    const samples = new Samples();
    for (let i = 0; i < 5_000; i += 1) samples.add(at(i / 10, 0), 1, i * 100);
    const recent = samples.recent(499_900);
    expect(recent).toHaveLength(601);
    expect(recent[0]?.atMs).toBe(439_900);
    expect(summaryOf(recent, 'remainingM')).toBeNull();
  });
});

describe('the tree of values', () => {
  const value = { robot: { pose: { position: [1, -2.50004, 0.62] }, held: [] }, sim: { seed: 1 } };
  const lines = (open: boolean, search = '') => treeRows(value, () => open, search).map(({ id, text }) => `${id}: ${text}`);

  test('the tree of values shows what is open', () => {
    expect(lines(false)).toEqual(['robot: 2 fields', 'sim: 1 field']);
    expect(lines(true)).toEqual([
      'robot: 2 fields',
      'robot.pose: 1 field',
      'robot.pose.position: 1, \u22122.5, 0.62',
      'robot.held: empty',
      'sim: 1 field',
      'sim.seed: 1',
    ]);
  });

  test('a search opens the branches that contain a match, and hides the rest', () => {
    expect(lines(false, 'SEED')).toEqual(['sim: 1 field', 'sim.seed: 1']);
    expect(lines(true, 'robot seed')).toEqual([]);
  });

  test('values are copied whole', () => {
    expect(copyText('pad_B')).toBe('pad_B');
    expect(JSON.parse(copyText(value.robot.pose.position))).toEqual([1, -2.50004, 0.62]);
  });
});

describe('people', () => {
  const running = pickAt(50, null, { status: 'running', caller: unsignedCaller('ada') });
  const before = actionView({ actionId: 'old', caller: unsignedCaller('gone') });
  const participants = [participant('simplesim:1', true), participant('ada'), participant('eve')];

  test('finds the caller that makes the robot move', () => {
    expect(runningCallerOf([running, before], participants)).toMatchObject({
      caller: unsignedCaller('ada'),
      name: 'ADA',
      action: { actionId: 'a-50' },
    });
    expect(runningCallerOf([before], participants)).toBeNull();
  });

  test('lists each person’s last action, and people who have left', () => {
    const mine = actionView({ actionId: 'mine', caller: PAGE });
    const people = peopleOf([running, mine, before], participants);
    expect(people.map(({ id, last }) => [id, last?.actionId])).toEqual([
      ['simplesim:1', 'mine'],
      ['ada', 'a-50'],
      ['eve', undefined],
      ['participant gone', 'old'],
    ]);
    expect(people.at(-1)).toMatchObject({ joinedAtMs: null, presence: 'called' });
    const gone = peopleOf([running], [participant('simplesim:1', true), { ...participant('ada'), hasLeft: true }]);
    expect(gone.at(-1)).toMatchObject({ name: 'ADA', joinedAtMs: null, presence: 'left', last: { actionId: 'a-50' } });
  });

  test('a caller that was there for seconds is named by its call, also while the room does not list it yet', () => {
    const [self] = [participant('simplesim:1', true)];
    expect(peopleOf([running], [self]).at(-1)).toMatchObject({ name: 'ada', presence: 'calling', last: running });
    const signed = actionView({ caller: { kind: 'holder', holder: 'ops', grantId: 'g', carrier: 'x' } });
    expect(peopleOf([signed], [self]).at(-1)).toMatchObject({ name: 'ops', presence: 'signed' });
    const robot = actionView({ caller: { kind: 'robot', what: 'the worker' } });
    expect(peopleOf([robot], [self]).at(-1)).toMatchObject({ presence: 'robot' });
  });
});

describe('choices from the scene', () => {
  const entity = (entity_id: string, kind: 'robot' | 'cube' | 'pad', x: number, state = {}) => ({
    entity_id,
    kind,
    pose: { frame_id: 'world' as const, position: [x, 0, 0.2] as [number, number, number] },
    visible: true,
    attached_to: null,
    state,
  });
  const all = [
    entity('robot', 'robot', 0),
    entity('cube_1', 'cube', 3, { color: 'red', parent_pad_id: 'pad_B' }),
    entity('cube_0', 'cube', 1, { color: 'blue', parent_pad_id: null }),
    entity('pad_B', 'pad', 3, { color: 'red' }),
  ];
  const scene: SceneState = {
    timestamp: { step: 1, sim_time_s: 0, wall_time_ms: 0 },
    entities: Object.fromEntries(all.map((each) => [each.entity_id, each])),
  };

  test('choices from the scene list the nearest object first; only cubes include the alias of the nearest', () => {
    expect(entityChoices(scene, ENTITY_KINDS).map(({ id }) => id)).toEqual(['cube_0', 'cube_1', 'pad_B']);
    expect(entityChoices(scene, ['cube']).map(({ id }) => id)).toEqual(['cube', 'cube_0', 'cube_1']);
    expect(entityChoices(scene, ['pad'])).toMatchObject([{ id: 'pad_B', where: '1 cube', colour: 'red', distance: '3.0 m' }]);
  });

  test('a slot shows which cube rests in it', () => {
    const slots = [
      { pad_id: 'pad_B', index: 0, position: [3, 0, 0.2] as const },
      { pad_id: 'pad_B', index: 1, position: [3, 0.3, 0.2] as const },
      { pad_id: 'pad_C', index: 0, position: [1, 0, 0.2] as const },
    ];
    expect(slotChoices(scene, slots, 'pad_B')).toEqual([
      { index: 0, cube: 'cube_1' },
      { index: 1, cube: null },
    ]);
  });
});

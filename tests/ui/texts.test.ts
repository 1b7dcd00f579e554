import { describe, expect, test } from 'vitest';
import { cancelled as cancelledBy } from '../../src/protocol/texts/error-texts.ts';
import { PAGE, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { runtimeError } from '../../src/protocol/wire/error-codes.ts';
import { SKILL_NAMES } from '../../src/protocol/wire/skills.ts';
import { knownAfter } from '../../src/viewer/engine/known.ts';
import type { ActionView } from '../../src/viewer/engine/types.ts';
import { sinceText } from '../../src/viewer/ui/common/format.ts';
import { outcomeOfAction, outcomeOfError } from '../../src/viewer/ui/common/outcomes.ts';
import { peopleOf } from '../../src/viewer/ui/common/people.ts';
import {
  actionTitle,
  beginning,
  callerName,
  errorMessage,
  headText,
  outcomeSentence,
  remedy,
  triedText,
} from '../../src/viewer/ui/common/texts.ts';
import { actionView } from './examples.ts';

const title = (name: string, input: unknown, kind: ActionView['kind'] = 'tool') => actionTitle({ kind, name, input });
const entity = (entity_id: string) => ({ target: { kind: 'entity', entity_id } });

describe('an action has a title in everyday words', () => {
  test.each([
    ['go_to', entity('pad_B'), 'Walk to pad_B'],
    ['go_to', { target: { kind: 'pose', pose: { position: [1.4, -0.6, 0] } } }, 'Walk to x 1.40, y \u22120.60'],
    ['pick_entity', entity('cube_4'), 'Pick up cube_4'],
    ['pick_entity', entity('cube'), 'Pick up the nearest cube'],
    ['place_entity', {}, 'Put down on the nearest pad'],
    ['place_entity', { target: { kind: 'slot', pad_id: 'pad_B', index: 2 } }, 'Put down on pad_B, slot 2'],
    ['place_entity', { target: { kind: 'pose', pose: { position: [1, 2, 0] } } }, 'Put down at x 1.00, y 2.00'],
    ['set_head', { yaw: 0.5236, pitch: -0.1745 }, 'Turn the head 30° left, 10° up'],
    ['set_head', { yaw: 0, pitch: 0 }, 'Turn the head straight'],
    ['set_velocity', { vx: 0.5, wz: -0.5236 }, 'Drive 0.50 m/s forward, turn 30°/s right'],
    ['set_velocity', {}, 'Stop driving'],
    ['set_sim_speed', { speed: 2 }, 'Run time at 2×'],
    ['reset', { seed: 0 }, 'Restart the scene with seed 0'],
  ])('the action %s with %j has a title in everyday words', (name, input, expected) => {
    expect(title(name, input)).toBe(expected);
  });

  test('the title of a picture names its camera', () => {
    expect(title('cameras_capture', { selector: { kind: 'id', id: 'pov' } }, 'capture')).toBe('Take a picture with pov');
  });

  test.each(SKILL_NAMES)('the skill %s has a title even when its input is invalid', (name) => {
    for (const input of [
      null,
      undefined,
      'x',
      7,
      [],
      { target: null },
      { target: { kind: 'pose', pose: 'x' }, yaw: 'a', vx: {} },
    ]) {
      expect(title(name, input)).toMatch(/^[A-Z].+/);
    }
  });

  test('an unknown skill keeps its name', () => expect(title('fly', {})).toBe('fly'));
});

test('head angles are described as directions', () => {
  expect(headText(0, 0.001)).toBe('straight ahead');
  expect(headText(-1, 0.5)).toBe('57° right, 29° down');
});

test('a caller is called by its displayed name', () => {
  const people = [{ identity: 'sorter-7f2a', name: 'Sorter', joinedAtMs: 0, isSelf: false }];
  expect(callerName(unsignedCaller('sorter-7f2a'), people)).toBe('Sorter');
  expect(callerName(unsignedCaller('gone-1'), people)).toBe('gone-1');
  expect(callerName(PAGE, people)).toBe('this page');
});

test('the person at this page has the same name everywhere, and no one else can have it', () => {
  const people = [
    { identity: 'simplesim:1', name: 'Robot 1', joinedAtMs: 0, isSelf: true },
    { identity: 'mallory', name: 'this page', joinedAtMs: 0, isSelf: false },
  ];
  expect(peopleOf([], people).map(({ name }) => name)).toEqual(['this page', '“this page”']);
  expect(callerName(PAGE, people)).toBe('this page');
});

test('a participant that left is marked as gone, under their name', () => {
  const before = [
    { identity: 'simplesim:1', name: 'Robot 1', joinedAtMs: 0, isSelf: true },
    { identity: 'sorter-7f2a', name: 'Sorter', joinedAtMs: 1, isSelf: false },
  ];
  const after = knownAfter(before, before.slice(0, 1));
  expect(callerName(unsignedCaller('sorter-7f2a'), after)).toBe('Sorter (has left)');
  expect(callerName(unsignedCaller('a-service'), after)).toBe('a-service');
  // A page that is not in the room itself does not know the others.
  expect(knownAfter(before, [])).toEqual(before);
  expect(knownAfter(after, before)).toEqual(before);
});

test('a sentence starts with a capital in our own words, and leaves a name unchanged', () => {
  expect(['this page', 'the worker', 'sorter-7f2a', 'theo', '“this page”'].map(beginning)).toEqual([
    'This page',
    'The worker',
    'sorter-7f2a',
    'theo',
    '“this page”',
  ]);
});

test('an action that was cancelled here is shown as cancelled by this page', () => {
  expect(errorMessage(cancelledBy(PAGE))).toMatch(/^The action was cancelled by this page\./);
  expect(errorMessage(cancelledBy(unsignedCaller('ada')))).toMatch(/^The action was cancelled by ada\./);
});

test.each([
  ['this page', '“this page”'],
  ['this\u00a0page', '“this page”'],
  ['this p\u0430ge', '“this p\u0430ge”'],
  ['This\u200bpage', 'This\ufffdpage'],
  ['Ann drives. The robot', '“Ann drives. The robot”'],
  ['the robot” stands and “Ann', "“the robot' stands and 'Ann”"],
  ['bob\u202e', 'bob\ufffd'],
])('a caller named %j is not mistaken for words of the page', (identity, shown) => {
  expect(callerName(unsignedCaller(identity), [])).toBe(shown);
  expect(callerName({ kind: 'holder', holder: identity, grantId: 'g', carrier: 'c' }, [])).toBe(shown);
});

test('callers with one displayed name are distinguished by their unique identities', () => {
  const person = (identity: string, name: string) => ({ identity, name, joinedAtMs: 0, isSelf: false });
  const people = [person('sorter-1', 'Sorter'), person('mallory', 'SORTER '), person('ann', 'ann'), person('eve', 'Ann')];
  expect(people.map(({ identity }) => callerName(unsignedCaller(identity), people))).toEqual([
    'Sorter (sorter-1)',
    'SORTER (mallory)',
    'ann (ann)',
    'Ann (eve)',
  ]);
  expect(peopleOf([], people).map(({ name }) => name)).toEqual([
    'Sorter (sorter-1)',
    'SORTER (mallory)',
    'ann (ann)',
    'Ann (eve)',
  ]);
});

test('a name in a call cannot hide or reorder words of the title', () => {
  const titled = (name: string, input: unknown) => actionTitle({ kind: 'tool', name, input });
  expect(titled('go_to', { target: { kind: 'entity', entity_id: 'pad_A\u202e' } })).toBe('Walk to pad_A\ufffd');
  expect(titled('x'.repeat(10_000), {})).toHaveLength(80);
  expect(titled('place_entity', { target: { kind: 'slot', pad_id: 'pad_A', index: { toString: 1 } } })).toBe(
    'Put down on pad_A, slot ?',
  );
  expect(titled('select_scene', { scene_id: 'hall\u202e' })).toBe('Load the scene hall\ufffd');
  expect(titled('set_color_mode', { mode: 'dark\u202e' })).toBe('Draw camera pictures in dark\ufffd colours');
});

test('a name in a call cannot forge words of the title', () => {
  const titled = (entity_id: string) => actionTitle({ kind: 'tool', name: 'go_to', input: entity(entity_id) });
  expect(titled('the nearest cube')).toBe('Walk to “the nearest cube”');
  expect(titled('cube_1: done. Robot stopped')).toBe('Walk to “cube_1: done. Robot stopped”');
  expect(actionTitle({ kind: 'tool', name: 'Robot stopped', input: {} })).toBe('“Robot stopped”');
});

test('P4: whether an action was attempted and whether the world changed is stated in words', () => {
  expect(triedText(runtimeError('OUT_OF_REACH', 'x'))).toBe('The robot did not start.');
  expect(triedText(runtimeError('DROPPED', 'x', { attempted: true, worldChanged: 'yes' }))).toBe(
    'The robot started, and things have moved.',
  );
  expect(triedText(runtimeError('INTERNAL', 'x', { attempted: true, worldChanged: 'unknown' }))).toMatch(/not known/);
});

test('the advice is the hint of the failure, or else the remedy of its code', () => {
  expect(remedy(runtimeError('HANDS_FULL', 'x'))).toBe('Place it first.');
  expect(remedy(runtimeError('HANDS_FULL', 'x', { hint: 'Put cube_4 down.' }))).toBe('Put cube_4 down.');
});

test('the end of an action is one sentence', () => {
  expect(outcomeSentence(actionView({ name: 'pick_entity', input: entity('cube_4') }))).toBe('Pick up cube_4: done.');
  const failed = actionView({
    name: 'pick_entity',
    input: entity('cube_4'),
    error: runtimeError('HANDS_FULL', 'It holds cube_1.'),
  });
  expect(outcomeSentence(failed)).toBe('Pick up cube_4: refused. It holds cube_1.');
});

describe('an outcome is derived from the data of the error, never from its sentence', () => {
  test.each([
    ['a call that was refused before anything moved', runtimeError('OUT_OF_REACH', 'Too far.'), 'refused'],
    ['the same code of an action that had started', runtimeError('OUT_OF_REACH', 'Too far.', { attempted: true }), 'failed'],
    ['a way that closed on the walk', runtimeError('NO_PATH', 'No way.', { attempted: true }), 'failed'],
    ['a fault of the runtime before the first step', runtimeError('INTERNAL', 'A fault.'), 'failed'],
    ['a deadline that passed before the first step', runtimeError('DEADLINE_EXCEEDED', 'Too late.'), 'failed'],
    ['a picture that could not be drawn', runtimeError('CAPTURE_FAILED', 'No picture.'), 'failed'],
    ['what a reload cut', runtimeError('RUNTIME_SUSPENDED', 'Reloaded.', { attempted: true }), 'interrupted'],
    ['what was cancelled before it began', runtimeError('CANCELLED', 'Cancelled.'), 'cancelled'],
  ])('derives the outcome of %s', (_case, error, outcome) => {
    expect(outcomeOfAction(actionView({ error, status: outcome === 'cancelled' ? 'cancelled' : 'failed' }))).toBe(outcome);
    expect(outcomeOfError(error)).toBe(outcome);
  });
});

test('a time on another day is shown with its day', () => {
  const [at, later] = [new Date(2026, 10, 28, 23, 27, 39), new Date(2026, 10, 29, 0, 1, 0)].map(Number) as [number, number];
  expect(sinceText(at, at + 60_000)).toBe('23:27:39');
  expect(sinceText(at, later)).toBe('28 November, 23:27:39');
});

/** The missing parts of a goal, in sentences made from its predicates and the world. */
import { expect, it } from 'vitest';
import type { Predicate, TaskFile } from '../../src/protocol/files/task-file.ts';
import type { Vec3 } from '../../src/protocol/wire/geometry.ts';
import { createNode } from '../../src/tasks/judged-node.ts';
import type { JudgedThing } from '../../src/tasks/judged-things.ts';
import type { JudgedView } from '../../src/tasks/judged-view.ts';
import { createRunStage } from './run-stage.ts';

const CUBE: Vec3 = [0.05, 0.05, 0.05];

const thing = (id: string, given: Partial<JudgedThing> = {}): JudgedThing => ({
  id,
  category: 'cube',
  colour: 'red',
  size: CUBE,
  wallM: null,
  position: [1, 2, 0.025],
  orientation: [0, 0, 0, 1],
  isHeld: false,
  isAtRest: true,
  padId: null,
  isCollected: false,
  ...given,
});

const viewOf = (step: number, things: JudgedThing[]): JudgedView => ({
  // Only pads are looked up in the world, and only by `sorted`.
  world: null as never,
  step,
  things,
  dropped: [],
  pressed: { furniture: false, things: false },
  robot: { x: 0.5, y: -1, yawRad: 0, isStill: true },
});

/** The missing parts of a goal after the world had these things in turn, one second apart. */
function missing(goal: Predicate, ...views: JudgedThing[][]): string[] {
  const node = createNode(goal, 'goal', new Map());
  let step = 0;
  for (const things of views) {
    node.look(viewOf(step, things));
    step += 120;
  }
  return node.missing();
}

const onDesk = (ids: string[]): Predicate => ({ kind: 'on', things: { ids }, pad: 'desk_top' });

it('names each thing that is elsewhere, its place and its goal', () => {
  const lower = thing('cube_1', { padId: 'desk_top', position: [0, 0, 0.775] });
  const things = [
    thing('cube_0'),
    lower,
    thing('cube_2', { isHeld: true, isAtRest: false }),
    thing('cube_3', { isAtRest: false }),
    thing('cube_4', { position: [0, 0, 0.825] }),
    thing('cube_5', { padId: 'pad_A', isCollected: true }),
    thing('cube_6', { position: [3, 3, 0.775] }),
  ];
  expect(missing(onDesk(things.map(({ id }) => id)), things)).toEqual([
    'cube_0 lies on the floor, not on desk_top.',
    "cube_2 is in the robot's hands, not on desk_top.",
    'cube_3 still moves, not on desk_top.',
    'cube_4 lies on cube_1, not on desk_top.',
    'cube_5 was collected from pad_A, not on desk_top.',
    'cube_6 lies 0.75 m above the floor, not on desk_top.',
  ]);
  expect(missing(onDesk(['cube_1']), [lower])).toEqual([]);
});

it('reports how many of the required things are right if fewer than all are required', () => {
  const things = [thing('cube_0'), thing('cube_1', { padId: 'desk_top' }), thing('cube_2')];
  expect(missing({ kind: 'on', things: {}, pad: 'desk_top', at_least: 2 }, things)).toEqual([
    '1 of 2 required things are on desk_top.',
    'cube_0 lies on the floor, not on desk_top.',
    'cube_2 lies on the floor, not on desk_top.',
  ]);
});

it.each<[Predicate, string]>([
  [{ kind: 'held', things: { ids: ['cube_0'] } }, 'The robot does not hold cube_0.'],
  [{ kind: 'held', things: { category: 'mug', colour: 'blue' } }, 'The scene has no blue mug.'],
  [{ kind: 'present', things: { category: 'cube' }, at_least: 3 }, 'The scene has 1 of 3 things that are required: cube.'],
  [
    { kind: 'at', place: { position: [3, 3], within_m: 0.5 }, yaw_deg: 90 },
    'The robot stands at (0.50, -1.00) with a heading of 0°. It has to stand within 0.5 m of (3.00, 3.00) with a heading of 90° ± 15°.',
  ],
  [{ kind: 'visited', place: { position: [3, 3], within_m: 0.5 } }, 'The robot has not been within 0.5 m of (3.00, 3.00).'],
  [{ kind: 'stacked', things: {}, height: 3 }, 'The highest stack has 1 of 3 things: cube_0.'],
  [
    { kind: 'near', things: { category: 'cube' }, position: [3, 2], within_m: 0.5 },
    'cube_0 lies on the floor at (1.00, 2.00), not within 0.5 m of (3.00, 2.00).',
  ],
  [
    { kind: 'in', things: { category: 'cube' }, place: { position: [3, 2], within_m: 1 } },
    'cube_0 lies on the floor at (1.00, 2.00), not within 1 m of (3.00, 2.00).',
  ],
  [{ kind: 'in', things: {}, container: { ids: ['basket_0'] } }, 'cube_0 lies on the floor, not in basket_0.'],
  [{ kind: 'not', of: { kind: 'on', things: {}, floor: true } }, 'cube_0 lies on the floor, which must not be.'],
  [{ kind: 'collided', with: 'furniture' }, 'The robot has not pressed against furniture or a wall.'],
])('reports the missing part of %j', (goal, sentence) => {
  expect(missing(goal, [thing('cube_0')])).toEqual([sentence]);
});

it('reports only the missing part of a sequence’s current step', () => {
  const goal: Predicate = { kind: 'then', of: [onDesk(['cube_0']), onDesk(['cube_1'])] };
  const delivered = [thing('cube_0', { padId: 'desk_top' }), thing('cube_1')];
  expect(missing(goal, [thing('cube_0'), thing('cube_1')])).toEqual(['cube_0 lies on the floor, not on desk_top.']);
  expect(missing(goal, delivered, delivered)).toEqual(['cube_1 lies on the floor, not on desk_top.']);
});

it('reports how many alternatives are enough', () => {
  const goal: Predicate = { kind: 'any', of: [onDesk(['cube_0']), { kind: 'held', things: { ids: ['cube_0'] } }] };
  expect(missing(goal, [thing('cube_0')])).toEqual([
    'Of these, 1 is enough:',
    'cube_0 lies on the floor, not on desk_top.',
    'The robot does not hold cube_0.',
  ]);
});

it('a run of a real world reports what is missing, and forbidden events that happened', async () => {
  const task: TaskFile = {
    format: 'simplesim.task/1',
    id: 'words',
    suite: 'words',
    title: 'Words',
    scene: 'hall',
    instruction: { default: 'a', vague: 'a', specific: 'a' },
    goal: { kind: 'held', things: { category: 'cube', colour: 'blue' } },
    time: 'real',
    budgets: { calls: 5, simulated_s: 30 },
  };
  const stage = await createRunStage({ task });
  stage.step();
  expect(stage.run.missing()).toEqual([expect.stringMatching(/^The robot does not hold cube_\d+( or cube_\d+)*\.$/)]);
  const strict = await createRunStage({
    task: { ...task, never: [{ kind: 'visited', place: { position: [0, 0], within_m: 20 } }] },
  });
  strict.step();
  expect(strict.run.verdict()?.reason).toBe('never_happened');
  expect(strict.run.missing()).toEqual(['The robot has been within 20 m of (0.00, 0.00).']);
  expect(strict.run.sentences()).toEqual([stage.run.missing(), strict.run.missing()]);
  expect(strict.run.verdict()?.predicates.map(({ path }) => path)).toEqual(['goal', 'never[0]']);
});

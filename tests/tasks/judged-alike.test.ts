import { expect, test } from 'vitest';
import type { Predicate, ThingSelector } from '../../src/protocol/files/task-file.ts';
import { THING_COLOURS } from '../../src/protocol/wire/scene.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { playOn } from '../promises/replay-agent.ts';
import { atomsOf, createAlike, judgedAlike } from './judged-alike.ts';
import { createRunStage } from './run-stage.ts';
import { taskOf, tasksOnDisk } from './task-files.ts';

// The test of each suite compares both judges during the planner's runs.

const inOrder = tasksOnDisk.filter(({ name }) => ['hall-three-in-order', 'warehouse-green-before-red'].includes(name));

test.each(inOrder)(
  'judge and oracle report that $suite/$name was not done when it was done in the wrong order',
  async (onDisk) => {
    const task = taskOf(onDisk);
    if (task.goal.kind !== 'then') throw new Error('the task has no order');
    const backwards = { kind: 'all' as const, of: [...task.goal.of].reverse() };
    expect(await judgedAlike(task, 2, backwards)).toEqual({ outcome: 'failed', differences: [] });
  },
);

/** Predicates of every kind, over all things in a scene. */
function everything({ scene: { layout } }: SimWorld): Predicate {
  const all: ThingSelector = {};
  const of: Predicate[] = THING_COLOURS.flatMap((colour): Predicate[] => {
    const things = { colour };
    return [
      ...layout.pads.map(({ pad_id: pad }): Predicate => ({ kind: 'on', things, pad })),
      { kind: 'on', things, floor: true, at_least: 1 },
      { kind: 'held', things },
      { kind: 'near', things, thing: all, within_m: 0.5, at_least: 1 },
      { kind: 'sorted', things, at_least: 1 },
      { kind: 'present', things, at_least: 2 },
      { kind: 'upright', things },
      { kind: 'in', things, container: all, at_least: 1 },
    ];
  });
  return {
    kind: 'any',
    of: [
      ...of,
      { kind: 'missorted', things: all },
      { kind: 'upright', things: all },
      { kind: 'upright', things: all, at_least: 3 },
      { kind: 'stacked', things: all, height: 2 },
      { kind: 'on', things: all, thing: all, at_least: 1 },
      { kind: 'at', place: { thing: all, within_m: 0.7 } },
      { kind: 'at', place: { position: [0, -1], within_m: 1.5 }, yaw_deg: 90, within_deg: 60 },
      ...layout.pads.map(({ pad_id: pad }): Predicate => ({ kind: 'visited', place: { pad } })),
      { kind: 'in', things: all, place: { position: [0, 0], within_m: 2 }, at_least: 2 },
      { kind: 'in', things: all, place: { region: 'west' }, at_least: 2 },
      { kind: 'visited', place: { region: 'west' } },
      { kind: 'dropped', things: all },
      { kind: 'collided', with: 'things' },
      { kind: 'collided', with: 'furniture' },
    ],
  };
}

test.each(SCENE_IDS)('judge and oracle agree on every predicate while an agent plays in %s', async (sceneId) => {
  const stage = await createRunStage({ sceneId, seed: 3 });
  const regions = [
    {
      id: 'west',
      polygon: [
        [-9, -9],
        [-0.5, -9],
        [0.3, 9],
        [-9, 9],
      ] as [number, number][],
    },
  ];
  const { run } = stage;
  const scene = run.world().scene;
  const alike = createAlike(atomsOf(everything(run.world()), 'goal'), regions, run.world());
  alike.look(run.world(), 0);
  const { step } = stage;
  stage.step = () => {
    const hash = step();
    if (run.world().scene === scene) alike.look(run.world(), run.steps());
    return hash;
  };
  playOn(stage, 21, 1_200);
  stage.runtime.dispose();
  expect(alike.differences()).toEqual([]);
  expect(alike.compared).toBeGreaterThan(10_000);
});

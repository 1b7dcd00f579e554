import * as errors from '../../protocol/texts/error-texts.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import { LEGEND_MAX_ENTRIES } from '../../protocol/wire/limits.ts';
import { segmentationColour } from '../../protocol/wire/segmentation.ts';
import type { SkillInput } from '../../protocol/wire/skills.ts';
import * as benchmark from '../../simulation/benchmark.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import { sceneIdsWithBenchmark } from '../../simulation/scene.ts';
import type { SceneDefinition } from '../../simulation/scene-definition.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { thingsAtStart } from '../../simulation/variation/things-at-start.ts';
import { UnmetVariationError } from '../../simulation/variation/unmet.ts';
import { createWorldOf, disposeWorld } from '../../simulation/world.ts';
import type { SkillOutcome } from '../action-entry.ts';
import { type RuntimeCore, replaceWorld } from '../core.ts';
import { entityIds } from '../entities.ts';
import { headingOf } from './headings.ts';
import type { SkillContext, SkillModule } from './skill.ts';

/** Skills that change the simulation itself. They take no simulated time. */

/** Returns what is wrong with the id of a scene, or null. */
const sceneProblem = ({ scenes }: RuntimeCore, sceneId: string | undefined): RuntimeError | null =>
  sceneId === undefined || scenes.byId(sceneId) !== null ? null : errors.noSuchScene(sceneId, scenes.ids());

/** Returns the scene of an id that has been checked; the present one without an id, also when it has been forgotten since. */
const sceneOf = (core: RuntimeCore, sceneId: string | undefined): SceneDefinition =>
  (sceneId === undefined ? null : core.scenes.byId(sceneId)) ?? core.world.scene;

export const reset: SkillModule<'reset'> = {
  check: (core, { scene_id: sceneId }) => sceneProblem(core, sceneId),
  run({ core }, { seed, scene_id: sceneId }): SkillOutcome {
    return load(core, sceneOf(core, sceneId), seed, null);
  },
};

export const selectScene: SkillModule<'select_scene'> = {
  check: (core, { scene_id: sceneId }) => sceneProblem(core, sceneId),
  run({ core }: SkillContext, { scene_id: sceneId, seed, start_pose: start }: SkillInput<'select_scene'>): SkillOutcome {
    const pose = start && { x: start.position[0], y: start.position[1], yawRad: headingOf(start) ?? 0 };
    return load(core, sceneOf(core, sceneId), seed, pose ?? null);
  },
};

/** Loads a scene. Builds the new world first, so that a failure changes nothing. */
function load(core: RuntimeCore, scene: SceneDefinition, seed: number | undefined, startPose: PlanarPose | null): SkillOutcome {
  const old = core.world;
  const wantedSeed = seed ?? old.seed;
  try {
    thingsAtStart(scene, wantedSeed);
  } catch (error) {
    if (!(error instanceof UnmetVariationError)) throw error;
    return { ok: false, error: errors.noLayout(scene.layout.scene_id, wantedSeed, error.path) };
  }
  const world = createWorldOf(core.deps.rapier, scene, {
    seed: wantedSeed,
    robotId: old.robot.model.id,
    ...(startPose ? { startPose } : {}),
  });
  if (startPose) {
    const plan = planner.planPath(world, world.scene.spawn, startPose);
    const label = `(${startPose.x.toFixed(2)}, ${startPose.y.toFixed(2)})`;
    const { bounds } = world.scene.layout;
    if (plan.kind === 'goal_outside' || plan.kind === 'goal_occupied') {
      disposeWorld(world);
      const error =
        plan.kind === 'goal_outside'
          ? errors.goalOutside(startPose.x, startPose.y, bounds)
          : errors.goalOccupied(label, plan.blocker, plan.nearest);
      return { ok: false, error };
    }
  }
  world.colourMode = old.colourMode;
  // The memory of a world that broke in the middle of a step cannot be freed.
  if (core.fault === null) disposeWorld(old);
  replaceWorld(core, world);
  return { ok: true, result: { scene_id: scene.layout.scene_id, seed: world.seed } };
}

export const setSimSpeed: SkillModule<'set_sim_speed'> = {
  run({ core }, { speed }): SkillOutcome {
    core.speed = speed;
    return { ok: true, result: { speed } };
  },
};

export const configureBenchmark: SkillModule<'configure_benchmark'> = {
  check: ({ world }) =>
    benchmark.isOffered(world) ? null : errors.noSortingHere(world.scene.layout.scene_id, sceneIdsWithBenchmark('sorting')),
  run({ core }, { benchmark: wanted }): SkillOutcome {
    benchmark.configure(core.world, wanted);
    const { enabled, collect } = benchmark.counts(core.world);
    return { ok: true, result: { enabled, collect, seed: wanted.seed ?? core.world.seed } };
  },
};

export const setColorMode: SkillModule<'set_color_mode'> = {
  run({ core }, { mode }): SkillOutcome {
    core.world.colourMode = mode;
    return { ok: true, result: { mode, ...(mode === 'segmentation' ? { legend: legend(core.world) } : {}) } };
  },
};

/**
 * Returns the legend of colours and entities, as many as a reply carries; of the cubes the newest, because old ones have long
 * been sorted.
 */
function legend(world: SimWorld): Record<string, string> {
  const ids = entityIds(world);
  const isThing = (id: string): boolean => world.things.byId.has(id);
  const lasting = ids.filter((id) => !isThing(id));
  const things = ids.filter(isThing).slice(-(LEGEND_MAX_ENTRIES - lasting.length));
  return Object.fromEntries([
    ...lasting.map((id) => [id, segmentationColour(id, 'dark')]),
    ...things.map((id) => [id, segmentationColour(id, 'bright')]),
  ]);
}

import type { SceneFile } from '../protocol/files/scene-file.ts';
import { HEAD_CAMERA_ID } from '../protocol/wire/captures.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import type { RobotId } from '../protocol/wire/robot.ts';
import { robotModel } from '../protocol/wire/robots.ts';
import type { Pad, SceneLayout, Slot } from '../protocol/wire/scene.ts';
import { isSceneId, SCENE_IDS, type SceneId } from '../protocol/wire/scene-ids.ts';
import type { PadApproach, SceneDefinition } from './scene-definition.ts';
import { definitionOf } from './scene-file/definition-of.ts';
import { BUNDLED_FILES } from './scenes/bundled.ts';
import type { SimWorld } from './sim-world.ts';

const builtIn = new Map<SceneId, SceneDefinition>();

/** Returns the built-in scene of this id, or null. All worlds share it and the planner's results about it, so it is never written to. */
export function builtInScene(sceneId: string): SceneDefinition | null {
  if (!isSceneId(sceneId)) return null;
  const scene = builtIn.get(sceneId) ?? definitionOf(BUNDLED_FILES[sceneId] as SceneFile);
  builtIn.set(sceneId, scene);
  return scene;
}

/** At most this number of scenes from outside; the oldest makes way for the next. */
const FROM_OUTSIDE_MAX = 16;

/** The scenes that a robot can be in, by their ids: the built-in ones, and some from outside. */
export class Scenes {
  readonly #outside = new Map<string, SceneDefinition>();

  constructor(...outside: readonly SceneDefinition[]) {
    for (const scene of outside) this.add(scene);
  }

  /** Returns the scene of this id, or null. Worlds share it, so it is never written to. */
  byId(sceneId: string): SceneDefinition | null {
    return this.#outside.get(sceneId) ?? builtInScene(sceneId);
  }

  /** Returns the ids of all scenes, built-in ones first. */
  ids(): string[] {
    return [...SCENE_IDS, ...this.#outside.keys()];
  }

  /**
   * Adds a scene from outside. It replaces an earlier one of its id; worlds that run in that one keep it.
   * @returns whether it was added: a built-in scene is never replaced
   */
  add(scene: SceneDefinition): boolean {
    const { scene_id: id } = scene.layout;
    if (isSceneId(id)) return false;
    // Deleted first, so that it becomes the newest.
    this.#outside.delete(id);
    this.#outside.set(id, scene);
    for (const old of [...this.#outside.keys()].slice(0, -FROM_OUTSIDE_MAX)) this.#outside.delete(old);
    return true;
  }
}

/** Returns the layout for clients: the robot is at the spawn, at its own height. */
export const layout = ({ scene, robot }: SimWorld): SceneLayout => withRobot(scene.layout, robot.model.id);

function withRobot(of: SceneLayout, robot: RobotId): SceneLayout {
  const { spawn } = of;
  const { baseHeightM } = robotModel(robot);
  const [x, y, z] = spawn.position;
  return z === baseHeightM ? of : { ...of, spawn: { ...spawn, position: [x, y, baseHeightM] } };
}

/** Returns the part of a scene, with the robot in it, for page and cameras. */
export const placeOf = ({ layout: of, furniture, cameras, look, dressing }: SceneDefinition, robot: RobotId): ScenePlace => ({
  ...withRobot(of, robot),
  furniture,
  cameras,
  look,
  dressing,
  robot,
});

/** Returns the pads of the layout, in its order. */
export const pads = (world: Pick<SimWorld, 'scene'>): readonly Pad[] => world.scene.layout.pads;

/** Ids of all cameras: the one in the robot's head first, then the scene's. */
export const cameraIdsOf = ({ scene }: SimWorld): string[] => [HEAD_CAMERA_ID, ...scene.cameras.map(({ id }) => id)];

/** The pad of this id, or null. */
export function padOf(world: Pick<SimWorld, 'scene'>, padId: string): Pad | null {
  return world.scene.layout.pads.find((pad) => pad.pad_id === padId) ?? null;
}

/** Returns how a pad of this id is approached, or null. */
export const approachOf = ({ scene: { approaches } }: SimWorld, padId: string): PadApproach | null =>
  Object.hasOwn(approaches, padId) ? (approaches[padId] ?? null) : null;

/** Slots of a pad by index; empty for an unknown pad. */
export function slots(world: SimWorld, padId: string): readonly Slot[] {
  return world.scene.layout.slots.filter((slot) => slot.pad_id === padId);
}

/** Returns the ids of the scenes that are made for this benchmark. */
export const sceneIdsWithBenchmark = (wanted: SceneDefinition['benchmark']): SceneId[] =>
  SCENE_IDS.filter((id) => builtInScene(id)?.benchmark === wanted);

/** Returns whether this point of the floor plane is over the pad's surface. World frame, metres. */
export function isOverPad(pad: Pad, x: number, y: number): boolean {
  return Math.abs(x - pad.position[0]) <= pad.size[0] / 2 && Math.abs(y - pad.position[1]) <= pad.size[1] / 2;
}

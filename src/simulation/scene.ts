import { HEAD_CAMERA_ID } from '../protocol/captures.ts';
import type { ScenePlace } from '../protocol/place.ts';
import type { RobotId } from '../protocol/robot.ts';
import { robotModel } from '../protocol/robots.ts';
import type { Pad, SceneLayout, Slot } from '../protocol/scene.ts';
import type { SceneFile } from '../protocol/scene-file.ts';
import { isSceneId, SCENE_IDS, type SceneId } from '../protocol/scene-ids.ts';
import type { PadApproach, SceneDefinition } from './scene-definition.ts';
import { definitionOf } from './scene-file/definition-of.ts';
import { BUNDLED_FILES } from './scenes/bundled.ts';
import type { SimWorld } from './sim-world.ts';

const known = new Map<string, SceneDefinition>();

/** So many scenes from outside are known at once; the oldest is forgotten for the next. Worlds that run in it keep it. */
const FROM_OUTSIDE_MAX = 16;

/** Returns the scene of this id, or null. Worlds share it and the planner's results about its obstacles, so it is never written to. */
export function sceneById(sceneId: string): SceneDefinition | null {
  const found = known.get(sceneId);
  if (found) return found;
  if (!isSceneId(sceneId)) return null;
  const scene = definitionOf(BUNDLED_FILES[sceneId] as SceneFile);
  known.set(sceneId, scene);
  return scene;
}

/**
 * Adds a scene from outside under its id; one that was added before under this id makes way for it, and worlds that run in it keep it.
 * @returns whether it was added: a built-in scene is never replaced
 */
export function registerScene(scene: SceneDefinition): boolean {
  const { scene_id: id } = scene.layout;
  if (isSceneId(id)) return false;
  // Added again, so that it is the newest.
  known.delete(id);
  known.set(id, scene);
  const outside = [...known.keys()].filter((one) => !isSceneId(one));
  for (const old of outside.slice(0, -FROM_OUTSIDE_MAX)) known.delete(old);
  return true;
}

/** Forgets a scene from outside; worlds that run in it keep it. */
export function forgetScene(sceneId: string): void {
  if (!isSceneId(sceneId)) known.delete(sceneId);
}

/** Does something, and knows the same scenes from outside afterwards as before, whatever it added and however it ends. */
export function keepingScenes<T>(work: () => T): T {
  const before = [...known].filter(([id]) => !isSceneId(id));
  try {
    return work();
  } finally {
    for (const id of [...known.keys()]) forgetScene(id);
    for (const [id, scene] of before) known.set(id, scene);
  }
}

/** Returns the ids of all scenes, built-in ones first. */
export const sceneIds = (): string[] => [...new Set([...SCENE_IDS, ...known.keys()])];

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
  SCENE_IDS.filter((id) => sceneById(id)?.benchmark === wanted);

/** Returns whether this point of the floor plane is over the pad's surface. World frame, metres. */
export function isOverPad(pad: Pad, x: number, y: number): boolean {
  return Math.abs(x - pad.position[0]) <= pad.size[0] / 2 && Math.abs(y - pad.position[1]) <= pad.size[1] / 2;
}

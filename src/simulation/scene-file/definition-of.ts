import type { SceneFile } from '../../protocol/files/scene-file.ts';
import { BASE_HEIGHT_M } from '../../protocol/robots/humanoid.ts';
import { degToRad, type PlanarPose, radToDeg, type Vec3, yawToQuat } from '../../protocol/wire/geometry.ts';
import type { Dressing, Furniture, SceneCamera } from '../../protocol/wire/place.ts';
import { CUBE_EDGE_M, type Obstacle, type Pad, type SceneLayout, type Slot } from '../../protocol/wire/scene.ts';
import { CUBE_CATEGORY, CUBE_SHAPE, type ThingShape } from '../../protocol/wire/thing-shape.ts';
import { lookingAt } from '../looking-at.ts';
import type { FixtureDefinition, PadApproach, SceneDefinition, ThingAtStart } from '../scene-definition.ts';

const WALL_THICKNESS_M = 0.2;

/** Rounds to six decimals, so that clients read 0.6 and not 0.6000000000000001, and 0 without a sign. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;

/** Returns the scene that a file describes. The file has been checked: this only puts it into the form that worlds are built from. */
export function definitionOf(file: SceneFile): SceneDefinition {
  const spawn: PlanarPose = {
    x: file.spawn.position[0],
    y: file.spawn.position[1],
    yawRad: degToRad(file.spawn.yaw_deg ?? 0),
  };
  const { obstacles = [], pads = [], things = [], fixtures = [], cameras = [], regions = [] } = file;
  const wallBoxes = file.walls === false ? [] : walls(file.bounds);
  return {
    file,
    title: file.title,
    summary: file.summary,
    layout: {
      scene_id: file.scene_id,
      bounds: file.bounds,
      obstacles: [...wallBoxes, ...obstacles.map(({ id, position, size, yaw_deg }) => box(id, position, size, yaw_deg))],
      pads: pads.map(padOf),
      slots: pads.flatMap(slotsOf),
      regions: regions.map(({ id, title, polygon }) => ({ region_id: id, title, polygon })),
      spawn: givenSpawn(spawn),
    },
    furniture: [
      ...wallBoxes.map(({ obstacle_id: id }): Furniture => ({ id, kind: 'wall' })),
      ...obstacles.flatMap((obstacle) => furnitureOf(obstacle) ?? []),
    ],
    cameras: cameras.map(cameraOf),
    spawn,
    approaches: Object.fromEntries(pads.flatMap(({ id, approach }) => (approach ? [[id, approachOf(approach)]] : []))),
    fixtures: fixtures.map(fixtureOf),
    things: things.map(thingOf),
    benchmark: file.benchmark ?? null,
    regions,
    look: file.look ?? 'plain',
    dressing: dressingOf(file),
  };
}

function dressingOf({ floor, paint, decor, obstacles = [] }: SceneFile): Dressing | null {
  const boxes = Object.fromEntries(obstacles.flatMap(({ id, look, paint }) => (look ? [[id, { look, paint }]] : [])));
  return floor || paint || decor || Object.keys(boxes).length > 0 ? { floor, paint, decor, boxes } : null;
}

const box = (obstacleId: string, centre: Vec3, size: Vec3, yawDeg = 0): Obstacle => ({
  kind: 'box',
  obstacle_id: obstacleId,
  pose: { position: [...centre], yaw_deg: yawDeg },
  size: [...size],
});

/** Returns the four walls round a scene, as high as its bounds, their inner faces on them. */
export function walls({ min: [minX, minY], max: [maxX, maxY, heightM] }: SceneFile['bounds']): Obstacle[] {
  const t = WALL_THICKNESS_M;
  const z = heightM / 2;
  const [midX, midY] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const [lengthX, lengthY] = [maxX - minX + 2 * t, maxY - minY];
  return [
    box('wall_north', [midX, maxY + t / 2, z], [lengthX, t, heightM]),
    box('wall_south', [midX, minY - t / 2, z], [lengthX, t, heightM]),
    box('wall_east', [maxX + t / 2, midY, z], [t, lengthY, heightM]),
    box('wall_west', [minX - t / 2, midY, z], [t, lengthY, heightM]),
  ];
}

type Item<K extends keyof SceneFile> = NonNullable<SceneFile[K]> extends readonly (infer One)[] ? One : never;
type PadOfFile = Item<'pads'>;

const padOf = ({ id, position, size, color, role }: PadOfFile): Pad => ({
  pad_id: id,
  position,
  size,
  ...(color === undefined ? {} : { color }),
  role,
});

/** Returns the places of a pad, the layer on its surface first. */
const slotsOf = ({ id, position, slots = [], layers = 1 }: PadOfFile): Slot[] =>
  Array.from({ length: layers }, (_, layer) =>
    slots.map(
      ([x, y], place): Slot => ({
        pad_id: id,
        index: layer * slots.length + place,
        position: [x, y, rounded(position[2] + (layer + 0.5) * CUBE_EDGE_M)],
      }),
    ),
  ).flat();

function furnitureOf({ id, kind, pad_id: padId, belt_id: beltId, letter }: Item<'obstacles'>): Furniture | null {
  switch (kind) {
    case undefined:
      return null;
    case 'wall':
    case 'rack':
      return { id, kind };
    case 'pallet':
    case 'table':
    case 'belt':
      return { id, kind, padId: padId ?? '' };
    case 'infeed':
      return { id, kind, beltId: beltId ?? '' };
    case 'sign':
      return { id, kind, padId: padId ?? '', letter: letter ?? '' };
  }
}

function thingOf(thing: Item<'things'>): ThingAtStart {
  const {
    id,
    category = CUBE_CATEGORY,
    color,
    keeps_color: keepsColour,
    position,
    yaw_deg: yawDeg,
    mass_kg: massKg,
    friction,
  } = thing;
  return {
    ...(id === undefined ? {} : { id }),
    category,
    shape: shapeOf(thing),
    colour: color,
    ...(keepsColour === undefined ? {} : { keepsColour }),
    ...(massKg === undefined ? {} : { massKg }),
    ...(friction === undefined ? {} : { friction }),
    position,
    ...(yawDeg === undefined ? {} : { yawRad: degToRad(yawDeg) }),
  };
}

function shapeOf({ shape }: Item<'things'>): ThingShape {
  switch (shape?.kind) {
    case undefined:
      return CUBE_SHAPE;
    case 'box':
      return { kind: 'box', size: shape.size };
    case 'cylinder':
      return { kind: 'cylinder', radiusM: shape.radius_m, heightM: shape.height_m };
    case 'container':
      return { kind: 'container', size: shape.size, wallM: shape.wall_m };
  }
}

const approachOf = (approach: NonNullable<PadOfFile['approach']>): PadApproach =>
  approach.kind === 'beside'
    ? { kind: approach.kind, along: approach.along, standoffM: approach.standoff_m }
    : { kind: approach.kind, standoffM: approach.standoff_m };

const cameraOf = (camera: Item<'cameras'>): SceneCamera => ({
  id: camera.id,
  title: camera.title,
  description: camera.description,
  position: camera.position,
  orientation: camera.orientation_xyzw ?? lookingAt(camera.position, camera.look_at ?? [0, 0, 0]),
  verticalFovDeg: camera.vertical_fov_deg,
});

const fixtureOf = (fixture: Item<'fixtures'>): FixtureDefinition => ({
  kind: 'conveyor',
  padId: fixture.pad_id,
  beltObstacleId: fixture.belt_id,
  hoodObstacleId: fixture.hood_id,
  centreX: fixture.centre_x,
  halfWidthM: fixture.half_width_m,
  minY: fixture.min_y,
  maxY: fixture.max_y,
  surfaceZ: fixture.surface_z,
  infeedY: fixture.infeed_y,
  startColours: fixture.start_colors,
});

/** Returns the spawn as clients read it. */
const givenSpawn = ({ x, y, yawRad }: PlanarPose): SceneLayout['spawn'] => ({
  frame_id: 'world',
  position: [x, y, BASE_HEIGHT_M],
  orientation_xyzw: [...yawToQuat(yawRad)],
  yaw_deg: rounded(radToDeg(yawRad)),
});

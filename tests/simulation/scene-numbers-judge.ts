import { CUBE_EDGE_M } from '../../src/protocol/wire/scene.ts';
import type { SceneDefinition } from '../../src/simulation/scene-definition.ts';

/** Lengths are compared to a millimetre. */
const NEAR_M = 1e-3;
/** The widest robot's radius on the floor, as the models state it. */
const ROBOT_RADIUS_M = 0.2;
const HEAD_CAMERA = 'pov';
/** The underside of a carried cube above the floor, with the robot that carries lowest. */
export const CARRIED_UNDERSIDE_M = 0.92 - CUBE_EDGE_M / 2;
/** The gap that a carried cube keeps above the things that it passes. */
const CARRIED_AIR_M = 0.03;

type Box = SceneDefinition['layout']['obstacles'][number];
type Point = readonly [number, number, number];

/**
 * Judges the numbers of a scene, without the simulation: ids that name nothing, things in walls or in the air, a camera in a box,
 * a spawn without room. World frame, metres.
 * @returns a sentence for each fault, with its id; empty for a valid scene
 */
export function mistakesIn(scene: SceneDefinition): string[] {
  const notNumbers = pathsOfNonNumbers(scene, 'scene');
  // Sums with such a number give no further information.
  if (notNumbers.length > 0) return notNumbers.map((path) => `${path} is not a finite number`);
  return [...ids(scene), ...boxes(scene), ...pads(scene), ...slots(scene), ...cameras(scene), ...things(scene), ...spawn(scene)];
}

function pathsOfNonNumbers(value: unknown, path: string): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => pathsOfNonNumbers(inner, `${path}.${key}`));
}

function ids({ layout, furniture, cameras: hung, approaches }: SceneDefinition): string[] {
  const boxIds = layout.obstacles.map(({ obstacle_id }) => obstacle_id);
  const padIds = layout.pads.map(({ pad_id }) => pad_id);
  const cameraIds = [HEAD_CAMERA, ...hung.map(({ id }) => id)];
  const twice = (all: string[]) => all.filter((id, index) => all.indexOf(id) !== index).map((id) => `${id} is there twice`);
  const unknown = (used: string, known: string[], where: string) =>
    known.includes(used) ? [] : [`${where} names ${used}, which there is not`];
  return [
    ...twice(boxIds),
    ...twice(padIds),
    ...twice(cameraIds),
    ...twice(furniture.map(({ id }) => id)),
    ...furniture.flatMap(({ id }) => unknown(id, boxIds, 'furniture')),
    ...furniture.flatMap((piece) => ('padId' in piece ? unknown(piece.padId, padIds, piece.id) : [])),
    ...furniture.flatMap((piece) => ('beltId' in piece ? unknown(piece.beltId, boxIds, piece.id) : [])),
    ...Object.keys(approaches).flatMap((id) => unknown(id, padIds, 'an approach')),
    ...layout.slots.flatMap(({ pad_id }) => unknown(pad_id, padIds, 'a slot')),
  ];
}

const boxes = ({ layout }: SceneDefinition): string[] =>
  layout.obstacles
    .filter(({ size }) => size.some((length) => length <= 0))
    .map(({ obstacle_id }) => `${obstacle_id} has no size`);

/** The point in the frame of a box that is turned about the vertical; its axes are those of the box's size. */
function inBox({ pose: { position, yaw_deg } }: Box, [x, y, z]: Point): Point {
  const yawRad = ((yaw_deg ?? 0) * Math.PI) / 180;
  const [dx, dy] = [x - position[0], y - position[1]];
  return [dx * Math.cos(yawRad) + dy * Math.sin(yawRad), dy * Math.cos(yawRad) - dx * Math.sin(yawRad), z - position[2]];
}

/** Returns whether the point is in the box, enlarged by a margin in the floor plane and by another one in height. */
function isIn(box: Box, point: Point, marginM = 0, marginUpM = 0): boolean {
  const [x, y, z] = inBox(box, point).map(Math.abs);
  const [long = 0, deep = 0, high = 0] = box.size.map((length) => length / 2);
  return (x ?? 0) < long + marginM && (y ?? 0) < deep + marginM && (z ?? 0) < high + marginUpM;
}

const topOf = ({ pose, size }: Box): number => pose.position[2] + size[2] / 2;

function pads({ layout, furniture }: SceneDefinition): string[] {
  const { min, max } = layout.bounds;
  return layout.pads.flatMap(({ pad_id, position: [x, y, z] }) => {
    const outside = x < min[0] || x > max[0] || y < min[1] || y > max[1] ? [`${pad_id} lies outside the bounds`] : [];
    const carrier = furniture.find((piece) => piece.kind !== 'sign' && 'padId' in piece && piece.padId === pad_id);
    const box = layout.obstacles.find(({ obstacle_id }) => obstacle_id === carrier?.id);
    const surfaceZ = box ? topOf(box) : 0;
    return [
      ...outside,
      ...(Math.abs(z - surfaceZ) > NEAR_M ? [`${pad_id} is at ${z} m, and what carries it ends at ${surfaceZ} m`] : []),
      ...swept(layout, pad_id, z),
    ];
  });
}

/** A robot carries a cube over the things on a pad: a cube that lies too high there is pushed off by the next one. */
function swept({ slots: all }: SceneDefinition['layout'], padId: string, padZ: number): string[] {
  const middles = all.filter(({ pad_id }) => pad_id === padId).map(({ position }) => position[2]);
  const topM = Math.max(padZ + CUBE_EDGE_M / 2, ...middles) + CUBE_EDGE_M / 2;
  const highestM = CARRIED_UNDERSIDE_M - CARRIED_AIR_M;
  return topM > highestM + NEAR_M
    ? [`a cube on ${padId} ends at ${topM.toFixed(3)} m; carried cubes sweep away what is higher than ${highestM.toFixed(3)} m`]
    : [];
}

function slots({ layout }: SceneDefinition): string[] {
  return layout.pads.flatMap(({ pad_id, position, size }) => {
    const own = layout.slots.filter((slot) => slot.pad_id === pad_id);
    const isBeside = ([x, y]: Point) =>
      Math.abs(x - position[0]) > size[0] / 2 + NEAR_M || Math.abs(y - position[1]) > size[1] / 2 + NEAR_M;
    const layers = (z: number) => (z - position[2] - CUBE_EDGE_M / 2) / CUBE_EDGE_M;
    return own.flatMap(({ index, position: at }, order) => [
      ...(index === order ? [] : [`slot ${index} of ${pad_id} is out of order`]),
      ...(isBeside(at) ? [`slot ${index} of ${pad_id} is not on it`] : []),
      ...(layers(at[2]) < -NEAR_M || Math.abs(layers(at[2]) - Math.round(layers(at[2]))) > NEAR_M
        ? [`a cube in slot ${index} of ${pad_id} would not rest`]
        : []),
    ]);
  });
}

const cameras = ({ layout, cameras: hung }: SceneDefinition): string[] =>
  hung.flatMap(({ id, position, orientation, verticalFovDeg }) => [
    ...(Math.abs(Math.hypot(...orientation) - 1) > 1e-6 ? [`camera ${id} has no unit quaternion`] : []),
    ...(verticalFovDeg >= 5 && verticalFovDeg <= 150 ? [] : [`camera ${id} sees ${verticalFovDeg} degrees`]),
    ...(position[2] <= 0 ? [`camera ${id} hangs below the floor`] : []),
    ...layout.obstacles.filter((box) => isIn(box, position)).map((box) => `camera ${id} is inside ${box.obstacle_id}`),
  ]);

type ThingOfScene = SceneDefinition['things'][number];
type Corner = readonly [number, number];
/** The space of a solid: a convex outline on the floor plane, and its heights. */
interface Room {
  outline: readonly Corner[];
  bottom: number;
  top: number;
}

const ROUND_CORNERS = 64;

function turnedOutline(half: Corner, [x, y]: readonly [number, number, ...number[]], yawRad: number): Corner[] {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const corners: Corner[] = [
    [-half[0], -half[1]],
    [half[0], -half[1]],
    [half[0], half[1]],
    [-half[0], half[1]],
  ];
  return corners.map(([dx, dy]): Corner => [x + dx * cos - dy * sin, y + dx * sin + dy * cos]);
}

const heightOf = ({ shape }: ThingOfScene): number => (shape.kind === 'cylinder' ? shape.heightM : shape.size[2]);

function roomOf(thing: ThingOfScene): Room {
  const { shape, position, yawRad = 0 } = thing;
  const half = heightOf(thing) / 2;
  const outline =
    shape.kind === 'cylinder'
      ? Array.from({ length: ROUND_CORNERS }, (_, k): Corner => {
          const angle = (2 * Math.PI * k) / ROUND_CORNERS;
          return [position[0] + shape.radiusM * Math.cos(angle), position[1] + shape.radiusM * Math.sin(angle)];
        })
      : turnedOutline([shape.size[0] / 2, shape.size[1] / 2], position, yawRad);
  return { outline, bottom: position[2] - half, top: position[2] + half };
}

/** The room in a container for other things; null for any other thing. */
function insideOf({ shape, position, yawRad = 0 }: ThingOfScene): Room | null {
  if (shape.kind !== 'container') return null;
  const { size, wallM } = shape;
  return {
    outline: turnedOutline([size[0] / 2 - wallM, size[1] / 2 - wallM], position, yawRad),
    bottom: position[2] - size[2] / 2 + wallM,
    top: Number.POSITIVE_INFINITY,
  };
}

const boxRoom = ({ pose: { position, yaw_deg }, size }: Box): Room => ({
  outline: turnedOutline([size[0] / 2, size[1] / 2], position, ((yaw_deg ?? 0) * Math.PI) / 180),
  bottom: position[2] - size[2] / 2,
  top: position[2] + size[2] / 2,
});

/** How deep two convex outlines overlap, metres; negative if there is a gap between them. */
function overlapM(one: readonly Corner[], other: readonly Corner[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const outline of [one, other])
    for (const [k, [x, y]] of outline.entries()) {
      const [nextX, nextY] = outline[(k + 1) % outline.length] ?? [x, y];
      const length = Math.hypot(nextX - x, nextY - y);
      const along = ([px, py]: Corner) => (px * (nextY - y) - py * (nextX - x)) / length;
      const [a, b] = [one.map(along), other.map(along)];
      least = Math.min(least, Math.max(...a) - Math.min(...b), Math.max(...b) - Math.min(...a));
    }
  return least;
}

const meet = (one: Room, other: Room): boolean =>
  Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom) > NEAR_M && overlapM(one.outline, other.outline) > NEAR_M;

/** Returns whether the point is over a convex outline whose corners run anticlockwise. */
const isOver = (outline: readonly Corner[], [x, y]: readonly [number, number, ...number[]], marginM = 0): boolean =>
  outline.every(([ax, ay], k) => {
    const [bx, by] = outline[(k + 1) % outline.length] ?? [ax, ay];
    return ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / Math.hypot(bx - ax, by - ay) > -marginM;
  });

/** Returns whether a room is wholly inside another one. */
const isWithin = (one: Room, other: Room): boolean =>
  one.bottom > other.bottom - NEAR_M &&
  one.top < other.top &&
  one.outline.every((corner) => isOver(other.outline, corner, NEAR_M));

function things({ layout, things: all }: SceneDefinition): string[] {
  const boxes = layout.obstacles.map((box) => ({ id: box.obstacle_id, room: boxRoom(box) }));
  const rooms = all.map((thing) => ({ thing, room: roomOf(thing), inside: insideOf(thing) }));
  const highestM = CARRIED_UNDERSIDE_M - CARRIED_AIR_M;
  return rooms.flatMap(({ thing, room, inside }, index) => {
    const { min, max } = layout.bounds;
    const isOutside = room.outline.some(([x, y]) => x < min[0] || x > max[0] || y < min[1] || y > max[1]);
    const others = rooms.filter((_, at) => at !== index);
    const supports = [
      0,
      ...boxes.filter((box) => isOver(box.room.outline, thing.position)).map((box) => box.room.top),
      ...others
        .filter((other) => isOver((other.inside ?? other.room).outline, thing.position))
        .map((other) => other.inside?.bottom ?? other.room.top),
    ];
    const onPad = layout.pads.find(
      ({ position: [x, y, z], size }) =>
        Math.abs(room.bottom - z) < NEAR_M &&
        Math.abs(thing.position[0] - x) < size[0] / 2 &&
        Math.abs(thing.position[1] - y) < size[1] / 2,
    );
    return [
      ...(isOutside ? [`thing ${index} lies outside the bounds`] : []),
      ...boxes.filter((box) => meet(room, box.room)).map((box) => `thing ${index} is inside ${box.id}`),
      ...(supports.some((top) => Math.abs(room.bottom - top) < NEAR_M) ? [] : [`thing ${index} rests on nothing`]),
      ...(onPad && room.top > highestM + NEAR_M
        ? [`thing ${index} on ${onPad.pad_id} ends at ${room.top.toFixed(3)} m, where carried things sweep it away`]
        : []),
      ...rooms
        .slice(0, index)
        .flatMap((earlier, at) =>
          meet(room, earlier.room) &&
          !(earlier.inside && isWithin(room, earlier.inside)) &&
          !(inside && isWithin(earlier.room, inside))
            ? [`things ${at} and ${index} are in one place`]
            : [],
        ),
    ];
  });
}

function spawn({ layout, spawn: at }: SceneDefinition): string[] {
  const { position, yaw_deg } = layout.spawn;
  const isReported = Math.abs(position[0] - at.x) < NEAR_M && Math.abs(position[1] - at.y) < NEAR_M;
  const isTurned = Math.abs(Math.sin((((yaw_deg ?? 0) * Math.PI) / 180 - at.yawRad) / 2)) < NEAR_M;
  return [
    ...(isReported && isTurned ? [] : ['clients are told another spawn than the world uses']),
    ...layout.obstacles
      .filter((box) => isIn(box, [at.x, at.y, box.pose.position[2]], ROBOT_RADIUS_M))
      .map((box) => `the robot starts inside ${box.obstacle_id}`),
  ];
}

import { degToRad, type Quat, type Vec3, yawToQuat } from '../../../../protocol/wire/geometry.ts';
import { furnitureOf, type ScenePlace } from '../../../../protocol/wire/place.ts';
import type { RenderState, ThingRender } from '../../../../protocol/wire/render-state.ts';
import { isSliding, type RobotModel } from '../../../../protocol/wire/robot.ts';
import { robotModel } from '../../../../protocol/wire/robots.ts';
import { CUBE_SHAPE, sizeOf } from '../../../../protocol/wire/thing-shape.ts';
import { multiply, rotate } from '../../../../simulation/quaternion.ts';
import { CUBE_HEX, PALETTE } from '../../../../stage/look/palette.ts';
import { padColour, peopleTone } from '../../../../stage/look/people-palette.ts';

/** A box in the world: centre, full extents along its own axes, and rotation. Metres; the colour is sRGB hex. */
export interface CoarseBox {
  kind: 'box';
  centre: Vec3;
  size: Vec3;
  orientation: Quat;
  hex: number;
  /**
   * Only the sides that face this point are drawn: an eye outside the walls sees through them. Null for a box without such a
   * point.
   */
  seenFrom: Vec3 | null;
}

/** A part of the robot: a rod with round ends between two points of the world. Metres; the colour is sRGB hex. */
export interface CoarseRod {
  kind: 'rod';
  ends: readonly [Vec3, Vec3];
  radiusM: number;
  hex: number;
}

export type CoarseSolid = CoarseBox | CoarseRod;

const LEVEL: Quat = [0, 0, 0, 1];
/** Thickness of a floor and a pad in this picture, so that every solid has an inside. */
const THIN_M = 0.002;
const EYE_HEIGHT_M = 1;
const LIMB_RADIUS_M = 0.055;
const TRUNK_RADIUS_M = 0.11;
const HEAD_RADIUS_M = 0.1;
const tone = (hex: number): number => peopleTone('board', hex);

const FURNITURE_HEX = {
  wall: tone(PALETTE.wall),
  rack: tone(PALETTE.carton),
  pallet: tone(PALETTE.palletWood),
  table: tone(PALETTE.rackDeck),
  belt: tone(PALETTE.beltMetal),
  infeed: tone(PALETTE.hoodShell),
  sign: tone(PALETTE.signPost),
  none: tone(PALETTE.carton),
} as const;

/** Returns the fixed solids of a place: floor, walls, furniture and pads. */
export function placeSolids(layout: ScenePlace): readonly CoarseSolid[] {
  const { min, max } = layout.bounds;
  const middle: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, EYE_HEIGHT_M];
  const floor: CoarseBox = {
    kind: 'box',
    centre: [middle[0], middle[1], -THIN_M],
    size: [max[0] - min[0], max[1] - min[1], THIN_M],
    orientation: LEVEL,
    hex: tone(PALETTE.concrete),
    seenFrom: null,
  };
  const boxes = layout.obstacles.map(({ obstacle_id: id, pose, size }): CoarseBox => {
    const kind = furnitureOf(layout, id)?.kind;
    return {
      kind: 'box',
      centre: pose.position,
      size,
      orientation: yawToQuat(degToRad(pose.yaw_deg ?? 0)),
      hex: FURNITURE_HEX[kind ?? 'none'],
      seenFrom: kind === 'wall' ? middle : null,
    };
  });
  const pads = layout.pads.map(({ position: [x, y, z], size, color }): CoarseBox => {
    const hex = padColour(color, PALETTE.laneLine);
    return { kind: 'box', centre: [x, y, z + THIN_M], size: [size[0], size[1], THIN_M], orientation: LEVEL, hex, seenFrom: null };
  });
  return [floor, ...boxes, ...pads];
}

/** Returns the moving solids: the objects, and the robot as rods between its joints. */
export function movingSolids(state: RenderState, layout: Pick<ScenePlace, 'robot'>): readonly CoarseSolid[] {
  const model = robotModel(layout.robot);
  return [...state.things.map(thingBox), ...baseBox(state, model), ...robotRods(state, model)];
}

const thingBox = ({ position, orientation, colour, object }: ThingRender): CoarseBox => ({
  kind: 'box',
  centre: position,
  size: sizeOf(object?.shape ?? CUBE_SHAPE),
  orientation,
  hex: CUBE_HEX[colour],
  seenFrom: null,
});

/** Returns a rod from each link's joint to that of each child link; the head is at its camera. */
function robotRods({ rootPose, jointPositions, cameras }: RenderState, model: RobotModel): CoarseRod[] {
  const frames = new Map([[model.rootLink, rootPose]]);
  const rods: CoarseRod[] = [];
  const rod = (from: Vec3, to: Vec3, radiusM: number): void =>
    void rods.push({ kind: 'rod', ends: [from, to], radiusM, hex: PALETTE.shellWhite });
  model.joints.forEach((joint, k) => {
    const parent = frames.get(joint.parentLink);
    if (!parent) return;
    const value = jointPositions[k] ?? 0;
    const slideM = isSliding(joint) ? value : 0;
    const halfTurnRad = isSliding(joint) ? 0 : value / 2;
    const [ox, oy, oz] = joint.origin;
    const [ax, ay, az] = joint.axis;
    const position = moved(parent.position, parent.orientation, [ox + ax * slideM, oy + ay * slideM, oz + az * slideM]);
    const sin = Math.sin(halfTurnRad);
    const orientation = turned(parent.orientation, [ax * sin, ay * sin, az * sin, Math.cos(halfTurnRad)]);
    frames.set(joint.link, { position, orientation });
    const isTrunk = ox === 0 && oy === 0 && oz > 0;
    rod(parent.position, position, isTrunk ? TRUNK_RADIUS_M : LIMB_RADIUS_M);
  });
  // Some browsers do not draw a line of length zero.
  const [x, y, z] = cameras.pov.position;
  rod([x, y, z], [x, y, z + THIN_M], HEAD_RADIUS_M);
  return rods;
}

/** Returns the base of a robot without legs: the part that no joint moves, from the floor to the base frame. */
function baseBox({ rootPose }: RenderState, { joints, rootLink, radiusM, baseHeightM }: RobotModel): CoarseBox[] {
  if (joints.some(({ parentLink, origin }) => parentLink === rootLink && origin[2] < 0)) return [];
  const widthM = radiusM * Math.SQRT2;
  return [
    {
      kind: 'box',
      centre: moved(rootPose.position, rootPose.orientation, [0, 0, -baseHeightM / 2]),
      size: [widthM, widthM, baseHeightM],
      orientation: rootPose.orientation,
      hex: PALETTE.shellWhite,
      seenFrom: null,
    },
  ];
}

/** Returns the point `offset` of a frame, in the world. */
export function moved([x, y, z]: Vec3, [qx, qy, qz, qw]: Quat, [ox, oy, oz]: Vec3): Vec3 {
  const by = rotate({ x: qx, y: qy, z: qz, w: qw }, { x: ox, y: oy, z: oz });
  return [x + by.x, y + by.y, z + by.z];
}

function turned([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  const { x, y, z, w } = multiply({ x: ax, y: ay, z: az, w: aw }, { x: bx, y: by, z: bz, w: bw });
  return [x, y, z, w];
}

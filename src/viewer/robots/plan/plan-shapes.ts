import { degToRad } from '../../../protocol/wire/geometry.ts';
import { furnitureOf, type ScenePlace } from '../../../protocol/wire/place.ts';
import type { Obstacle, Pad, ThingColour } from '../../../protocol/wire/scene.ts';

/** The plan of a scene from above, in metres. The top of the picture is towards +y, as in the scene's ceiling camera. */
export interface PlanShapes {
  /** The floor: left, top, width and height in the picture. */
  floor: { left: number; top: number; width: number; height: number };
  /** Outlines of all fixed objects, as one path for each style. */
  racks: string;
  belts: string;
  others: string;
  pads: readonly { id: string; colour: ThingColour | null; path: string; letter: string | null; x: number; y: number }[];
}

/** The part of a scene from which a plan is drawn. */
export type PlanScene = Pick<ScenePlace, 'bounds' | 'obstacles' | 'pads' | 'furniture'>;

/** Returns the plan of a scene. Walls are its edge; sign posts give their letter to the pad. */
export function planShapes(scene: PlanScene): PlanShapes {
  const [minX, minY] = scene.bounds.min;
  const [maxX, maxY] = scene.bounds.max;
  const paths = { rack: '', belt: '', other: '' };
  for (const obstacle of scene.obstacles) {
    const kind = furnitureOf(scene, obstacle.obstacle_id)?.kind;
    if (kind === 'wall' || kind === 'sign') continue;
    // An object that carries a pad is drawn as the pad, except for a belt, which is longer than its pad.
    if (kind === 'pallet' || kind === 'table') continue;
    paths[kind === 'rack' || kind === 'belt' ? kind : 'other'] += outline(obstacle);
  }
  return {
    floor: { left: minX, top: -maxY, width: maxX - minX, height: maxY - minY },
    racks: paths.rack,
    belts: paths.belt,
    others: paths.other,
    pads: scene.pads.filter(({ pad_id: id }) => !isOnBelt(scene, id)).map((pad) => padShape(scene, pad)),
  };
}

const isOnBelt = ({ furniture }: PlanScene, padId: string): boolean =>
  furniture.some((piece) => piece.kind === 'belt' && piece.padId === padId);

function padShape({ furniture }: PlanScene, { pad_id: id, position: [x, y], size, color }: Pad): PlanShapes['pads'][number] {
  const sign = furniture.find((piece) => piece.kind === 'sign' && piece.padId === id);
  return {
    id,
    colour: color ?? null,
    path: rectangle(x, y, size[0], size[1], 0),
    letter: sign?.kind === 'sign' ? sign.letter : null,
    x,
    y: -y,
  };
}

const outline = ({ pose: { position, yaw_deg: yawDeg = 0 }, size }: Obstacle): string =>
  rectangle(position[0], position[1], size[0], size[1], degToRad(yawDeg));

/** Returns the path of a rectangle on the floor; y increases downwards in pictures. */
function rectangle(x: number, y: number, sizeX: number, sizeY: number, yawRad: number): string {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const corners = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ].map(([a = 0, b = 0]) => {
    const [dx, dy] = [(a * sizeX) / 2, (b * sizeY) / 2];
    return `${short(x + dx * cos - dy * sin)} ${short(-(y + dx * sin + dy * cos))}`;
  });
  return `M${corners.join('L')}Z`;
}

const short = (metres: number): string => String(Number(metres.toFixed(3)) + 0);

/** Returns whether a position is on the floor of a plan. */
export const isOnFloor = ({ floor: { left, top, width, height } }: PlanShapes, xM: number, yM: number): boolean =>
  xM >= left && xM <= left + width && -yM >= top && -yM <= top + height;

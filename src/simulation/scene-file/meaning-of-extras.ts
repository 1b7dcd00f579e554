import type { SceneFile } from '../../protocol/files/scene-file.ts';
import { SCENE_LIMITS } from '../../protocol/files/scene-limits.ts';
import { roundDeep, utf8Bytes } from '../../protocol/wire/json.ts';
import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import type { SceneDefinition } from '../scene-definition.ts';
import { bottomOf, boxSolid, isOver, topOf } from '../solids.ts';

const NEAR_M = 1e-3;
const LEAST_AREA_M2 = 0.01;

/** Returns what is wrong with the cameras of a scene file, with the path of each. */
export function cameraProblems({ cameras = [] }: SceneFile, { layout }: SceneDefinition): SceneProblem[] {
  return cameras.flatMap((camera, index): SceneProblem[] => {
    const at = `cameras[${index}]`;
    const [x, y, z] = camera.position;
    const { look_at: target, orientation_xyzw: orientation } = camera;
    if ((target === undefined) === (orientation === undefined))
      return [{ path: `${at}.look_at`, reason: 'or orientation_xyzw must be there, and only one of them.' }];
    if (target !== undefined && camera.position.every((value, axis) => Math.abs(value - (target[axis] ?? 0)) < NEAR_M))
      return [{ path: `${at}.look_at`, reason: 'must be another point than the position.' }];
    if (z <= 0) return [{ path: `${at}.position[2]`, reason: `must be above the floor; it is ${z}.` }];
    const inside = layout.obstacles.find(({ pose, size }) => {
      const solid = boxSolid(pose.position, size, pose.yaw_deg);
      return z > bottomOf(solid) && z < topOf(solid) && isOver(solid, x, y);
    });
    return inside ? [{ path: `${at}.position`, reason: `must be where nothing stands; it is in ${inside.obstacle_id}.` }] : [];
  });
}

/** Objects that stick out of a wall hang higher than robots reach with their load. */
const HUNG_FROM_M = 1.4;
const STANDS_OUT = ['cabinet', 'hood'];

/** Looks that mean nothing where they are, and what is drawn outside of the room. */
export function lookProblems({
  obstacles = [],
  decor = [],
  walls,
  look: placeLook,
  paint: wallPaint,
  bounds: { min, max },
}: SceneFile): SceneProblem[] {
  const boxes = obstacles.flatMap(({ kind, look, paint }, index): SceneProblem[] => {
    const at = `obstacles[${index}]`;
    if (look !== undefined && kind !== undefined && kind !== 'table' && kind !== 'rack')
      return [{ path: `${at}.look`, reason: `means nothing for ${kind}, which has a look of its own; leave it out.` }];
    return paint !== undefined && look === undefined ? [{ path: `${at}.paint`, reason: 'needs a look beside it.' }] : [];
  });
  const drawn = decor.flatMap((piece, index): SceneProblem[] => {
    const at = `decor[${index}]`;
    const isOutside = (middle: number, axis: 0 | 1, extent: number) =>
      middle - extent / 2 < min[axis] - NEAR_M || middle + extent / 2 > max[axis] + NEAR_M;
    if ('position' in piece)
      return isOutside(piece.position[0], 0, piece.size[0]) || isOutside(piece.position[1], 1, piece.size[1])
        ? [{ path: `${at}.position`, reason: 'and size must lie in the room.' }]
        : [];
    if (placeLook !== 'home')
      return [{ path: `${at}.kind`, reason: `needs "look": "home", which draws each ${piece.kind} on a wall.` }];
    if (walls === false) return [{ path: `${at}.wall`, reason: 'must be there, and walls is false.' }];
    const axis = piece.wall === 'north' || piece.wall === 'south' ? 0 : 1;
    if (isOutside(piece.at_m, axis, piece.size[0])) return [{ path: `${at}.at_m`, reason: 'and size must lie on the wall.' }];
    const bottomZ = piece.z_m - piece.size[1] / 2;
    if (bottomZ < -NEAR_M || piece.z_m + piece.size[1] / 2 > max[2] + NEAR_M)
      return [{ path: `${at}.z_m`, reason: 'and size must lie between floor and ceiling.' }];
    if (STANDS_OUT.includes(piece.kind) && bottomZ < HUNG_FROM_M - NEAR_M)
      return [
        {
          path: `${at}.z_m`,
          reason: `must let a ${piece.kind} hang from ${HUNG_FROM_M} m upwards, over robots and what they carry.`,
        },
      ];
    return [];
  });
  const painted: SceneProblem[] =
    wallPaint !== undefined && placeLook !== 'home'
      ? [{ path: 'paint', reason: 'is of the walls of home: it needs "look": "home".' }]
      : [];
  return [...boxes, ...painted, ...drawn];
}

type Corner = readonly [number, number];

/** Returns what is wrong with the named parts of the floor, with the path of each. */
export function regionProblems({ regions = [], bounds: { min, max } }: SceneFile): SceneProblem[] {
  return regions.flatMap(({ polygon }, index): SceneProblem[] => {
    const path = `regions[${index}].polygon`;
    const outside = polygon.findIndex(
      ([x, y]) => x < min[0] - NEAR_M || x > max[0] + NEAR_M || y < min[1] - NEAR_M || y > max[1] + NEAR_M,
    );
    if (outside !== -1) return [{ path: `${path}[${outside}]`, reason: 'must be in the room.' }];
    const crossing = firstCrossing(polygon);
    if (crossing !== null)
      return [{ path: `${path}[${crossing}]`, reason: 'begins a side that meets another one; the corners must go round once.' }];
    return areaM2(polygon) < LEAST_AREA_M2 ? [{ path, reason: `must enclose at least ${LEAST_AREA_M2} m².` }] : [];
  });
}

const side = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));

const isBetween = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): boolean =>
  Math.min(ax, bx) <= cx && cx <= Math.max(ax, bx) && Math.min(ay, by) <= cy && cy <= Math.max(ay, by);

function meet(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  const [s1, s2, s3, s4] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (s1 !== s2 && s3 !== s4) return true;
  return (
    (s1 === 0 && isBetween(a, b, c)) ||
    (s2 === 0 && isBetween(a, b, d)) ||
    (s3 === 0 && isBetween(c, d, a)) ||
    (s4 === 0 && isBetween(c, d, b))
  );
}

/** Returns the first corner whose side meets another side than its neighbours, or that is where the next one is; null when there is none. */
function firstCrossing(polygon: readonly Corner[]): number | null {
  const count = polygon.length;
  const at = (index: number): Corner => polygon[index % count] ?? [0, 0];
  for (let i = 0; i < count; i += 1) {
    if (at(i)[0] === at(i + 1)[0] && at(i)[1] === at(i + 1)[1]) return i;
    for (let j = i + 2; j < count; j += 1) {
      if (i === 0 && j === count - 1) continue;
      if (meet(at(i), at(i + 1), at(j), at(j + 1))) return i;
    }
  }
  return null;
}

const areaM2 = (polygon: readonly Corner[]): number =>
  Math.abs(
    polygon.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = polygon[(index + 1) % polygon.length] ?? [0, 0];
      return sum + x * nextY - nextX * y;
    }, 0),
  ) / 2;

/** A client reads the layout in one reply, which has a largest size. */
export function sizeProblems({ layout }: SceneDefinition): SceneProblem[] {
  const bytes = utf8Bytes(JSON.stringify(roundDeep(layout)));
  if (bytes <= SCENE_LIMITS.layoutBytes) return [];
  return [
    {
      path: 'obstacles',
      reason: `with pads and regions make a layout of ${bytes} bytes, and at most ${SCENE_LIMITS.layoutBytes} fit into one reply; leave some out, or shorten their ids.`,
    },
  ];
}

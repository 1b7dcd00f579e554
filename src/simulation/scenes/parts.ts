import { type PlanarPose, radToDeg, type Vec3, yawToQuat } from '../../protocol/geometry.ts';
import { BASE_HEIGHT_M } from '../../protocol/robots/humanoid.ts';
import { CUBE_EDGE_M, type Obstacle, type SceneLayout, type Slot } from '../../protocol/scene.ts';

/** Parts that scenes are built from. World frame, metres, radians. */

const WALL_THICKNESS_M = 0.2;

/** Rounds to six decimals, so that clients read 0.6 and not 0.6000000000000001, and 0 without a sign. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;

/** Returns an upright box with its sides along the axes. */
export const box = (obstacleId: string, centre: Obstacle['pose']['position'], size: Obstacle['size']): Obstacle => ({
  kind: 'box',
  obstacle_id: obstacleId,
  pose: { position: centre, yaw_deg: 0 },
  size,
});

/** Returns the four walls round a scene, as high as its bounds, their inner faces on them. */
export function walls({ min: [minX, minY], max: [maxX, maxY, heightM] }: SceneLayout['bounds']): Obstacle[] {
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

/**
 * Returns slots in a row.
 * @param first place of the first one on the pad's surface
 * @param step from one to the next, along x and along y
 */
export const rowSlots = (
  padId: string,
  [x, y, surfaceZ]: Vec3,
  [stepX, stepY]: readonly [number, number],
  count: number,
): Slot[] =>
  Array.from({ length: count }, (_, index) => ({
    pad_id: padId,
    index,
    position: [rounded(x + index * stepX), rounded(y + index * stepY), rounded(surfaceZ + CUBE_EDGE_M / 2)],
  }));

const CORNERS: readonly (readonly [number, number])[] = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];

/**
 * Returns four slots about the middle of a pad, and as many on top of them for each further layer of cubes.
 * @param middle the pad's middle on its surface
 * @param offset from the middle to a slot, along x and along y
 */
export const cornerSlots = (
  padId: string,
  [x, y, surfaceZ]: Vec3,
  [offsetX, offsetY]: readonly [number, number],
  layers = 1,
): Slot[] =>
  Array.from({ length: layers }, (_, layer) =>
    CORNERS.map(
      ([signX, signY], corner): Slot => ({
        pad_id: padId,
        index: layer * CORNERS.length + corner,
        position: [rounded(x + signX * offsetX), rounded(y + signY * offsetY), rounded(surfaceZ + (layer + 0.5) * CUBE_EDGE_M)],
      }),
    ),
  ).flat();

/** Returns the spawn as clients are told it. */
export const toldSpawn = ({ x, y, yawRad }: PlanarPose): SceneLayout['spawn'] => ({
  frame_id: 'world',
  position: [x, y, BASE_HEIGHT_M],
  orientation_xyzw: [...yawToQuat(yawRad)],
  yaw_deg: rounded(radToDeg(yawRad)),
});

/** A pinhole camera by the numbers that a capture publishes; shares no code with what draws. */

export interface PictureFrame {
  intrinsics: { fx: number; fy: number; cx: number; cy: number };
  /** Optical frame in the world: x right, y down, z forward. */
  camera_pose: { position: number[]; orientation_xyzw: number[] };
}

type Point = readonly [number, number];

/** Columns of the rotation of a unit quaternion. */
function columnsOf([x = 0, y = 0, z = 0, w = 1]: readonly number[]): [number[], number[], number[]] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

/** A point of the world in a picture: pixels, and its depth along the optical axis in metres. */
export function project(point: readonly number[], { intrinsics, camera_pose: pose }: PictureFrame): [number, number, number] {
  const { fx, fy, cx, cy } = intrinsics;
  const from = point.map((value, axis) => value - (pose.position[axis] ?? 0));
  const [x, y, z] = columnsOf(pose.orientation_xyzw).map((column) => dot(column, from)) as [number, number, number];
  return [cx + (fx * x) / z, cy + (fy * y) / z, z];
}

/** The outline of a cube in a picture: the convex hull of its projected corners. */
export function outlineOf(
  pose: { position: readonly number[]; orientation_xyzw?: readonly number[] },
  edgeM: number,
  frame: PictureFrame,
): Point[] {
  const columns = columnsOf(pose.orientation_xyzw ?? [0, 0, 0, 1]);
  const corners = Array.from({ length: 8 }, (_, corner): Point => {
    const local = [1, 2, 4].map((bit) => (corner & bit ? edgeM / 2 : -edgeM / 2));
    const world = pose.position.map(
      (value, axis) =>
        value +
        dot(
          local,
          columns.map((column) => column[axis] ?? 0),
        ),
    );
    const [x, y] = project(world, frame);
    return [x, y];
  });
  return hullOf(corners);
}

/** Gift wrapping: from the leftmost point always on to the one that leaves all others on the same side. */
function hullOf(points: readonly Point[]): Point[] {
  const start = points.reduce((a, b) => (b[0] < a[0] ? b : a));
  const hull: Point[] = [];
  for (let at = start; hull.length < points.length; ) {
    hull.push(at);
    let next = points.find((point) => point !== at) ?? at;
    for (const point of points) {
      const turn = (next[0] - at[0]) * (point[1] - at[1]) - (next[1] - at[1]) * (point[0] - at[0]);
      if (point !== at && turn < 0) next = point;
    }
    if (next === start) break;
    at = next;
  }
  return hull;
}

/** Left, top, right, bottom. */
export const boundsOf = (points: readonly Point[]): [number, number, number, number] => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
];

/** Middle of the area of a simple polygon. */
export function polygonCentroid(points: readonly Point[]): Point {
  let [area, sumX, sumY] = [0, 0, 0];
  points.forEach(([x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] ?? [x, y];
    const cross = x * nextY - nextX * y;
    area += cross;
    sumX += (x + nextX) * cross;
    sumY += (y + nextY) * cross;
  });
  return [sumX / (3 * area), sumY / (3 * area)];
}

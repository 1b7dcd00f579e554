import type { SceneDefinition, ThingAtStart } from '../../src/simulation/scene-definition.ts';

/**
 * Judges a layout on its own, without the simulation: every thing as convex outlines with a height, compared corner by corner. It
 * shares no code with the drawing of layouts, and rounds a cylinder to an inner polygon of 24 corners.
 */

type Point = readonly [number, number];
interface Prism {
  owner: string;
  outline: readonly Point[];
  fromZ: number;
  toZ: number;
}

const SLACK_M = 1e-3;

function rectangle([x, y]: Point, width: number, depth: number, yawRad: number): Point[] {
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  return [
    [-width / 2, -depth / 2],
    [width / 2, -depth / 2],
    [width / 2, depth / 2],
    [-width / 2, depth / 2],
  ].map(([a = 0, b = 0]) => [x + c * a - s * b, y + s * a + c * b]);
}

/** The solid parts of a thing. */
export function prismsOf(thing: ThingAtStart, owner: string): Prism[] {
  const { shape, position, yawRad = 0 } = thing;
  const [x, y, z] = position;
  if (shape.kind === 'cylinder') {
    const outline = Array.from({ length: 24 }, (_, k): Point => {
      const angle = (k * Math.PI) / 12;
      return [x + shape.radiusM * Math.cos(angle), y + shape.radiusM * Math.sin(angle)];
    });
    return [{ owner, outline, fromZ: z - shape.heightM / 2, toZ: z + shape.heightM / 2 }];
  }
  const [w, d, h] = shape.size;
  const whole = { owner, outline: rectangle([x, y], w, d, yawRad), fromZ: z - h / 2, toZ: z + h / 2 };
  if (shape.kind === 'box') return [whole];
  const t = shape.wallM;
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  const at = (a: number, b: number): Point => [x + c * a - s * b, y + s * a + c * b];
  return [
    { ...whole, toZ: z - h / 2 + t },
    ...[-1, 1].map((side) => ({ ...whole, outline: rectangle(at((side * (w - t)) / 2, 0), t, d, yawRad) })),
    ...[-1, 1].map((side) => ({ ...whole, outline: rectangle(at(0, (side * (d - t)) / 2), w, t, yawRad) })),
  ];
}

/** How deep two convex outlines overlap, along the side where the depth is least; negative if they are apart. */
function depthM(one: readonly Point[], other: readonly Point[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const outline of [one, other]) {
    for (const [index, [ax, ay]] of outline.entries()) {
      const [bx, by] = outline[(index + 1) % outline.length] ?? [0, 0];
      const length = Math.hypot(bx - ax, by - ay);
      const [nx, ny] = [(by - ay) / length, (ax - bx) / length];
      const along = (points: readonly Point[]) => points.map(([px, py]) => px * nx + py * ny);
      const [p, q] = [along(one), along(other)];
      least = Math.min(least, Math.max(...p) - Math.min(...q), Math.max(...q) - Math.min(...p));
    }
  }
  return least;
}

const areInEachOther = (one: Prism, other: Prism): boolean =>
  Math.min(one.toZ, other.toZ) - Math.max(one.fromZ, other.fromZ) > SLACK_M && depthM(one.outline, other.outline) > SLACK_M;

function isUnder({ outline }: Prism, [x, y]: Point): boolean {
  return outline.every(([ax, ay], index) => {
    const [bx, by] = outline[(index + 1) % outline.length] ?? [0, 0];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= -1e-9;
  });
}

/** Returns a sentence for each thing that is inside another, in a wall, outside, or in the air. */
export function faultsOf({ layout }: SceneDefinition, things: readonly ThingAtStart[]): string[] {
  const standing = layout.obstacles.map(({ obstacle_id: owner, pose, size }): Prism => {
    const [x, y, z] = pose.position;
    const outline = rectangle([x, y], size[0], size[1], ((pose.yaw_deg ?? 0) * Math.PI) / 180);
    return { owner, outline, fromZ: z - size[2] / 2, toZ: z + size[2] / 2 };
  });
  const lying = things.map((thing, index) => prismsOf(thing, thing.id ?? `thing ${index}`));
  const faults: string[] = [];
  for (const [index, parts] of lying.entries()) {
    const others = [...standing, ...lying.slice(0, index).flat()];
    const hit = others.find((other) => parts.some((part) => areInEachOther(part, other)));
    const owner = parts[0]?.owner ?? '';
    if (hit) faults.push(`${owner} is in ${hit.owner}`);
    const { min, max } = layout.bounds;
    const corners = parts.flatMap(({ outline }) => outline);
    if (corners.some(([x, y]) => x < min[0] || x > max[0] || y < min[1] || y > max[1])) faults.push(`${owner} is outside`);
    const under = Math.min(...parts.map(({ fromZ }) => fromZ));
    const [x = 0, y = 0] = things[index]?.position ?? [];
    const tops = [...standing, ...lying.filter((_, other) => other !== index).flat()].filter((prism) => isUnder(prism, [x, y]));
    if (![0, ...tops.map(({ toZ }) => toZ)].some((top) => Math.abs(top - under) <= SLACK_M))
      faults.push(`${owner} rests on nothing`);
  }
  return faults;
}

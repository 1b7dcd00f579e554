/**
 * The judge's own body: rounded rods for limbs, rounded boxes for trunk, hands, feet and the held cube, a little slimmer than the
 * drawn shells. If these solids overlap, people see the shells overlap.
 */

import {
  ANKLE_HEIGHT_M,
  FOOT_LENGTH_M,
  FOOT_WIDTH_M,
  FOREARM_M,
  HAND_LENGTH_M,
  ROOT_LINK,
  SHANK_M,
  THIGH_M,
  UPPER_ARM_M,
} from '../../../src/protocol/robots/humanoid.ts';
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';
import { CUBE_EDGE_M } from '../../../src/protocol/wire/scene.ts';
import { inLink, inWorld, type LinkFrame, type Links, linkOf, type Point } from './links.ts';

/** All points within `radiusM` of the segment from `from` to `to`; world frame. */
interface Rod {
  kind: 'rod';
  from: Point;
  to: Point;
  radiusM: number;
}

/** All points within `radiusM` of a box about `centre` of a frame. */
interface Box {
  kind: 'box';
  frame: LinkFrame;
  centre: Point;
  half: Point;
  radiusM: number;
}

export type Solid = Rod | Box;

const SIDES = ['right', 'left'] as const;

/** Parts of the body by name in the world, with the cube in the hands as `cube`. */
export function solidsOf(links: Links, state: Pick<RenderState, 'things'>): Map<string, Solid> {
  const solids = new Map<string, Solid>();
  const rod = (name: string, link: string, from: Point, to: Point, radiusM: number): void => {
    const frame = linkOf(links, link);
    solids.set(name, { kind: 'rod', from: inWorld(frame, from), to: inWorld(frame, to), radiusM });
  };
  const box = (name: string, link: string, centre: Point, half: Point, radiusM: number): void => {
    solids.set(name, { kind: 'box', frame: linkOf(links, link), centre, half, radiusM });
  };
  box('pelvis', ROOT_LINK, [0, 0, 0.025], [0.03, 0.045, 0.005], 0.04);
  box('abdomen', 'torso', [0, 0, 0.06], [0.025, 0.045, 0.03], 0.04);
  box('chest', 'torso', [-0.006, 0, 0.21], [0, 0.033, 0.03], 0.08);
  box('pack', 'torso', [-0.092, 0, 0.222], [0.02, 0.075, 0.07], 0.01);
  rod('head', 'head', [0.004, 0, 0.04], [0.004, 0, 0.06], 0.078);
  for (const side of SIDES) {
    rod(`${side} upper arm`, `${side}_shoulder_yaw_link`, [0, 0, -0.05], [0, 0, -UPPER_ARM_M], 0.034);
    rod(`${side} forearm`, `${side}_elbow_link`, [0, 0, -0.01], [0, 0, -FOREARM_M + 0.04], 0.03);
    box(
      `${side} hand`,
      `${side}_wrist_yaw_link`,
      [0, side === 'right' ? -0.009 : 0.009, -HAND_LENGTH_M / 2],
      [0.03, 0.009, 0.04],
      0.01,
    );
    rod(`${side} thigh`, `${side}_hip_yaw_link`, [0.005, 0, -0.07], [0.004, 0, -THIGH_M + 0.03], 0.048);
    rod(`${side} shank`, `${side}_knee_link`, [-0.003, 0, -0.02], [0, 0, -SHANK_M + 0.05], 0.04);
    box(
      `${side} foot`,
      `${side}_ankle_roll_link`,
      [0.03, 0, -ANKLE_HEIGHT_M + 0.018],
      [FOOT_LENGTH_M / 2 - 0.018, FOOT_WIDTH_M / 2 - 0.018, 0],
      0.018,
    );
  }
  const held = state.things.find((thing) => thing.held);
  if (held) {
    const half = CUBE_EDGE_M / 2 - 0.01;
    solids.set('cube', {
      kind: 'box',
      frame: { at: held.position, turn: held.orientation },
      centre: [0, 0, 0],
      half: [half, half, half],
      radiusM: 0.01,
    });
  }
  return solids;
}

/** Pairs that may meet: all except neighbours along the body, and hands with the things that they hold. */
export function pairsOf(solids: ReadonlyMap<string, Solid>): [string, string][] {
  const names = [...solids.keys()];
  return names.flatMap((a, i) =>
    names
      .slice(i + 1)
      .filter((b) => !areNeighbours(a, b))
      .map((b): [string, string] => [a, b]),
  );
}

const TRUNK = ['pelvis', 'abdomen', 'chest', 'pack', 'head'];
const CHAINS = SIDES.flatMap((side) => [
  ['chest', `${side} upper arm`, `${side} forearm`, `${side} hand`, 'cube'],
  ['pelvis', `${side} thigh`, `${side} shank`, `${side} foot`],
]);

function areNeighbours(a: string, b: string): boolean {
  if (TRUNK.includes(a) && TRUNK.includes(b)) return true;
  return CHAINS.some((chain) => {
    const [i, j] = [chain.indexOf(a), chain.indexOf(b)];
    // The shoulder's cap is part of the chest, and a thigh's upper end part of the pelvis.
    return i >= 0 && j >= 0 && Math.abs(i - j) === 1 && a !== 'chest' && b !== 'chest';
  });
}

/** Between the surfaces of two solids, metres; negative if they overlap. */
export function gapM(a: Solid, b: Solid): number {
  if (a.kind === 'rod' && b.kind === 'rod') return rodsApartM(a, b) - a.radiusM - b.radiusM;
  if (a.kind === 'rod') return rodToBoxM(a.from, a.to, b as Box) - a.radiusM - b.radiusM;
  if (b.kind === 'rod') return rodToBoxM(b.from, b.to, a) - a.radiusM - b.radiusM;
  const edges = (of: Box, to: Box): number => Math.min(...edgesOf(of).map(([from, end]) => rodToBoxM(from, end, to)));
  return Math.min(edges(a, b), edges(b, a)) - a.radiusM - b.radiusM;
}

/** Approximate middle and radius of a solid: a distant one need not be measured. */
export function ballOf(solid: Solid): { centre: Point; reachM: number } {
  if (solid.kind === 'rod') {
    const [from, to] = [solid.from, solid.to];
    const centre: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2];
    return { centre, reachM: apartM(from, to) / 2 + solid.radiusM };
  }
  return { centre: inWorld(solid.frame, solid.centre), reachM: Math.hypot(...solid.half) + solid.radiusM };
}

export const apartM = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function edgesOf({ frame, centre, half }: Box): [Point, Point][] {
  const corner = (sx: number, sy: number, sz: number): Point =>
    inWorld(frame, [centre[0] + sx * half[0], centre[1] + sy * half[1], centre[2] + sz * half[2]]);
  const ends = [-1, 1];
  return ends.flatMap((u) =>
    ends.flatMap((v): [Point, Point][] => [
      [corner(-1, u, v), corner(1, u, v)],
      [corner(u, -1, v), corner(u, 1, v)],
      [corner(u, v, -1), corner(u, v, 1)],
    ]),
  );
}

/** Least distance of two segments (Ericson, Real-Time Collision Detection, 5.1.9). */
function rodsApartM(a: Rod, b: Rod): number {
  const d1 = minus(a.to, a.from);
  const d2 = minus(b.to, b.from);
  const r = minus(a.from, b.from);
  const [aa, e, f] = [dot(d1, d1), dot(d2, d2), dot(d2, r)];
  const c = dot(d1, r);
  const bb = dot(d1, d2);
  const denominator = aa * e - bb * bb;
  let s = denominator > 1e-12 ? unit((bb * f - c * e) / denominator) : 0;
  let t = (bb * s + f) / e;
  if (t < 0) [t, s] = [0, unit(-c / aa)];
  else if (t > 1) [t, s] = [1, unit((bb - c) / aa)];
  return apartM(along(a.from, d1, s), along(b.from, d2, t));
}

/**
 * Least signed distance from a segment to a box's faces: that of a point is convex along the segment, so a ternary search finds
 * it.
 */
function rodToBoxM(from: Point, to: Point, { frame, centre, half }: Box): number {
  const start = minus(inLink(frame, from), centre);
  const way = minus(minus(inLink(frame, to), centre), start);
  const at = (share: number): number => {
    const qx = Math.abs(start[0] + share * way[0]) - half[0];
    const qy = Math.abs(start[1] + share * way[1]) - half[1];
    const qz = Math.abs(start[2] + share * way[2]) - half[2];
    const inside = Math.min(0, Math.max(qx, qy, qz));
    return Math.hypot(Math.max(0, qx), Math.max(0, qy), Math.max(0, qz)) + inside;
  };
  let low = 0;
  let high = 1;
  for (let round = 0; round < 18; round += 1) {
    const third = (high - low) / 3;
    if (at(low + third) < at(high - third)) high -= third;
    else low += third;
  }
  return at((low + high) / 2);
}

const unit = (value: number): number => Math.max(0, Math.min(1, value));
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (from: Point, way: Point, share: number): Point => [
  from[0] + share * way[0],
  from[1] + share * way[1],
  from[2] + share * way[2],
];

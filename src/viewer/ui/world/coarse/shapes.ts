import { degToRad, type Vec3 } from '../../../../protocol/wire/geometry.ts';
import { type CoarseBox, type CoarseSolid, moved } from './solids.ts';

/** The eye of a person and its target, world frame, metres; z is up. */
export interface CoarseView {
  eye: Vec3;
  target: Vec3;
  verticalFovDeg: number;
  /** Size of the picture, and the position of straight ahead, measured to the right from its middle. Pixels. */
  widthPx: number;
  heightPx: number;
  asidePx: number;
}

/** A shape to fill or to stroke, pixels from the upper left corner. */
export type CoarseShape =
  | { kind: 'polygon'; points: readonly (readonly [number, number])[]; css: string }
  | { kind: 'line'; points: readonly (readonly [number, number])[]; widthPx: number; css: string };

/** Nothing nearer to the eye is drawn. */
const NEAR_M = 0.1;
/** Tolerance within which touching solids do not hide each other. */
const TOUCH_M = 1e-3;
/** Light from above: the brightness of a top; the brightness of a side depends on its direction. */
const TOP = 1;
const SIDES = [0.84, 0.76, 0.8, 0.7] as const;
const BOTTOM = 0.5;

/** The sides of a box: the axis along which each faces, and its direction. */
const FACES = [
  { axis: 0, sign: 1, light: SIDES[0] },
  { axis: 0, sign: -1, light: SIDES[1] },
  { axis: 1, sign: 1, light: SIDES[2] },
  { axis: 1, sign: -1, light: SIDES[3] },
  { axis: 2, sign: 1, light: TOP },
  { axis: 2, sign: -1, light: BOTTOM },
] as const;

/** Returns the shapes of solids in a view, in drawing order: shapes that others may cover come first. */
export function coarseShapes(solids: readonly CoarseSolid[], view: CoarseView): readonly CoarseShape[] {
  const toView = viewFrame(view);
  const focalPx = view.heightPx / 2 / Math.tan(degToRad(view.verticalFovDeg) / 2);
  const [middleX, middleY] = [view.widthPx / 2 + view.asidePx, view.heightPx / 2];
  const onPicture = ([x, y, z]: Vec3): readonly [number, number] => [middleX + (focalPx * x) / z, middleY - (focalPx * y) / z];
  return farToNear(solids, view.eye).flatMap((solid): CoarseShape[] => {
    if (solid.kind !== 'rod')
      return facesTowards(solid, view.eye).flatMap(({ corners, light }) => {
        const seen = inFront(corners.map(toView));
        return seen.length < 3 ? [] : [{ kind: 'polygon', points: seen.map(onPicture), css: shaded(solid.hex, light) }];
      });
    const [a, b] = [toView(solid.ends[0]), toView(solid.ends[1])];
    const depthM = (a[2] + b[2]) / 2;
    if (a[2] < NEAR_M || b[2] < NEAR_M) return [];
    return [
      {
        kind: 'line',
        points: [onPicture(a), onPicture(b)],
        widthPx: (2 * solid.radiusM * focalPx) / depthM,
        css: shaded(solid.hex, TOP),
      },
    ];
  });
}

/** Returns the transformation from the world to the eye's axes: right, up, forward. Not for a view straight down. */
function viewFrame({ eye, target }: CoarseView): (point: Vec3) => Vec3 {
  const [fx, fy, fz] = unit([target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]]);
  const [rx, ry] = unit([fy, -fx, 0]);
  const [ux, uy, uz] = [ry * fz, -rx * fz, rx * fy - ry * fx];
  return ([px, py, pz]) => {
    const [x, y, z] = [px - eye[0], py - eye[1], pz - eye[2]];
    return [rx * x + ry * y, ux * x + uy * y + uz * z, fx * x + fy * y + fz * z];
  };
}

function unit([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

/** Returns the sides of a box that face the eye, except those that face away from the point for which the box is drawn. */
function facesTowards(box: CoarseBox, eye: Vec3): { corners: Vec3[]; light: number }[] {
  return FACES.flatMap(({ axis, sign, light }) => {
    const corner = (a: number, b: number): Vec3 => {
      const at: [number, number, number] = [0, 0, 0];
      at[axis] = (sign * box.size[axis]) / 2;
      at[(axis + 1) % 3] = (a * (box.size[(axis + 1) % 3] ?? 0)) / 2;
      at[(axis + 2) % 3] = (b * (box.size[(axis + 2) % 3] ?? 0)) / 2;
      return moved(box.centre, box.orientation, at);
    };
    const corners = [corner(1, 1), corner(1, -1), corner(-1, -1), corner(-1, 1)];
    const out = corner(0, 0);
    const towards = (point: Vec3): number =>
      (out[0] - box.centre[0]) * (point[0] - out[0]) +
      (out[1] - box.centre[1]) * (point[1] - out[1]) +
      (out[2] - box.centre[2]) * (point[2] - out[2]);
    const isSeen = towards(eye) > 0 && (box.seenFrom === null || towards(box.seenFrom) > 0);
    return isSeen ? [{ corners, light }] : [];
  });
}

/** Cuts off the part of a polygon that is behind the near plane (Sutherland and Hodgman, for one plane). */
function inFront(corners: readonly Vec3[]): Vec3[] {
  return corners.flatMap((corner, k): Vec3[] => {
    const before = corners.at(k - 1) ?? corner;
    const kept = corner[2] >= NEAR_M ? [corner] : [];
    if (corner[2] >= NEAR_M === before[2] >= NEAR_M) return kept;
    const share = (NEAR_M - before[2]) / (corner[2] - before[2]);
    return [[before[0] + share * (corner[0] - before[0]), before[1] + share * (corner[1] - before[1]), NEAR_M], ...kept];
  });
}

/** A box along the world's axes around a solid. */
interface Extent {
  min: Vec3;
  max: Vec3;
}

/**
 * Orders solids so that each comes after all that it can cover. A solid cannot cover another if a plane along an axis separates
 * it from the other one and the eye (the ordering of Newell, Newell and Sancha, 1972, by extents). Of two overlapping solids, the
 * one that extends less into the other comes first. In a cycle of solids that cover each other, one is drawn too early.
 */
function farToNear(solids: readonly CoarseSolid[], eye: Vec3): readonly CoarseSolid[] {
  const extents = solids.map(extentOf);
  const ordered: CoarseSolid[] = [];
  const seen = new Set<number>();
  const visit = (k: number): void => {
    if (seen.has(k)) return;
    seen.add(k);
    const mine = extents[k];
    extents.forEach((other, j) => {
      if (mine && j !== k && isBehind(other, mine, eye)) visit(j);
    });
    const solid = solids[k];
    if (solid) ordered.push(solid);
  };
  for (const k of solids.keys()) visit(k);
  return ordered;
}

/** Returns whether `far` must be drawn before `near`, which may cover a part of it. */
function isBehind(far: Extent, near: Extent, eye: Vec3): boolean {
  const reverseM = gapM(near, far, eye);
  return reverseM < -TOUCH_M && gapM(far, near, eye) > reverseM;
}

/**
 * Returns the widest gap between two solids that has `far` on one side, and `near` and the eye on the other; negative if they
 * overlap.
 */
function gapM(far: Extent, near: Extent, eye: Vec3): number {
  let widestM = Number.NEGATIVE_INFINITY;
  for (const axis of [0, 1, 2] as const) {
    if (eye[axis] <= far.min[axis] + TOUCH_M) widestM = Math.max(widestM, far.min[axis] - near.max[axis]);
    if (eye[axis] >= far.max[axis] - TOUCH_M) widestM = Math.max(widestM, near.min[axis] - far.max[axis]);
  }
  return widestM;
}

function extentOf(solid: CoarseSolid): Extent {
  const points = solid.kind === 'rod' ? solid.ends : cornersOf(solid);
  const roundM = solid.kind === 'rod' ? solid.radiusM : 0;
  const least = (axis: 0 | 1 | 2): number => Math.min(...points.map((point) => point[axis])) - roundM;
  const most = (axis: 0 | 1 | 2): number => Math.max(...points.map((point) => point[axis])) + roundM;
  return { min: [least(0), least(1), least(2)], max: [most(0), most(1), most(2)] };
}

const SIGNS = [-0.5, 0.5] as const;
const cornersOf = ({ centre, size, orientation }: CoarseBox): Vec3[] =>
  SIGNS.flatMap((x) =>
    SIGNS.flatMap((y) => SIGNS.map((z) => moved(centre, orientation, [x * size[0], y * size[1], z * size[2]]))),
  );

function shaded(hex: number, light: number): string {
  const part = (shift: number): number => Math.round(((hex >> shift) & 255) * light);
  return `rgb(${part(16)} ${part(8)} ${part(0)})`;
}

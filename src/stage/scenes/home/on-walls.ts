import { CircleGeometry } from 'three';
import { WALL_SIDES } from '../../../protocol/wire/look-ids.ts';
import type { Decor, ScenePlace } from '../../../protocol/wire/place.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { frontQuad } from '../../geometry/placed.ts';
import { PALETTE as P } from '../../look/palette.ts';
import { wallSides } from '../../props/shell.ts';
import { type Inks, shaded } from './inks.ts';
import { hungBox, piecesIn, type Span, shared } from './solids.ts';

type OnWall = Extract<Decor, { wall: string }>;

/** A piece that hangs on a wall, in the wall's frame: its ranges along the wall and up, metres; the room is towards -y. */
interface Hung {
  x: Span;
  z: Span;
  paint: number;
  inks: Inks;
  /** Up to the ceiling, metres over the floor. */
  topM: number;
}

/** Returns the pieces on the walls of the scene, world frame. They take no part in collisions. */
export function wallPieces({ bounds, dressing }: ScenePlace, inks: Inks): Part[] {
  const sides = wallSides(bounds);
  const [midX, midY] = [(bounds.min[0] + bounds.max[0]) / 2, (bounds.min[1] + bounds.max[1]) / 2];
  return (dressing?.decor ?? []).flatMap((piece) => {
    if (!('wall' in piece)) return [];
    const side = sides[WALL_SIDES.indexOf(piece.wall)];
    if (!side) return [];
    // Along a wall, x grows to the right as seen from inside.
    const along = { north: piece.at_m - midX, east: midY - piece.at_m, south: midX - piece.at_m, west: piece.at_m - midY };
    const x = along[piece.wall];
    const [width, height] = piece.size;
    const parts = DRAWN[piece.kind]({
      x: [x - width / 2, x + width / 2],
      z: [piece.z_m - height / 2, piece.z_m + height / 2],
      paint: inks.paint(piece.paint ?? 'linen'),
      inks,
      topM: bounds.max[2],
    });
    for (const { geometry } of parts) geometry.applyMatrix4(side.matrix);
    return parts;
  });
}

/** Returns a rectangle in front of the wall; the distance decides which piece covers another. */
const flat = (colour: number, x: Span, z: Span, beforeM: number, finish: 'wall' | 'glow' = 'wall'): Part =>
  part(finish, colour, frontQuad(x[1] - x[0], z[1] - z[0], [(x[0] + x[1]) / 2, -beforeM, (z[0] + z[1]) / 2]));

/**
 * Parts that stand out less are drawn as a face only, because a viewer looking in over the wall would see their sides as bars.
 */
const DEEP_M = 0.1;

/** Returns a box on the wall, from one distance before it to another. */
function hung(colour: number, x: Span, z: Span, [from, to]: Span): Part {
  const [wide, high] = [x[1] - x[0], z[1] - z[0]];
  const [midX, midZ] = [(x[0] + x[1]) / 2, (z[0] + z[1]) / 2];
  const geometry =
    to - from < DEEP_M
      ? frontQuad(wide, high, [midX, -to, midZ])
      : hungBox([wide, to - from, high], [midX, -(from + to) / 2, midZ]);
  return part('shell', colour, geometry);
}

const grown = ([from, to]: Span, byM: number): Span => [from - byM, to + byM];
const round = (colour: number, radius: number, x: number, z: number, beforeM: number): Part =>
  part('wall', colour, new CircleGeometry(radius, 32).rotateX(Math.PI / 2).translate(x, -beforeM, z));
const middle = ([from, to]: Span): number => (from + to) / 2;

const DRAWN: Readonly<Record<OnWall['kind'], (hung: Hung) => Part[]>> = {
  window({ x, z, paint, inks }) {
    const panes = shared(grown(x, -0.03), 2, 0.05);
    return [
      flat(inks.of('trim'), grown(x, 0.07), grown(z, 0.07), 0.006),
      ...panes.flatMap((pane) => shared(grown(z, -0.03), 2, 0.035).map((row) => flat(P.windowPane, pane, row, 0.012, 'glow'))),
      hung(inks.of('trim'), grown(x, 0.12), [z[0] - 0.1, z[0] - 0.06], [0, 0.12]),
      ...curtain([x[0] - 0.36, x[0] - 0.02], z, paint),
      ...curtain([x[1] + 0.02, x[1] + 0.36], z, paint),
      hung(inks.of('steelDark'), grown(x, 0.45), [z[1] + 0.17, z[1] + 0.195], [0.05, 0.075]),
    ];
  },
  door({ x, z, inks }) {
    const leaf = inks.of('trim');
    const [low, high] = shared(grown(z, -0.14), 2, 0.12);
    return [
      hung(shaded(leaf, 0.93), grown(x, 0.08), [z[0], z[1] + 0.08], [0, 0.025]),
      hung(leaf, x, z, [0.02, 0.045]),
      ...(low && high ? [low, high].map((field) => flat(shaded(leaf, 0.9), grown(x, -0.14), field, 0.047)) : []),
      hung(inks.of('steelDark'), [x[1] - 0.19, x[1] - 0.06], [z[0] + 1, z[0] + 1.025], [0.05, 0.085]),
    ];
  },
  picture({ x, z, paint, inks }) {
    const inner = { x: grown(x, -0.08), z: grown(z, -0.08) };
    const horizon = inner.z[0] + (inner.z[1] - inner.z[0]) * 0.42;
    return [
      hung(inks.of('walnut'), x, z, [0, 0.022]),
      flat(inks.of('trim'), grown(x, -0.025), grown(z, -0.025), 0.024),
      flat(paint, inner.x, inner.z, 0.026),
      flat(shaded(paint, 0.72), inner.x, [inner.z[0], horizon], 0.028),
      round(
        inks.of('trim'),
        (inner.z[1] - inner.z[0]) * 0.13,
        inner.x[0] + (inner.x[1] - inner.x[0]) * 0.66,
        horizon + (inner.z[1] - horizon) * 0.5,
        0.03,
      ),
    ];
  },
  clock({ x, z, inks }) {
    const [cx, cz, radius] = [middle(x), middle(z), (x[1] - x[0]) / 2];
    return [
      round(inks.of('black'), radius, cx, cz, 0.02),
      round(inks.of('trim'), radius * 0.9, cx, cz, 0.022),
      flat(inks.of('black'), [cx - 0.008, cx + 0.008], [cz, cz + radius * 0.7], 0.024),
      flat(inks.of('black'), [cx, cx + radius * 0.5], [cz - 0.008, cz + 0.008], 0.024),
    ];
  },
  screen: ({ x, z, inks }) => [
    hung(inks.of('black'), x, z, [0, 0.045]),
    flat(inks.of('glass'), grown(x, -0.018), grown(z, -0.018), 0.047),
  ],
  tiles({ x, z, paint, inks }) {
    const rows = piecesIn(z[1] - z[0], 0.1, 16);
    const columns = piecesIn(x[1] - x[0], 0.2, 32);
    return [
      flat(inks.of('grout'), x, z, 0.004),
      ...shared(z, rows, 0.006).flatMap((row, k) =>
        shared(x, columns, 0.006).map((column, c) =>
          flat(shaded(paint, 0.96 + 0.02 * ((c * 7 + k * 3) % 3)), column, row, 0.006),
        ),
      ),
    ];
  },
  cabinet({ x, z, paint, inks }) {
    const doors = shared(x, piecesIn(x[1] - x[0], 0.5), 0.006);
    return [
      hung(shaded(paint, 0.8), x, z, [0, 0.3]),
      ...doors.map((door) => hung(paint, door, grown(z, -0.003), [0.3, 0.32])),
      ...doors.map(([from], k) => {
        const at = k % 2 === 0 ? (doors[k]?.[1] ?? from) - 0.05 : from + 0.05;
        return hung(inks.of('steelDark'), [at - 0.008, at + 0.008], [z[0] + 0.05, z[0] + 0.19], [0.32, 0.34]);
      }),
    ];
  },
  hood({ x, z, inks, topM }) {
    const pipe = (x[1] - x[0]) * 0.2;
    return [
      hung(inks.of('steel'), x, [z[0], z[0] + 0.07], [0, 0.45]),
      hung(shaded(inks.of('steel'), 0.96), [middle(x) - pipe, middle(x) + pipe], [z[0] + 0.07, topM], [0, 0.26]),
    ];
  },
};

/** Returns a curtain beside a window: folds that are lighter and darker. */
function curtain(x: Span, z: Span, paint: number): Part[] {
  return shared(x, 6, 0).map((fold, k) =>
    hung(shaded(paint, k % 2 === 0 ? 1 : 0.88), fold, [z[0] - 0.16, z[1] + 0.17], [0.03, k % 2 === 0 ? 0.075 : 0.055]),
  );
}

import { CircleGeometry, Matrix4, SphereGeometry } from 'three';
import type { Vec3 } from '../../../protocol/wire/geometry.ts';
import type { BoxLook } from '../../../protocol/wire/look-ids.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { topQuad } from '../../geometry/placed.ts';
import { lathe } from '../../geometry/shapes.ts';
import { seededRandom } from '../../look/random.ts';
import { books } from './books.ts';
import { type Inks, shaded } from './inks.ts';
import { ends, inset, piecesIn, type Span, shared, solid } from './solids.ts';

/** A box to be drawn as something. */
export interface Piece {
  /** Length along x, depth along y with the front towards -y, height; its frame is in the middle. Metres. */
  size: Vec3;
  paint: number;
  inks: Inks;
  /** The seed of small differences. */
  seedText: string;
}

/** Returns each look of a box, in the frame of the piece. All of it is in the box, and its top is that of the box. */
export const DRAWN: Readonly<Record<BoxLook, (piece: Piece) => Part[]>> = {
  table: drawTable,
  counter: drawCounter,
  fridge: drawFridge,
  cupboard: drawCupboard,
  shelf: drawShelf,
  stool: drawStool,
  seat: drawSeat,
  backrest: drawBackrest,
  armchair: drawArmchair,
  plant: drawPlant,
  crate: drawCrate,
};

/** Height of a mark above the top that it is on. */
const MARK_M = 0.0015;
const HANDLE_M = 0.014;
const FRONT_M = 0.018;

interface Ranges {
  x: Span;
  y: Span;
  z: Span;
}
const rangesOf = ([sx, sy, sz]: Vec3): Ranges => ({ x: [-sx / 2, sx / 2], y: [-sy / 2, sy / 2], z: [-sz / 2, sz / 2] });

/** Returns four legs at the corners. */
function legs(colour: number, { x, y }: Pick<Ranges, 'x' | 'y'>, z: Span, wideM: number): Part[] {
  return ends(x, wideM).flatMap((atX) => ends(y, wideM).map((atY) => solid('board', colour, atX, atY, z, 0.006)));
}

function drawTable({ size, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const wood = inks.of('oak');
  const under: Span = [z[0], z[1] - 0.036];
  const apron: Span = [Math.max(z[0] + 0.06, z[1] - 0.11), z[1] - 0.036];
  const [inX, inY] = [inset(x, 0.05), inset(y, 0.05)];
  const dark = inks.of('oakDark');
  return [
    solid('board', wood, x, y, [z[1] - 0.036, z[1]], 0.012),
    solid('board', dark, inset(inX, 0.02), [inY[0] + 0.015, inY[0] + 0.035], apron),
    solid('board', dark, inset(inX, 0.02), [inY[1] - 0.035, inY[1] - 0.015], apron),
    solid('board', dark, [inX[0] + 0.015, inX[0] + 0.035], inset(inY, 0.02), apron),
    solid('board', dark, [inX[1] - 0.035, inX[1] - 0.015], inset(inY, 0.02), apron),
    ...legs(wood, { x: inX, y: inY }, under, 0.055),
  ];
}

/** A run of kitchen units: doors under drawers, an oven under the hob, a sink. */
function drawCounter({ size, paint, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const top: Span = [z[1] - 0.04, z[1]];
  const units = shared(x, piecesIn(size[0], 0.62, 12), 0.006);
  const ovenAt = Math.floor(units.length / 2);
  const sinkAt = ovenAt >= 2 ? ovenAt - 2 : units.length - 1;
  const body: Span = [z[0] + 0.09, top[0]];
  const front: Span = [y[0] + HANDLE_M, y[0] + HANDLE_M + FRONT_M];
  const before: Span = [y[0], y[0] + HANDLE_M];
  const steel = inks.of('steelDark');
  const parts = [
    solid('frame', inks.of('black'), inset(x, 0.005), [y[0] + 0.07, y[1]], [z[0], body[0]]),
    solid('shell', shaded(paint, 0.55), x, [front[1], y[1]], body),
    solid('board', inks.of('oak'), x, y, top, 0.008),
  ];
  for (const [k, unit] of units.entries()) {
    const centre = (unit[0] + unit[1]) / 2;
    if (k === ovenAt) {
      const glass: Span = [body[0] + 0.1, body[1] - 0.16];
      parts.push(
        solid('shell', inks.of('steel'), unit, front, inset(body, 0.003)),
        solid('visor', inks.of('black'), inset(unit, 0.03), [front[0] - 0.003, front[0]], glass),
        solid('visor', inks.of('glass'), inset(unit, 0.09), [front[0] - 0.004, front[0]], inset(glass, 0.07)),
        solid('metal', steel, inset(unit, 0.06), before, [glass[1] + 0.012, glass[1] + 0.028]),
        ...shared(inset(unit, 0.06), 4, 0.08).map((knob) =>
          solid('metal', inks.of('black'), knob, before, [body[1] - 0.085, body[1] - 0.05]),
        ),
        part('visor', inks.of('black'), topQuad(unit[1] - unit[0] - 0.04, size[1] - 0.14, [centre, 0, z[1] + MARK_M])),
        ...[-1, 1].flatMap((sx) =>
          [-1, 1].map((sy) =>
            part(
              'frame',
              inks.of('stone'),
              new CircleGeometry((sx === sy ? 0.15 : 0.12) * size[1], 28).translate(
                centre + sx * 0.14,
                sy * 0.2 * size[1],
                z[1] + 2 * MARK_M,
              ),
            ),
          ),
        ),
      );
      continue;
    }
    const drawer: Span = [body[1] - 0.17, body[1] - 0.004];
    const door: Span = [body[0] + 0.003, drawer[0] - 0.006];
    parts.push(
      solid('shell', paint, unit, front, drawer, 0.004),
      solid('shell', paint, unit, front, door, 0.004),
      ...[(drawer[0] + drawer[1]) / 2, door[1] - 0.07].map((at) =>
        solid('metal', steel, [centre - 0.09, centre + 0.09], before, [at - 0.007, at + 0.007]),
      ),
    );
    if (k === sinkAt) {
      const [wide, deep] = [unit[1] - unit[0] - 0.06, size[1] - 0.16];
      parts.push(
        part('metal', inks.of('steel'), topQuad(wide, deep, [centre, 0, z[1] + MARK_M])),
        part('metal', inks.of('steelDark'), topQuad(wide - 0.08, deep - 0.08, [centre, 0, z[1] + 2 * MARK_M])),
        part('metal', inks.of('stone'), new CircleGeometry(0.03, 20).translate(centre, 0, z[1] + 2.6 * MARK_M)),
      );
    }
  }
  return parts;
}

function drawFridge({ size, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const white = inks.of('trim');
  const split = z[0] + size[2] * 0.64;
  const front: Span = [y[0] + 0.03, y[0] + 0.07];
  const handle = (over: Span): Part =>
    solid('metal', inks.of('steelDark'), [x[1] - 0.09, x[1] - 0.065], [y[0], y[0] + 0.03], over, 0.006);
  return [
    solid('frame', inks.of('black'), inset(x, 0.02), [y[0] + 0.09, y[1] - 0.02], [z[0], z[0] + 0.06]),
    solid('shell', shaded(white, 0.95), x, [front[1] + 0.006, y[1]], [z[0] + 0.05, z[1]], 0.015),
    solid('shell', white, x, front, [z[0] + 0.06, split - 0.005], 0.015),
    solid('shell', white, x, front, [split + 0.005, z[1]], 0.015),
    handle([Math.max(z[0] + 0.08, split - 0.45), split - 0.07]),
    handle([split + 0.07, Math.min(z[1] - 0.06, split + 0.34)]),
  ];
}

function drawCupboard({ size, paint, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const body: Span = [z[0] + Math.min(0.12, size[2] * 0.24), z[1] - 0.025];
  const doors = shared(inset(x, 0.02), piecesIn(size[0], 0.5), 0.008);
  const front: Span = [y[0] + HANDLE_M, y[0] + HANDLE_M + FRONT_M];
  const wood = inks.of('oak');
  return [
    solid('board', wood, x, y, [body[1], z[1]], 0.008),
    solid('board', shaded(wood, 0.9), inset(x, 0.005), [front[1], y[1]], body),
    ...doors.map((door) => solid('shell', paint, door, front, inset(body, 0.015), 0.005)),
    ...doors.map((door, k) => {
      const at = k % 2 === 0 ? door[1] - 0.05 : door[0] + 0.05;
      const z0 = body[1] - 0.1;
      return solid('metal', inks.of('steelDark'), [at - 0.011, at + 0.011], [y[0], front[0]], [z0 - 0.011, z0 + 0.011], 0.005);
    }),
    ...legs(inks.of('oakDark'), { x: inset(x, 0.04), y: inset(y, 0.04) }, [z[0], body[0]], 0.04),
  ];
}

/** An open shelf with books on its boards. */
function drawShelf({ size, inks, seedText }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const wood = inks.of('oak');
  const boardM = 0.025;
  const levels = piecesIn(size[2] - 0.06, 0.36, 6);
  const pitch = (size[2] - 0.06 - boardM) / levels;
  const boards = Array.from({ length: levels + 1 }, (_, k): Span => [z[0] + 0.06 + k * pitch, z[0] + 0.06 + k * pitch + boardM]);
  const bays = shared(inset(x, boardM), piecesIn(size[0], 0.9, 6), boardM);
  const uprights = [x[0], ...bays.slice(1).map(([from]) => from - boardM), x[1] - boardM];
  const random = seededRandom(seedText);
  return [
    solid('board', shaded(wood, 0.72), inset(x, 0.01), [y[1] - 0.012, y[1]], [z[0] + 0.06, z[1]]),
    solid('board', inks.of('oakDark'), inset(x, 0.01), [y[0] + 0.03, y[1] - 0.012], [z[0], z[0] + 0.06]),
    ...uprights.map((from) => solid('board', wood, [from, from + boardM], y, z)),
    ...boards.map((over) => solid('board', wood, inset(x, boardM), [y[0] + 0.003, y[1] - 0.012], over)),
    ...boards
      .slice(0, -1)
      .flatMap((board, level) =>
        bays.flatMap((bay) =>
          books({ x: bay, y: [y[0] + 0.02, y[1] - 0.012], z: [board[1], (boards[level + 1]?.[0] ?? z[1]) - 0.02] }, inks, random),
        ),
      ),
  ];
}

function drawStool({ size, paint, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const wood = inks.of('oakDark');
  const [inX, inY] = [inset(x, 0.035), inset(y, 0.035)];
  const rail: Span = [z[0] + size[2] * 0.3, z[0] + size[2] * 0.3 + 0.025];
  return [
    solid('board', paint, x, y, [z[1] - 0.05, z[1]], 0.02),
    solid('board', inks.of('oak'), inset(x, 0.02), inset(y, 0.02), [z[1] - 0.075, z[1] - 0.045]),
    ...legs(wood, { x: inX, y: inY }, [z[0], z[1] - 0.07], 0.038),
    ...[inY[0] + 0.008, inY[1] - 0.03].map((at) => solid('board', wood, inX, [at, at + 0.022], rail)),
    ...[inX[0] + 0.008, inX[1] - 0.03].map((at) => solid('board', wood, [at, at + 0.022], inY, rail)),
  ];
}

const ARM_M = 0.17;

/** Draws the lower part of a sofa, between low arms. */
function drawSeat({ size, paint, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const inner: Span = inset(x, ARM_M);
  const cushions = shared(inner, piecesIn(inner[1] - inner[0], 0.65), 0.006);
  const base: Span = [z[0] + 0.07, z[0] + Math.max(0.2, size[2] * 0.56)];
  return [
    solid('board', shaded(paint, 0.86), inset(x, 0.01), inset(y, 0.015), base, 0.03),
    ...cushions.map((cushion) => solid('board', paint, cushion, y, [base[1] - 0.02, z[1]], 0.055)),
    ...ends(x, ARM_M).map((arm) => solid('board', shaded(paint, 0.94), arm, inset(y, 0.005), [z[0] + 0.07, z[1]], 0.06)),
    ...legs(inks.of('walnut'), { x: inset(x, 0.06), y: inset(y, 0.06) }, [z[0], z[0] + 0.08], 0.045),
  ];
}

/** The back of a sofa: a frame, and the cushions in front of it. */
function drawBackrest({ size, paint, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const cushions = shared(inset(x, ARM_M), piecesIn(size[0] - 2 * ARM_M, 0.65), 0.008);
  const seatZ = z[0] + Math.min(0.4, size[2] * 0.5);
  return [
    solid('board', shaded(paint, 0.9), x, [y[0] + size[1] * 0.45, y[1]], [z[0] + 0.07, z[1] - 0.05], 0.05),
    ...cushions.map((cushion) => solid('board', paint, cushion, y, [seatZ, z[1]], 0.07)),
    ...legs(inks.of('walnut'), { x: inset(x, 0.06), y: [y[1] - 0.06, y[1] - 0.01] }, [z[0], z[0] + 0.08], 0.045),
  ];
}

function drawArmchair({ size, paint, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const armTop = z[0] + size[2] * 0.7;
  const seatZ = z[0] + size[2] * 0.52;
  const inner = inset(x, ARM_M);
  return [
    solid('board', shaded(paint, 0.86), inset(x, 0.02), inset(y, 0.02), [z[0] + 0.09, seatZ - 0.12], 0.03),
    solid('board', paint, inner, [y[0], y[1] - 0.16], [seatZ - 0.15, seatZ], 0.055),
    solid('board', paint, inset(x, 0.03), [y[1] - 0.2, y[1]], [z[0] + 0.09, z[1]], 0.08),
    ...ends(x, ARM_M).map((arm) =>
      solid('board', shaded(paint, 0.94), arm, [y[0] + 0.03, y[1] - 0.02], [z[0] + 0.09, armTop], 0.065),
    ),
    ...legs(inks.of('walnut'), { x: inset(x, 0.07), y: inset(y, 0.07) }, [z[0], z[0] + 0.1], 0.045),
  ];
}

/** A pot plant with long leaves. */
function drawPlant({ size, paint, inks, seedText }: Piece): Part[] {
  const { z } = rangesOf(size);
  const reach = Math.min(size[0], size[1]) / 2;
  const potM = Math.min(size[2] * 0.32, 0.4);
  const random = seededRandom(seedText);
  const parts = [
    part(
      'board',
      paint,
      lathe(
        'z',
        [
          [0, 0],
          [reach * 0.62, 0],
          [reach * 0.86, potM],
          [reach * 0.78, potM],
        ],
        [0, 0, z[0]],
        24,
      ),
    ),
    part('board', inks.of('soil'), new CircleGeometry(reach * 0.8, 24).translate(0, 0, z[0] + potM - 0.012)),
  ];
  const leaves = 26;
  for (let k = 0; k < leaves; k++) {
    const share = k / (leaves - 1);
    const lengthM = (0.34 + 0.2 * random()) * (1.1 - 0.4 * share) * Math.min(1, size[2]);
    const leanRad = (1.05 - 0.85 * share) * (0.75 + 0.5 * random());
    const room = reach * 0.94;
    const lean = Math.min(leanRad, Math.asin(Math.min(1, room / (lengthM + 0.04))));
    const fromZ = z[0] + potM + (size[2] - potM) * (0.12 + 0.5 * share) - 0.05;
    const usable = Math.min(lengthM, (z[1] - fromZ) / Math.max(0.35, Math.cos(lean)) - 0.02);
    const turn = new Matrix4()
      .makeTranslation(0, 0, fromZ)
      .multiply(new Matrix4().makeRotationZ(k * 2.4 + random() * 0.5))
      .multiply(new Matrix4().makeRotationY(lean))
      .multiply(new Matrix4().makeTranslation(0, 0, usable / 2));
    const leaf = new SphereGeometry(1, 8, 6).scale(0.012, 0.04 + 0.02 * random(), usable / 2).applyMatrix4(turn);
    parts.push(part('board', shaded(inks.of(k % 3 === 0 ? 'leafDark' : 'leaf'), 0.9 + 0.2 * random()), leaf));
  }
  parts.push(
    solid(
      'board',
      inks.of('oakDark'),
      [-0.012, 0.012],
      [-0.012, 0.012],
      [z[0] + potM - 0.02, z[0] + potM + (size[2] - potM) * 0.6],
    ),
  );
  return parts;
}

/** A crate of boards in a frame. */
function drawCrate({ size, inks }: Piece): Part[] {
  const { x, y, z } = rangesOf(size);
  const frameM = Math.min(0.06, size[0] / 5, size[1] / 5, size[2] / 5);
  const [wood, dark] = [inks.of('oak'), inks.of('oakDark')];
  const rows = shared(inset(z, 0.004), piecesIn(size[2], 0.14), 0.012);
  return [
    solid('board', shaded(dark, 0.6), inset(x, 0.03), inset(y, 0.03), inset(z, 0.01)),
    ...rows.map((row, k) => solid('board', shaded(wood, 0.94 + 0.04 * (k % 3)), inset(x, 0.018), inset(y, 0.018), row)),
    ...ends(x, frameM).flatMap((atX) => ends(y, frameM).map((atY) => solid('board', dark, atX, atY, z, 0.004))),
    ...ends(z, frameM).flatMap((atZ) => [
      ...ends(y, frameM).map((atY) => solid('board', dark, x, [atY[0] + 0.001, atY[1] - 0.001], atZ, 0.004)),
      ...ends(x, frameM).map((atX) => solid('board', dark, [atX[0] + 0.001, atX[1] - 0.001], y, atZ, 0.004)),
    ]),
    solid('board', wood, inset(x, 0.01), inset(y, 0.01), [z[1] - 0.012, z[1]]),
  ];
}

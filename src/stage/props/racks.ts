import type { Matrix4 } from 'three';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { box } from '../geometry/boxes.ts';
import { type Part, part } from '../geometry/paint.ts';
import { frontQuad, instanceAt, moved, standing } from '../geometry/placed.ts';
import { PALETTE as P } from '../look/palette.ts';

const POST_M = 0.05;
const BEAM_HEIGHT_M = 0.075;
const DECK_M = 0.018;
const SHELF_PITCH_M = 0.6;
const LOWEST_SHELF_M = 0.14;
const BAY_M = 1.2;

/** Something that stands on a shelf: an instance of the unit carton or tote. */
export interface Stored {
  kind: 'carton' | 'tote';
  /** Transform from the unit shape to the rack's frame. */
  matrix: Matrix4;
  /** Multiplies the shape's colours, because goods differ a little. */
  tone: number;
}

/** Returns the heights of the shelves' upper faces above the floor, for a rack of this height. */
function shelfHeights(heightM: number): number[] {
  const count = Math.max(1, Math.floor((heightM - LOWEST_SHELF_M - 0.1) / SHELF_PITCH_M) + 1);
  return Array.from({ length: count }, (_, k) => LOWEST_SHELF_M + k * SHELF_PITCH_M);
}

/** Returns shelving of size [length, depth, height], its frame in the middle of that box, length along x. */
export function rackParts([length, depth, height]: Vec3): Part[] {
  const floorZ = -height / 2;
  const bays = Math.max(1, Math.round(length / BAY_M));
  const postY = depth / 2 - POST_M / 2;
  const parts: Part[] = [];
  for (let column = 0; column <= bays; column++) {
    const x = -length / 2 + POST_M / 2 + (column * (length - POST_M)) / bays;
    for (const side of [-1, 1]) {
      parts.push(part('metal', P.rackPost, box([POST_M, POST_M, height], [x, side * postY, 0])));
      parts.push(
        part('metal', P.rackFoot, box([POST_M * 1.7, POST_M * 1.2, 0.012], [x, side * (postY - 0.008), floorZ + 0.006])),
      );
    }
    parts.push(...bracing(x, depth, height, floorZ));
  }
  const bayWidth = (length - POST_M) / bays;
  for (const shelf of shelfHeights(height)) {
    const z = floorZ + shelf;
    parts.push(part('board', P.rackDeck, box([length - POST_M, depth - 0.07, DECK_M], [0, 0, z - DECK_M / 2])));
    for (const side of [-1, 1]) {
      parts.push(
        part(
          'metal',
          P.rackBeam,
          box([length - 2 * POST_M, 0.03, BEAM_HEIGHT_M], [0, side * (depth / 2 - 0.022), z - BEAM_HEIGHT_M / 2 + 0.004]),
        ),
      );
      for (let bay = 0; bay < bays; bay++) {
        const x = -length / 2 + POST_M / 2 + (bay + 0.5) * bayWidth;
        parts.push(...shelfLabel(x, side, depth / 2 - 0.0055, z - 0.034));
      }
    }
  }
  return parts;
}

function bracing(x: number, depth: number, height: number, floorZ: number): Part[] {
  const rise = 0.5;
  const run = depth - 2 * POST_M;
  const count = Math.floor((height - 0.3) / rise);
  return Array.from({ length: count }, (_, k) => {
    const tilt = (k % 2 === 0 ? 1 : -1) * Math.atan2(rise, run);
    const strut = box([0.018, Math.hypot(rise, run), 0.028])
      .rotateX(tilt)
      .translate(x, 0, floorZ + 0.2 + (k + 0.5) * rise);
    return part('metal', P.rackPost, strut);
  });
}

/** Returns a small location label on a beam, readable from the aisle: side -1 faces -y, +1 faces +y. */
function shelfLabel(x: number, side: number, y: number, z: number): Part[] {
  const piece = (colour: number, width: number, height: number, dx: number, dz: number, lift: number): Part =>
    part('board', colour, frontQuad(width, height, [dx, -y - lift, z + dz]));
  const pieces = [
    piece(P.rackLabel, 0.12, 0.045, 0, 0, 0.002),
    piece(P.rackInk, 0.03, 0.026, -0.037, 0, 0.004),
    piece(P.rackInk, 0.05, 0.008, 0.018, 0.008, 0.004),
    piece(P.rackInk, 0.036, 0.006, 0.011, -0.009, 0.004),
  ];
  return moved(pieces, standing([x, 0, 0], side > 0 ? Math.PI : 0));
}

/** Returns the goods on a rack's shelves, in the rack's frame. They depend only on the generator. */
export function rackGoods([length, depth, height]: Vec3, random: () => number): Stored[] {
  const floorZ = -height / 2;
  const bays = Math.max(1, Math.round(length / BAY_M));
  const bayWidth = (length - POST_M) / bays;
  const goods: Stored[] = [];
  for (const shelf of shelfHeights(height)) {
    const isTop = shelf + SHELF_PITCH_M > height;
    const room = isTop ? Math.max(0.24, height - shelf + 0.1) : SHELF_PITCH_M - BEAM_HEIGHT_M - 0.07;
    for (let bay = 0; bay < bays; bay++) {
      const end = -length / 2 + POST_M + (bay + 1) * bayWidth - 0.06;
      let x = -length / 2 + POST_M + bay * bayWidth + 0.03 + random() * 0.05;
      while (x < end - 0.22) {
        const width = Math.min(0.24 + random() * 0.24, end - x);
        if (random() < 0.14) {
          x += width;
          continue;
        }
        goods.push(...pile({ x: x + width / 2, width, depth, floor: floorZ + shelf, room }, random));
        x += width + 0.015 + random() * 0.035;
      }
    }
  }
  return goods;
}

function pile(place: { x: number; width: number; depth: number; floor: number; room: number }, random: () => number): Stored[] {
  const { x, width, depth, floor, room } = place;
  const along = Math.min(depth - 0.12, 0.3 + random() * 0.2);
  const y = (random() - 0.5) * (depth - 0.08 - along);
  const yaw = (random() - 0.5) * 0.05;
  const tone = 0.9 + random() * 0.12;
  if (random() < 0.2) return [{ kind: 'tote', matrix: instanceAt([x, y, floor + 0.09], [width, along, 0.18], yaw * 0.4), tone }];
  const height = Math.min(room, 0.16 + random() * 0.24);
  const goods: Stored[] = [{ kind: 'carton', matrix: instanceAt([x, y, floor + height / 2], [width, along, height], yaw), tone }];
  const above = room - height;
  if (above > 0.14 && random() < 0.45) {
    const upper = Math.min(above, 0.13 + random() * 0.1);
    const shrink = 0.78 + random() * 0.18;
    goods.push({
      kind: 'carton',
      matrix: instanceAt(
        [x + (random() - 0.5) * 0.03, y, floor + height + upper / 2],
        [width * shrink, along * shrink, upper],
        -yaw * 2,
      ),
      tone: 0.9 + random() * 0.12,
    });
  }
  return goods;
}

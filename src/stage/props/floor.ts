import { BufferAttribute, Color, type DataTexture, PlaneGeometry } from 'three';
import { clamp } from '../../common/clamp.ts';
import { degToRad } from '../../protocol/wire/geometry.ts';
import { carrierOf, type FurnitureKind, furnitureOf, isOfKind, type ScenePlace } from '../../protocol/wire/place.ts';
import type { Obstacle, SceneLayout } from '../../protocol/wire/scene.ts';
import { type Part, part } from '../geometry/paint.ts';
import { topQuad } from '../geometry/placed.ts';
import { PALETTE as P } from '../look/palette.ts';
import { padColour } from '../look/people-palette.ts';
import { seededRandom } from '../look/random.ts';
import { CONCRETE_TILE_M, greyTexture, type Reading } from './textures.ts';

const SHADE_PX_PER_M = 18;
/** An obstacle's shade is computed up to this many of its fade lengths. */
const SHADE_REACH = 6;
/** Lines are paint, this far above the concrete. */
const PAINT_M = 0.002;

const _encoded = new Color();

/**
 * Returns the floor's plane at z = 0 with two sets of uv: `uv` in tiles of concrete, `uv1` over the whole floor for its shade.
 */
export function floorGeometry(bounds: SceneLayout['bounds']): PlaneGeometry {
  const [x0, y0] = bounds.min;
  const [x1, y1] = bounds.max;
  const plane = new PlaneGeometry(x1 - x0, y1 - y0).translate((x0 + x1) / 2, (y0 + y1) / 2, 0);
  plane.setAttribute('uv1', plane.getAttribute('uv').clone());
  const position = plane.getAttribute('position');
  const uv = new Float32Array(position.count * 2);
  for (let k = 0; k < position.count; k++)
    uv.set([position.getX(k) / CONCRETE_TILE_M, position.getY(k) / CONCRETE_TILE_M], k * 2);
  plane.setAttribute('uv', new BufferAttribute(uv, 2));
  return plane;
}

/** Returns how an obstacle shades the floor: the greatest darkness, and the distance over which it fades, metres. */
function shadeOf(kind: FurnitureKind | undefined): { depth: number; fadeM: number } {
  switch (kind) {
    case 'rack':
      return { depth: 0.5, fadeM: 0.3 };
    case 'table':
      return { depth: 0.32, fadeM: 0.2 };
    case 'belt':
      return { depth: 0.42, fadeM: 0.22 };
    case 'pallet':
      return { depth: 0.55, fadeM: 0.09 };
    case 'sign':
      return { depth: 0.35, fadeM: 0.07 };
    case 'wall':
      return { depth: 0.34, fadeM: 0.45 };
    default:
      return { depth: 0.45, fadeM: 0.25 };
  }
}

/** The shade of an obstacle on the floor. */
interface Shade {
  /** Farther from its middle, along x and y, its shade is less than a quarter of a grey level. */
  reachX: number;
  reachY: number;
  /** Returns the fraction of light that it leaves at a point of the floor, world frame, metres. */
  lightAt(x: number, y: number): number;
}

/** Returns the shade of an obstacle: dark below and soft round it. */
export function shadeFrom(obstacle: Obstacle, layout: Pick<ScenePlace, 'furniture'>): Shade {
  const { depth, fadeM } = shadeOf(furnitureOf(layout, obstacle.obstacle_id)?.kind);
  const [cx, cy] = obstacle.pose.position;
  const yawRad = degToRad(obstacle.pose.yaw_deg ?? 0);
  const cos = Math.cos(yawRad);
  const sin = Math.sin(yawRad);
  const [hx, hy] = [obstacle.size[0] / 2, obstacle.size[1] / 2];
  return {
    reachX: Math.abs(cos) * hx + Math.abs(sin) * hy + SHADE_REACH * fadeM,
    reachY: Math.abs(sin) * hx + Math.abs(cos) * hy + SHADE_REACH * fadeM,
    lightAt(x, y) {
      const [dx, dy] = [x - cx, y - cy];
      const outX = Math.max(0, Math.abs(cos * dx + sin * dy) - hx);
      const outY = Math.max(0, Math.abs(-sin * dx + cos * dy) - hy);
      return 1 - depth * Math.exp(-Math.hypot(outX, outY) / fadeM);
    },
  };
}

/**
 * Bakes the ambient light on the floor from the obstacles' boxes: dark below and soft round them. Values are fractions of light
 * over the whole floor, for the `uv1` set.
 */
export function floorShadeTexture(layout: Pick<ScenePlace, 'bounds' | 'obstacles' | 'furniture'>, reading: Reading): DataTexture {
  const [x0, y0] = layout.bounds.min;
  const [x1, y1] = layout.bounds.max;
  const width = Math.round((x1 - x0) * SHADE_PX_PER_M);
  const height = Math.round((y1 - y0) * SHADE_PX_PER_M);
  const light = new Float32Array(width * height).fill(1);
  for (const obstacle of layout.obstacles) {
    const [cx, cy] = obstacle.pose.position;
    const { reachX, reachY, lightAt } = shadeFrom(obstacle, layout);
    const column = (x: number): number => clamp(Math.round((x - x0) * SHADE_PX_PER_M), 0, width);
    const row = (y: number): number => clamp(Math.round((y - y0) * SHADE_PX_PER_M), 0, height);
    for (let j = row(cy - reachY); j < row(cy + reachY); j++) {
      for (let i = column(cx - reachX); i < column(cx + reachX); i++) {
        const k = j * width + i;
        light[k] = (light[k] ?? 1) * lightAt(x0 + (i + 0.5) / SHADE_PX_PER_M, y0 + (j + 0.5) / SHADE_PX_PER_M);
      }
    }
  }
  const encoding = reading === 'channel' ? 'srgb' : 'linear';
  const texture = greyTexture(
    width,
    height,
    Uint8Array.from(light, (value) =>
      Math.round(255 * (encoding === 'srgb' ? _encoded.setScalar(value).convertLinearToSRGB().r : value)),
    ),
    { repeat: false, reading, encoding },
  );
  texture.channel = 1;
  return texture;
}

/**
 * Returns worn lane lines: corners round each destination pad, a double edge along the source, an arrowed walkway from the spawn.
 * @param forPeople in the pads' colours
 */
export function lineParts(layout: ScenePlace, forPeople: boolean): Part[] {
  const random = seededRandom('lane lines');
  const parts: Part[] = [];
  const stripe = (fromX: number, fromY: number, toX: number, toY: number, width: number, colour: number = P.laneLine): void => {
    const length = Math.hypot(toX - fromX, toY - fromY);
    const alongX = Math.abs(toX - fromX) > Math.abs(toY - fromY);
    const pieces = Math.max(1, Math.round(length / 0.22));
    for (let k = 0; k < pieces; k++) {
      // Wear: a few pieces are missing a little of their end.
      const t0 = k / pieces;
      const t1 = (k + 1 - (random() < 0.1 ? 0.03 + random() * 0.08 : 0)) / pieces;
      const middle = (t0 + t1) / 2;
      const x = fromX + (toX - fromX) * middle;
      const y = fromY + (toY - fromY) * middle;
      const run = length * (t1 - t0);
      const worn = width * (0.93 + random() * 0.07);
      parts.push(part('wall', colour, topQuad(alongX ? run : worn, alongX ? worn : run, [x, y, PAINT_M])));
    }
  };
  for (const pad of layout.pads) {
    const [x, y] = pad.position;
    const reachX = pad.size[0] / 2 + 0.16;
    const reachY = pad.size[1] / 2 + 0.16;
    // A pad on a table needs no mark on the floor.
    if (pad.role === 'destination' && carrierOf(layout, pad.pad_id)?.kind !== 'table') {
      const colour = forPeople ? padColour(pad.color, P.laneLine) : P.laneLine;
      for (const sx of [-1, 1]) {
        for (const sy of [-1, 1]) {
          const cornerX = x + sx * reachX;
          const cornerY = y + sy * reachY;
          stripe(cornerX + sx * 0.025, cornerY, cornerX - sx * 0.3, cornerY, 0.05, colour);
          stripe(cornerX, cornerY - sy * 0.025, cornerX, cornerY - sy * 0.3, 0.05, colour);
        }
      }
    }
  }
  const belt = layout.obstacles.find((obstacle) => isOfKind(layout, obstacle.obstacle_id, 'belt'));
  if (belt) {
    const [x, y] = belt.pose.position;
    const [sx, sy] = belt.size;
    for (const side of [-1, 1])
      stripe(x + side * (sx / 2 + 0.14), y - sy / 2 - 0.14, x + side * (sx / 2 + 0.14), y + sy / 2 + 0.02, 0.05);
    stripe(x - sx / 2 - 0.165, y - sy / 2 - 0.14, x + sx / 2 + 0.165, y - sy / 2 - 0.14, 0.05);
  }
  return parts;
}

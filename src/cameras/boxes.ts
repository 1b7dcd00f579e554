import { Quaternion, Vector3, type WebGLRenderer, WebGLRenderTarget } from 'three';
import { cameraView } from '../protocol/wire/capture-frame.ts';
import { intrinsicsFor } from '../protocol/wire/captures.ts';
import type { Vec3 } from '../protocol/wire/geometry.ts';
import type { RigidPose, ThingRender } from '../protocol/wire/render-state.ts';
import { ROBOT_ENTITY_ID, type SceneLayout } from '../protocol/wire/scene.ts';
import { CUBE_SHAPE } from '../protocol/wire/thing-shape.ts';
import { entityOfPixel } from '../stage/look/ids.ts';
import { CAMERA_NEAR_M } from '../stage/optical-camera.ts';
import type { CapturedEntity, CaptureOrder } from './messages.ts';

interface Seen {
  pixels: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface MeasureInput {
  renderer: WebGLRenderer;
  order: CaptureOrder;
  layout: SceneLayout;
  /** Draws the order's view as entity ids, all or only one, into the current render target. */
  drawIds(only: string | null): void;
}

/**
 * Measures the visible entities of a picture, nearest first, from a second picture that shows ids. A cube's whole outline is that
 * of its projected edges, including parts outside the picture. Another entity's outline is what it would show in this picture if
 * nothing stood before it.
 */
export function measureBoxes({ renderer, order, layout, drawIds }: MeasureInput): CapturedEntity[] {
  const { widthPx, heightPx, renderState } = order;
  const target = new WebGLRenderTarget(widthPx, heightPx);
  const pixels = new Uint8Array(widthPx * heightPx * 4);
  const look = (only: string | null): ReadonlyMap<string, Seen> => {
    renderer.setRenderTarget(target);
    drawIds(only);
    renderer.readRenderTargetPixels(target, 0, 0, widthPx, heightPx, pixels);
    return countPixels(pixels, widthPx, heightPx);
  };
  try {
    const entities: CapturedEntity[] = [];
    for (const [entityId, seen] of look(null)) {
      const thing = renderState.things.find((candidate) => candidate.entityId === entityId);
      const wholePx = (thing && cubeOutlinePx(thing, order)) ?? look(entityId).get(entityId)?.pixels ?? seen.pixels;
      const centre = thing?.position ?? centreOf(entityId, order, layout);
      entities.push({
        entity_id: entityId,
        box: [seen.x0, seen.y0, seen.x1 - seen.x0 + 1, seen.y1 - seen.y0 + 1],
        visible_fraction: Math.min(1, seen.pixels / Math.max(1, wholePx)),
        depth_m: toOptical(centre, cameraView(renderState, order.camera))[2],
      });
    }
    return entities.sort((a, b) => a.depth_m - b.depth_m);
  } finally {
    renderer.setRenderTarget(null);
    target.dispose();
  }
}

function centreOf(entityId: string, order: CaptureOrder, layout: SceneLayout): Vec3 {
  if (entityId === ROBOT_ENTITY_ID) return order.renderState.rootPose.position;
  return layout.pads.find((pad) => pad.pad_id === entityId)?.position ?? order.renderState.rootPose.position;
}

/** Counts the pixels of every entity. Rows come from below, as WebGL reads them. */
function countPixels(pixels: Uint8Array, widthPx: number, heightPx: number): ReadonlyMap<string, Seen> {
  const found = new Map<number, Seen>();
  for (let row = 0; row < heightPx; row++) {
    const y = heightPx - 1 - row;
    for (let x = 0; x < widthPx; x++) {
      const k = (row * widthPx + x) * 4;
      const serial = (pixels[k] ?? 0) + 256 * (pixels[k + 1] ?? 0) + 65536 * (pixels[k + 2] ?? 0);
      if (serial === 0) continue;
      const seen = found.get(serial);
      if (!seen) {
        found.set(serial, { pixels: 1, x0: x, y0: y, x1: x, y1: y });
        continue;
      }
      seen.pixels += 1;
      seen.x0 = Math.min(seen.x0, x);
      seen.x1 = Math.max(seen.x1, x);
      seen.y0 = Math.min(seen.y0, y);
      seen.y1 = Math.max(seen.y1, y);
    }
  }
  const byEntity = new Map<string, Seen>();
  for (const [serial, seen] of found) {
    const entityId = entityOfPixel(serial & 0xff, (serial >> 8) & 0xff, serial >> 16);
    if (entityId !== null) byEntity.set(entityId, seen);
  }
  return byEntity;
}

/** Returns a world point in an optical frame (x right, y down, z forward), metres. */
export function toOptical(pointWorld: Vec3, opticalPose: RigidPose): [number, number, number] {
  const point = new Vector3(...pointWorld).sub(new Vector3(...opticalPose.position));
  point.applyQuaternion(new Quaternion(...opticalPose.orientation).invert());
  return [point.x, point.y, point.z];
}

const _corner = new Vector3();

/**
 * Returns the area in pixels of the outline of a cube, a box or a container by the published intrinsics and pose; null when part
 * of it is too near to project, and of any other thing.
 */
export function cubeOutlinePx(
  thing: ThingRender,
  order: Pick<CaptureOrder, 'camera' | 'widthPx' | 'heightPx' | 'renderState'>,
): number | null {
  const shape = thing.object?.shape ?? CUBE_SHAPE;
  // A round outline has no corners to project.
  if (shape.kind === 'cylinder') return null;
  const eye = cameraView(order.renderState, order.camera);
  const { fx, fy, cx, cy } = intrinsicsFor(eye.verticalFovDeg, order.widthPx, order.heightPx);
  const turn = new Quaternion(...thing.orientation);
  const points: [number, number][] = [];
  for (let corner = 0; corner < 8; corner++) {
    const sign = (bit: number): number => ((corner >> bit) & 1 ? 1 : -1);
    const local = new Vector3(...shape.size).multiply(_corner.set(sign(0), sign(1), sign(2))).multiplyScalar(0.5);
    local.applyQuaternion(turn);
    const [x, y, z] = thing.position;
    const [ox, oy, oz] = toOptical([x + local.x, y + local.y, z + local.z], eye);
    if (oz <= CAMERA_NEAR_M) return null;
    points.push([cx + (fx * ox) / oz, cy + (fy * oy) / oz]);
  }
  return hullArea(points);
}

/** Returns the area of the convex hull of some points: Andrew's monotone chain, then the shoelace formula. */
function hullArea(points: [number, number][]): number {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: [number, number][]): [number, number][] => {
    const chain: [number, number][] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && turnsRight(chain[chain.length - 2], chain[chain.length - 1], point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.reverse())];
  const doubled = hull.reduce((sum, [x, y], k) => {
    const [nextX, nextY] = hull[(k + 1) % hull.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(doubled) / 2;
}

function turnsRight(a: [number, number] | undefined, b: [number, number] | undefined, c: [number, number]): boolean {
  if (!a || !b) return false;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0;
}

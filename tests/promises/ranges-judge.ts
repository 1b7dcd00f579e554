/** The measures of the sweep's judge: bodies of the physics world, camera poses of captures, and free places of scene_layout. */

import { robotTruth } from '../runtime/oracle.ts';
import type { Reply, TestRuntime } from '../runtime/test-runtime.ts';
import { degrees } from './figures.ts';

/** Returns the same angle in [-180, 180), degrees. */
export const wrapDeg = (angle: number): number => ((((angle + 180) % 360) + 360) % 360) - 180;

/** Puts the robot at a place of a fresh world; heading in degrees. */
export function standAt(t: TestRuntime, x: number, y: number, yawDeg: number, seed = 1): void {
  t.invoke('cancel');
  const start = { position: [x, y, 0], yaw_deg: yawDeg };
  const reply = t.invoke('select_scene', { scene_id: 'warehouse', seed, start_pose: start });
  if (reply.status !== 'done') throw new Error(`cannot stand at (${x}, ${y}): ${reply.error.message}`);
}

/**
 * The direction of the pov camera, degrees against the base: yaw to the left, pitch down. From a capture's optical frame (z
 * forward).
 */
export function gaze(t: TestRuntime): { yawDeg: number; pitchDeg: number } {
  t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } });
  const [x = 0, y = 0, z = 0, w = 1] = t.jobs.at(-1)?.frame.camera_pose.orientation_xyzw ?? [];
  const forward = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)] as const;
  return {
    yawDeg: wrapDeg(degrees(Math.atan2(forward[1], forward[0]) - robotTruth(t.core).yawRad)),
    pitchDeg: degrees(-Math.asin(forward[2])),
  };
}

/** Puts a cube down somewhere, as no skill could, and waits until it lies still. */
export function putCube(t: TestRuntime, entityId: string, [x, y, z]: readonly number[], yawRad = 0): void {
  const body = t.core.world.things.byId.get(entityId)?.rigidBody;
  if (!body || x === undefined || y === undefined || z === undefined) throw new Error(`no ${entityId}`);
  body.setTranslation({ x, y, z }, true);
  body.setRotation({ x: 0, y: 0, z: Math.sin(yawRad / 2), w: Math.cos(yawRad / 2) }, true);
  body.setLinvel({ x: 0, y: 0, z: 0 }, true);
  body.setAngvel({ x: 0, y: 0, z: 0 }, true);
  t.advance(60);
}

/** A place without obstacles within `clearM`, by the boxes of scene_layout. The `share` in [0, 1) chooses among them. */
export function freePlace(t: TestRuntime, clearM: number, share: number): [number, number] {
  const { obstacles, bounds } = t.read('runtime.scene_layout');
  const places: [number, number][] = [];
  for (let x = bounds.min[0] + clearM; x <= bounds.max[0] - clearM; x += 0.1) {
    for (let y = bounds.min[1] + clearM; y <= bounds.max[1] - clearM; y += 0.1) {
      const isFree = obstacles.every(({ pose: { position }, size }: Reply) => {
        const dx = Math.max(0, Math.abs(x - position[0]) - size[0] / 2);
        const dy = Math.max(0, Math.abs(y - position[1]) - size[1] / 2);
        return Math.hypot(dx, dy) > clearM;
      });
      if (isFree) places.push([x, y]);
    }
  }
  const place = places[Math.floor(share * places.length)];
  if (!place) throw new Error(`no place with ${clearM} m of air`);
  return place;
}

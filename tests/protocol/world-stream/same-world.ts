import { expect } from 'vitest';
import type { Quat } from '../../../src/protocol/wire/geometry.ts';
import type { WorldSnapshot } from '../../../src/protocol/world-stream/world-frame.ts';

/** The promise of the format (docs/protocol.md): the maximum error of the shown world. */
const OFF_MAX = { positionM: 0.001, jointRad: 0.001, angleDeg: 0.1, timeS: 0.001, fovDeg: 0.01 };

/** The angle between two orientations, degrees: a quaternion and its negative are equal. */
export function angleDeg(a: Quat, b: Quat): number {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  const apart = Math.hypot(...a.map((part, k) => part - sign * (b[k] ?? 0)));
  return (4 * Math.asin(Math.min(1, apart / 2)) * 180) / Math.PI;
}

/** Compares two worlds number by number: the place of a number decides its required precision. Everything else must be equal. */
export function expectSameWorld(got: WorldSnapshot, sent: WorldSnapshot): void {
  const problems: string[] = [];
  walk(pick(got), pick(sent), '', problems);
  expect(problems).toEqual([]);
}

const pick = ({ sceneId, robotId, state, status, overlay, stepTimeMs }: WorldSnapshot) => ({
  sceneId,
  robotId,
  state,
  status,
  // The runtime's goals contain more than a picture needs.
  overlay: { ...overlay, goal: overlay.goal && { x: overlay.goal.x, y: overlay.goal.y, yawRad: overlay.goal.yawRad } },
  stepTimeMs,
});

function walk(got: unknown, sent: unknown, at: string, problems: string[]): void {
  if (/\.orientation$/.test(at)) {
    const length = Math.hypot(...(got as Quat));
    if (Math.abs(length - 1) > 1e-9) problems.push(`${at} has the length ${length}`);
    if (!(angleDeg(got as Quat, sent as Quat) <= OFF_MAX.angleDeg)) problems.push(`${at} is ${got}, not ${sent}`);
    return;
  }
  if (typeof sent === 'number') {
    if (!(Math.abs((got as number) - sent) <= offMax(at) * (1 + 1e-9))) problems.push(`${at} is ${got}, not ${sent}`);
    return;
  }
  if (typeof sent !== 'object' || sent === null) {
    if (got !== sent) problems.push(`${at} is ${got}, not ${sent}`);
    return;
  }
  const keys = new Set([...Object.keys(sent), ...Object.keys(got as object)]);
  for (const key of keys)
    walk((got as Record<string, unknown>)[key], (sent as Record<string, unknown>)[key], `${at}.${key}`, problems);
}

function offMax(at: string): number {
  if (/\.(step|stepTimeMs)$/.test(at)) return 0;
  if (/jointPositions|yawRad/.test(at)) return OFF_MAX.jointRad;
  if (/\.(simTimeS|ageS)$/.test(at)) return OFF_MAX.timeS;
  if (/Deg$/.test(at)) return OFF_MAX.fovDeg;
  return OFF_MAX.positionM;
}

import { describe, expect, it } from 'vitest';
import { HEAD_PITCH_RANGE_RAD, HEAD_YAW_RANGE_RAD } from '../../../src/protocol/robots/humanoid.ts';
import type { Vec3 } from '../../../src/protocol/wire/geometry.ts';
import { HEAD_TOLERANCE_DEG } from '../../../src/protocol/wire/limits.ts';
import { type BodyState, createBody } from '../../../src/simulation/humanoid/body.ts';
import * as head from '../../../src/simulation/humanoid/head.ts';
import * as manipulator from '../../../src/simulation/humanoid/manipulator.ts';
import { seeded } from '../../oracle/chance.ts';
import { drive, stand } from './helpers/drive.ts';
import { fromQuat, point } from './helpers/oracle.ts';

const TOLERANCE_RAD = (HEAD_TOLERANCE_DEG * Math.PI) / 180;
const STANDING = { x: 0.4, y: -1.5, yawRad: 0.4 };

/** How far a point is from the camera's optical axis, as an angle. */
function offAxisRad(body: BodyState, pointWorld: Vec3): number {
  const { position, orientation } = body.povCamera;
  const m = fromQuat([...orientation], position);
  const forward = point(m, [0, 0, 1]).map((v, i) => v - (position[i] ?? 0));
  const to = pointWorld.map((v, i) => v - (position[i] ?? 0));
  const cos = forward.reduce((sum, v, i) => sum + v * (to[i] ?? 0), 0) / Math.hypot(...to);
  return Math.acos(Math.min(1, cos));
}

describe('head', () => {
  it('the head turns 60° within 0.6 s, within speed limits, and stays', () => {
    const body = createBody(STANDING);
    head.setTarget(body, { yawRad: Math.PI / 3 });
    let last = 0;
    let fastestRps = 0;
    let roughestRps = 0;
    let lastRps = 0;
    stand(body, 0.6, () => {
      const now = head.measured(body).yawRad;
      const rps = (now - last) * 120;
      fastestRps = Math.max(fastestRps, rps);
      roughestRps = Math.max(roughestRps, Math.abs(rps - lastRps));
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
      lastRps = rps;
    });
    expect(Math.abs(head.measured(body).yawRad - Math.PI / 3)).toBeLessThan(TOLERANCE_RAD);
    expect(fastestRps).toBeLessThan(6);
    expect(roughestRps).toBeLessThan(1.5);
    stand(body, 1);
    expect(head.measured(body).yawRad).toBeCloseTo(Math.PI / 3, 5);
  });

  it('the head moves from one end of its range to the other at a bounded speed', () => {
    const body = createBody(STANDING);
    head.setTarget(body, { yawRad: HEAD_YAW_RANGE_RAD[0], pitchRad: HEAD_PITCH_RANGE_RAD[1] });
    stand(body, 1.5);
    head.setTarget(body, { yawRad: HEAD_YAW_RANGE_RAD[1], pitchRad: HEAD_PITCH_RANGE_RAD[0] });
    let last = head.measured(body);
    stand(body, 1.5, () => {
      const now = head.measured(body);
      expect(Math.abs(now.yawRad - last.yawRad) * 120).toBeLessThan(6.01);
      expect(Math.abs(now.pitchRad - last.pitchRad) * 120).toBeLessThan(6.01);
      last = now;
    });
    expect(last.yawRad).toBeCloseTo(HEAD_YAW_RANGE_RAD[1], 3);
    expect(last.pitchRad).toBeCloseTo(HEAD_PITCH_RANGE_RAD[0], 3);
  });

  it('the head clamps a target to its range, and an omitted axis keeps its target', () => {
    const body = createBody(STANDING);
    head.setTarget(body, { yawRad: 9, pitchRad: 0.3 });
    expect(head.target(body)).toEqual({ yawRad: HEAD_YAW_RANGE_RAD[1], pitchRad: 0.3 });
    head.setTarget(body, { yawRad: -0.2 });
    expect(head.target(body)).toEqual({ yawRad: -0.2, pitchRad: 0.3 });
  });

  it('the head keeps its target while the robot walks', () => {
    const walked = drive([{ vx: 1, wz: 0.5, forS: 2 }], (now) => {
      if (!now.head.target) head.setTarget(now, { yawRad: 0.5, pitchRad: 0.2 });
    });
    expect(head.target(walked)).toEqual({ yawRad: 0.5, pitchRad: 0.2 });
    expect(head.measured(walked).yawRad).toBeCloseTo(0.5, 6);
    expect(head.measured(walked).pitchRad).toBeCloseTo(0.2, 6);
  });

  it('the head finds the angles that put a point on the optical axis (seed 5)', () => {
    const random = seeded(5);
    let reachable = 0;
    for (let n = 0; n < 100; n += 1) {
      const body = createBody(STANDING);
      const pointWorld: Vec3 = [STANDING.x + random() * 6 - 3, STANDING.y + random() * 6 - 3, random() * 2];
      const angles = head.anglesToward(body, pointWorld);
      expect(angles.yawRad).toBeGreaterThanOrEqual(HEAD_YAW_RANGE_RAD[0]);
      expect(angles.yawRad).toBeLessThanOrEqual(HEAD_YAW_RANGE_RAD[1]);
      head.setTarget(body, angles);
      stand(body, 2);
      if (angles.reachable) {
        reachable += 1;
        expect(offAxisRad(body, pointWorld)).toBeLessThan(1e-6);
      } else expect(offAxisRad(body, pointWorld)).toBeGreaterThan(1e-3);
    }
    expect(reachable).toBeGreaterThan(20);
    expect(reachable).toBeLessThan(100);
  });

  it('the head looks at the work of the hands, then ahead, unless it has a target or a gaze', () => {
    const body = createBody({ x: 0, y: 0, yawRad: 0 });
    const centre: Vec3 = [0.42, 0, 0.65];
    expect(manipulator.moveTo(body, { centre, yawRad: 0, openingM: 0.26 })).toBe(true);
    stand(body, 1.5);
    expect(offAxisRad(body, centre)).toBeLessThan(0.01);
    const elsewhere: Vec3 = [2, 1, 1];
    head.setGaze(body, elsewhere);
    stand(body, 1);
    expect(offAxisRad(body, elsewhere)).toBeLessThan(0.01);
    head.setTarget(body, { yawRad: -0.3, pitchRad: 0 });
    stand(body, 1);
    expect(head.measured(body).yawRad).toBeCloseTo(-0.3, 4);
    head.releaseTarget(body);
    head.setGaze(body, null);
    stand(body, 1);
    expect(offAxisRad(body, centre)).toBeLessThan(0.01);
    manipulator.carry(body);
    stand(body, 2);
    expect(head.measured(body).yawRad).toBeCloseTo(0, 4);
    expect(head.measured(body).pitchRad).toBeCloseTo(0, 4);
  });
});

import { describe, expect, it } from 'vitest';
import { CAMERA_IN_HEAD, JOINTS, PALM_FROM_WRIST_M } from '../../../src/protocol/robots/humanoid.ts';
import { createBody, linkPoses } from '../../../src/simulation/humanoid/body.ts';
import {
  FRAME,
  FRAMES_LENGTH,
  framePose,
  LINK_NAMES,
  palmPose,
  povPose,
  updateFrames,
} from '../../../src/simulation/humanoid/kinematics.ts';
import { frameQuat, rotateOwnAxis, setYawPitchFrame } from '../../../src/simulation/rotation.ts';
import { seeded } from '../../oracle/chance.ts';
import {
  difference,
  direction,
  distance,
  frameOf,
  fromQuat,
  linkFrames,
  multiply,
  point,
  rotation,
  translation,
} from './helpers/oracle.ts';

describe('forward kinematics', () => {
  it('forward kinematics agree with chains of 4 × 4 matrices for 200 seeded poses (seed 11)', () => {
    const random = seeded(11);
    for (let n = 0; n < 200; n += 1) {
      const [yaw, pitch, x, y, z] = [random() * 6 - 3, random() * 1.2 - 0.2, random() * 4, random() * 4, 0.3 + random() * 0.4];
      const joints = Float64Array.from(JOINTS, ({ minRad, maxRad }) => minRad + random() * (maxRad - minRad));
      const frames = new Float64Array(FRAMES_LENGTH);
      setYawPitchFrame(frames, 0, yaw, pitch, x, y, z);
      updateFrames(frames, joints);
      const pelvis = multiply(multiply(translation([x, y, z]), rotation([0, 0, 1], yaw)), rotation([0, 1, 0], pitch));
      const expected = linkFrames(pelvis, joints);
      LINK_NAMES.forEach((link, i) => {
        const pose = framePose(frames, i * 12);
        expect(difference(fromQuat([...pose.orientation], pose.position), frameOf(expected, link))).toBeLessThan(1e-12);
      });
      for (const side of ['right', 'left'] as const) {
        const hand = frameOf(expected, `${side}_wrist_yaw_link`);
        expect(distance(palmPose(frames, side).position, point(hand, [0, 0, -PALM_FROM_WRIST_M]))).toBeLessThan(1e-12);
      }
      const head = frameOf(expected, 'head');
      const pov = povPose(frames);
      const optical = fromQuat([...pov.orientation], pov.position);
      expect(distance(pov.position, point(head, CAMERA_IN_HEAD))).toBeLessThan(1e-12);
      expect(distance(direction(optical, [0, 0, 1]), direction(head, [1, 0, 0]))).toBeLessThan(1e-12);
      expect(distance(direction(optical, [1, 0, 0]), direction(head, [0, -1, 0]))).toBeLessThan(1e-12);
      expect(distance(direction(optical, [0, 1, 0]), direction(head, [0, 0, -1]))).toBeLessThan(1e-12);
    }
  });

  it('a quaternion is read from every kind of rotation, including half turns', () => {
    for (const axis of [0, 1, 2] as const) {
      for (let rad = -Math.PI; rad <= Math.PI; rad += Math.PI / 8) {
        const frame = new Float64Array(12);
        setYawPitchFrame(frame, 0, 0, 0, 0, 0, 0);
        rotateOwnAxis(frame, 0, axis, rad);
        const unit = [0, 1, 2].map((i) => (i === axis ? 1 : 0)) as [number, number, number];
        expect(difference(fromQuat([...frameQuat(frame, 0)], [0, 0, 0]), rotation(unit, rad))).toBeLessThan(1e-12);
      }
    }
  });

  it('the robot stands 0.62 m high with level shoulders, the camera straight above the base, by 0.53 m', () => {
    const body = createBody({ x: 1, y: 2, yawRad: 0.5 });
    expect(body.rootPose.position).toEqual([1, 2, 0.62]);
    expect(body.povCamera.position).toEqual([1, 2, 1.15].map((value) => expect.closeTo(value, 9)));
    const poses = linkPoses(body);
    expect([...poses.keys()]).toEqual([...LINK_NAMES]);
    for (const side of ['right', 'left']) expect(poses.get(`${side}_ankle_roll_link`)?.position[2]).toBeCloseTo(0.06, 9);
    expect(body.palms.right.position[2]).toBeCloseTo(body.palms.left.position[2], 9);
    expect(FRAME.torso).toBe(13 * 12);
  });
});

import { describe, expect, it } from 'vitest';
import { createChance } from '../oracle/chance.ts';
import { atPose, entity, type Reply, startAt, type TestRuntime } from './test-runtime.ts';

/** Where the head's camera is and what it sees, computed here from the data on the wire. */

const ABOVE_BASE_M = 0.53;
/** The head is pitched this far below the camera. */
const NECK_TO_EYE_M = 0.04;
const PICTURE = { width: 1280, height: 720 };

interface View {
  frame: Reply;
  robot: Reply;
}

/** The data that a picture has about itself, and the state in which it was taken. */
function look(t: TestRuntime): View {
  const call = t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' }, options: PICTURE });
  const job = t.jobs.at(-1);
  if (!job) throw new Error('nothing is drawn');
  t.runtime.finishCapture(job.actionId, { ok: true, byteLength: 1 }, t.nowMs);
  return { frame: call.reply.result.frame, robot: t.read('runtime.state').robot };
}

function expectEye({ frame, robot }: View, withinM: number, what: string): void {
  const { yaw, pitch } = robot.extra.head.measured;
  const [x, y, z] = robot.pose.position;
  const heading = (robot.pose.yaw_deg * Math.PI) / 180 + yaw;
  const aheadM = NECK_TO_EYE_M * Math.sin(pitch);
  const upM = ABOVE_BASE_M - NECK_TO_EYE_M + NECK_TO_EYE_M * Math.cos(pitch);
  const expected = [x + aheadM * Math.cos(heading), y + aheadM * Math.sin(heading), z + upM];
  const [ex, ey, ez] = frame.camera_pose.position;
  const offM = Math.hypot(ex - (expected[0] ?? 0), ey - (expected[1] ?? 0), ez - (expected[2] ?? 0));
  expect(offM, `${what}: the eye is at ${[ex, ey, ez]}, expected ${expected}`).toBeLessThan(withinM);
}

/** Pixels of a point of the world, by the published numbers. */
function pixelOf([px, py, pz]: readonly [number, number, number], { intrinsics, camera_pose: pose }: Reply): [number, number] {
  const [cx, cy, cz] = pose.position;
  // The inverse turn of a unit quaternion: v + 2 q × (q × v + w v) with q negated.
  const [qx, qy, qz, w] = [
    -pose.orientation_xyzw[0],
    -pose.orientation_xyzw[1],
    -pose.orientation_xyzw[2],
    pose.orientation_xyzw[3],
  ];
  const [vx, vy, vz] = [px - cx, py - cy, pz - cz];
  const [ax, ay, az] = [qy * vz - qz * vy + w * vx, qz * vx - qx * vz + w * vy, qx * vy - qy * vx + w * vz];
  const [x, y, z] = [vx + 2 * (qy * az - qz * ay), vy + 2 * (qz * ax - qx * az), vz + 2 * (qx * ay - qy * ax)];
  return [intrinsics.cx + (intrinsics.fx * x) / z, intrinsics.cy + (intrinsics.fy * y) / z];
}

describe('P14 the camera in the head', () => {
  it('the camera is straight above the base, by 0.53 m, wherever the robot stands with its head straight', async () => {
    const chance = createChance(3);
    for (let n = 0; n < 12; n += 1) {
      const t = await startAt(3.2 + chance.between(-0.4, 0.4), -2 + chance.between(-0.8, 0.8), chance.between(-180, 180));
      t.advance(30);
      const view = look(t);
      const [x, y, z] = view.robot.pose.position;
      expect(view.frame.camera_pose.position).toEqual([x, y, z + ABOVE_BASE_M].map((value) => expect.closeTo(value, 3)));
    }
  });

  it('the camera moves round the neck with yaw and pitch, at every end of their ranges', async () => {
    const t = await startAt(3.2, -2, 40);
    for (const yaw of [-1.4, -0.5, 0, 0.9, 1.4]) {
      for (const pitch of [-0.6, 0, 0.4, 1]) {
        expect(t.invoke('set_head', { yaw, pitch }).status).toBe('done');
        expectEye(look(t), 0.001, `yaw ${yaw}, pitch ${pitch}`);
      }
    }
  });

  it('the camera is in place after a walk, and with a cube in the hands; the sway of a walk is in the pose of the picture', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.invoke('go_to', atPose(3.2, -2, 0, { yaw_deg: -120 }));
    t.advance(120);
    expectEye(look(t), 0.002, 'after a walk');
    t.invoke('go_to', atPose(0.94, -1.8, 0, { yaw_deg: 0 }));
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    t.advance(120);
    expectEye(look(t), 0.002, 'carrying');
    const walk = t.start('go_to', atPose(3.2, -2, 0));
    while (walk.replies === 0) {
      t.advance(6);
      expectEye(look(t), 0.08, 'walking with a cube');
    }
    expect(walk.reply.status).toBe('done');
    t.advance(120);
    expectEye(look(t), 0.002, 'after a walk with a cube');
  });

  it('the target of look_at is in the middle of the picture', async () => {
    const t = await startAt(0.405, -1.497, 0);
    for (const id of ['cube_0', 'cube_3', 'cube_6', 'pad_C', 'pad_B']) {
      const reply = t.invoke('look_at', entity(id));
      expect(reply.status, JSON.stringify(reply.error)).toBe('done');
      t.advance(120);
      const { frame } = look(t);
      const [x, y] = pixelOf(reply.result.point, frame);
      // A degree per axis is 9 px here.
      expect(Math.abs(x - PICTURE.width / 2), id).toBeLessThan(10);
      expect(Math.abs(y - PICTURE.height / 2), id).toBeLessThan(10);
    }
  });
});

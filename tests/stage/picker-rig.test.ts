import { Matrix4, Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { CAMERA_IN_TILT, PICKER_JOINT } from '../../src/protocol/robots/picker.ts';
import { picker } from '../../src/simulation/picker/robot.ts';
import { createMaterialKit } from '../../src/stage/look/materials.ts';
import { pickerLook } from '../../src/stage/robots/picker/look.ts';
import { applyPose, createRig } from '../../src/stage/robots/rig.ts';

it('P14 the drawn picker stands like the simulated one: its fingers and its eye are where the world has them', () => {
  const base = { x: 1.2, y: -0.7, yawRad: 0.8 };
  const body = picker.create(base, []);
  const rig = createRig(createMaterialKit('camera', 'low'), pickerLook);
  picker.hands.moveTo(body, { centre: [1.45, -0.3, 0.3], yawRad: 1.1, openingM: 0.2 });
  picker.head.setTarget(body, { yawRad: 0.5, pitchRad: 0.6 });
  for (let step = 0; step < 200; step += 1)
    picker.step(body, { base, velocityBody: { vx: 0, vy: 0, wz: 0 }, obstacles: [], isHolding: false, dtS: 1 / 120 });
  applyPose(rig, { rootPose: body.rootPose, jointPositions: Array.from(body.jointPositions) });
  rig.root.updateMatrixWorld(true);
  const at = (link: string, point = [0, 0, 0]) =>
    new Vector3(...(point as [number, number, number])).applyMatrix4(rig.links.get(link)?.matrixWorld ?? new Matrix4()).toArray();
  const near = (a: readonly number[], b: readonly number[]) => {
    for (const [i, value] of a.entries()) expect(value).toBeCloseTo(b[i] ?? Number.NaN, 9);
  };
  near(at('right_finger'), body.palms.right.position);
  near(at('left_finger'), body.palms.left.position);
  near(at('head', [...CAMERA_IN_TILT]), body.povCamera.position);
  const looks = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(...body.povCamera.orientation)).toArray();
  near(new Vector3(1, 0, 0).transformDirection(rig.links.get('head')?.matrixWorld ?? new Matrix4()).toArray(), looks);
  expect(body.jointPositions[PICKER_JOINT.lift]).toBeGreaterThan(0);
  expect(picker.hands.grip(body).centre[2]).toBeCloseTo(0.3, 9);
});

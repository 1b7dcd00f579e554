import { Box3, Mesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  ANKLE_HEIGHT_M,
  BASE_HEIGHT_M,
  CAMERA_IN_HEAD,
  HIP_OFFSET,
  JOINTS,
  ROBOT_HEIGHT_M,
  SHANK_M,
  THIGH_M,
} from '../../src/protocol/robots/humanoid.ts';
import { createMaterialKit } from '../../src/stage/look/materials.ts';
import { humanoidLook } from '../../src/stage/robots/humanoid/look.ts';
import { applyPose, createRig } from '../../src/stage/robots/rig.ts';
import { sampleState } from './helpers/sample-world.ts';

const STRAIGHT = {
  rootPose: { position: [0, 0, BASE_HEIGHT_M], orientation: [0, 0, 0, 1] },
  jointPositions: JOINTS.map(() => 0),
} as const;

function standing() {
  const rig = createRig(createMaterialKit('camera', 'low'), humanoidLook);
  applyPose(rig, STRAIGHT);
  rig.root.updateMatrixWorld(true);
  return rig;
}

describe('robot rig', () => {
  it('the rig reaches from the sole to the crown of the model', () => {
    const box = new Box3().setFromObject(standing().root);
    // With straight legs; standing legs bend slightly.
    expect(box.min.z).toBeCloseTo(BASE_HEIGHT_M + HIP_OFFSET[2] - THIGH_M - SHANK_M - ANKLE_HEIGHT_M, 3);
    expect(box.max.z).toBeGreaterThan(ROBOT_HEIGHT_M - 0.03);
    expect(box.max.z).toBeLessThan(ROBOT_HEIGHT_M + 0.03);
  });

  it('the rig stands on the floor with its knees slightly bent', () => {
    const rig = createRig(createMaterialKit('camera', 'low'), humanoidLook);
    applyPose(rig, sampleState());
    expect(new Box3().setFromObject(rig.root).min.z).toBeCloseTo(0, 3);
  });

  it('the rig is symmetric', () => {
    const box = new Box3().setFromObject(standing().root);
    expect(box.max.y).toBeCloseTo(-box.min.y, 3);
  });

  it('the rig has the pov camera 0.53 m straight above the base', () => {
    const head = standing().links.get('head');
    const eye = new Vector3(...CAMERA_IN_HEAD).applyMatrix4(head?.matrixWorld ?? new Mesh().matrixWorld);
    expect(eye.toArray()).toEqual([0, 0, BASE_HEIGHT_M + 0.53].map((value) => expect.closeTo(value, 9)));
  });

  it('the rig turns every joint about its axis', () => {
    const rig = standing();
    JOINTS.forEach((joint, index) => {
      const jointPositions = JOINTS.map((_, k) => (k === index ? 0.3 : 0));
      applyPose(rig, { ...STRAIGHT, jointPositions });
      const group = rig.links.get(joint.link);
      const half = Math.sin(0.15);
      expect(group?.quaternion.toArray().slice(0, 3)).toEqual(joint.axis.map((part) => expect.closeTo(part * half, 9)));
    });
  });

  it('the rig bends forearms forward in the standing pose, symmetrically', () => {
    const rig = createRig(createMaterialKit('camera', 'low'), humanoidLook);
    applyPose(rig, sampleState({ x: 0, y: 0 }));
    rig.root.updateMatrixWorld(true);
    const at = (link: string): Vector3 =>
      new Vector3().setFromMatrixPosition(rig.links.get(link)?.matrixWorld ?? new Mesh().matrixWorld);
    const right = at('right_wrist_yaw_link');
    const left = at('left_wrist_yaw_link');
    expect(right.x).toBeGreaterThan(at('right_elbow_link').x + 0.05);
    expect(left.x).toBeCloseTo(right.x, 9);
    expect(left.y).toBeCloseTo(-right.y, 9);
  });

  it.each(['people', 'camera'] as const)('the rig has fewer than 60 meshes for %s', (audience) => {
    let meshes = 0;
    createRig(createMaterialKit(audience, 'high'), humanoidLook).root.traverse((object) => {
      if (object instanceof Mesh) meshes += 1;
    });
    expect(meshes).toBeGreaterThan(20);
    expect(meshes).toBeLessThan(60);
  });
});

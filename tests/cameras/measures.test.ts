import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cubeOutlinePx, toOptical } from '../../src/cameras/boxes.ts';
import { sha256Hex } from '../../src/cameras/sha256.ts';
import { warmUpState } from '../../src/cameras/warm-up-state.ts';
import { cameraView } from '../../src/protocol/wire/capture-frame.ts';
import { intrinsicsFor } from '../../src/protocol/wire/captures.ts';
import type { RenderState, ThingRender } from '../../src/protocol/wire/render-state.ts';
import { SAMPLE_LAYOUT, sampleState } from '../stage/helpers/sample-world.ts';

describe('sha256', () => {
  it.each([0, 1, 70_001])('the hash is lower-case hex for %i bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, k) => (k * 131 + length) & 255);
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(await sha256Hex(bytes)).toBe(expected);
  });
});

describe('outline of a cube', () => {
  const thing: ThingRender = { entityId: 'cube_1', colour: 'red', held: false, position: [0, 0, 2], orientation: [0, 0, 0, 1] };
  const straight = { position: [0, 0, 0], orientation: [0, 0, 0, 1], verticalFovDeg: 70 } as const;
  const view = (renderState: RenderState) =>
    ({
      renderState: { ...renderState, cameras: { pov: straight, topdown: straight } },
      camera: 'pov',
      widthPx: 1280,
      heightPx: 720,
    }) as const;

  it('the outline of a cube straight ahead is its near face', () => {
    const { fx } = intrinsicsFor(70, 1280, 720);
    const edgePx = (fx * 0.15) / (2 - 0.075);
    expect(cubeOutlinePx(thing, view(sampleState()))).toBeCloseTo(edgePx ** 2, 6);
  });

  it('a cube that contains the camera has no outline', () => {
    expect(cubeOutlinePx({ ...thing, position: [0, 0, 0.05] }, view(sampleState()))).toBeNull();
  });
});

describe('warm-up state', () => {
  it('the warm-up state has the robot and the cubes before the pov camera, and the warehouse below the topdown one', () => {
    const state = warmUpState({ ...SAMPLE_LAYOUT, spawn: { ...SAMPLE_LAYOUT.spawn, yaw_deg: 0 } }, 'natural');
    const [x, , z] = toOptical(state.rootPose.position, state.cameras.pov);
    expect(Math.abs(x)).toBeLessThan(1e-9);
    expect(z).toBeCloseTo(1.2, 9);
    const below = toOptical([0.25, -1.85, 0], cameraView(state, 'topdown'));
    expect(below[2]).toBeGreaterThan(10);
  });

  it('the camera of the warm-up state looks along the spawn heading', () => {
    const state = warmUpState({ ...SAMPLE_LAYOUT, spawn: { ...SAMPLE_LAYOUT.spawn, yaw_deg: 120 } }, 'natural');
    const [x, y, z] = toOptical(state.rootPose.position, state.cameras.pov);
    expect(Math.abs(x)).toBeLessThan(1e-9);
    expect(y).toBeGreaterThan(0);
    expect(z).toBeCloseTo(1.2, 9);
  });
});

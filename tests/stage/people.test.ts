import { Box3, Color, InstancedMesh, type Matrix4, ShaderMaterial, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { HEAD_CAMERA_FOV_DEG, intrinsicsFor } from '../../src/protocol/wire/captures.ts';
import { REACH_M } from '../../src/protocol/wire/limits.ts';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import { entityBox } from '../../src/stage/entity-box.ts';
import { cameraTone } from '../../src/stage/look/camera-palette.ts';
import { createMaterialKit } from '../../src/stage/look/materials.ts';
import { PALETTE } from '../../src/stage/look/palette.ts';
import { padColour, peopleTone } from '../../src/stage/look/people-palette.ts';
import { frustumCorners } from '../../src/stage/overlay/frustum-marker.ts';
import { createMarkers, PLAIN_MARKERS } from '../../src/stage/overlay/markers.ts';
import { cornerBars } from '../../src/stage/overlay/outline.ts';
import { SAMPLE_LAYOUT, sampleState } from './helpers/sample-world.ts';

const state = sampleState();

describe('the things that only people see', () => {
  it('draws nothing for a user who requests nothing and points at nothing', () => {
    const markers = createMarkers(SAMPLE_LAYOUT);
    markers.update(EMPTY_OVERLAY, PLAIN_MARKERS, state, 0);
    expect(markers.root.children.filter(({ visible }) => visible)).toEqual([]);
  });

  it('shows the reach as a ring of that radius around the base', () => {
    const markers = createMarkers(SAMPLE_LAYOUT);
    markers.update(EMPTY_OVERLAY, { ...PLAIN_MARKERS, reach: true }, state, 0);
    const [shown, ...others] = markers.root.children.filter(({ visible }) => visible);
    expect(others).toEqual([]);
    const box = shown && new Box3().setFromObject(shown);
    expect(box?.max.x).toBeCloseTo(state.rootPose.position[0] + REACH_M, 2);
    expect(box?.min.y).toBeCloseTo(state.rootPose.position[1] - REACH_M, 2);
  });

  it('shows what the head camera sees with its actual field of view', () => {
    const { fx, fy, cx, cy } = intrinsicsFor(HEAD_CAMERA_FOV_DEG, 1280, 720);
    const pixels = frustumCorners(2.5).map(([x, y, z]) => [(fx * x) / z + cx, (fy * y) / z + cy]);
    expect(pixels.flat()).toEqual([0, 0, 1280, 0, 1280, 720, 0, 720].map((pixel) => expect.closeTo(pixel, 6)));
  });

  it('omits the path and the goal when they are switched off', () => {
    const markers = createMarkers(SAMPLE_LAYOUT);
    const overlay = { path: [[0, 0] as const, [1, 1] as const], goal: { x: 1, y: 1, yawRad: 0 }, targetEntityId: null };
    markers.update(overlay, PLAIN_MARKERS, state, 0);
    expect(markers.root.children.filter(({ visible }) => visible)).toHaveLength(2);
    markers.update(overlay, { ...PLAIN_MARKERS, path: false }, state, 0);
    expect(markers.root.children.filter(({ visible }) => visible)).toEqual([]);
  });

  it('outlines one thing once, even when it is both selected and pointed at', () => {
    const markers = createMarkers(SAMPLE_LAYOUT);
    const outlines = () => markers.root.children.filter((child) => child instanceof InstancedMesh && child.visible);
    markers.update(EMPTY_OVERLAY, { ...PLAIN_MARKERS, hoveredId: 'cube_0', selectedId: 'cube_0' }, state, 0);
    expect(outlines()).toHaveLength(1);
    markers.update(EMPTY_OVERLAY, { ...PLAIN_MARKERS, hoveredId: 'pad_B', selectedId: 'cube_0' }, state, 0);
    expect(outlines()).toHaveLength(2);
    markers.update(EMPTY_OVERLAY, { ...PLAIN_MARKERS, selectedId: 'cube_that_is_gone' }, state, 0);
    expect(outlines()).toEqual([]);
  });
});

it('brackets surround the corners of a box, equally thick for a rack and a cube, and not in the floor', () => {
  for (const size of [
    [0.15, 0.15, 0.15],
    [2.4, 0.6, 2.2],
  ] as const) {
    const whole = new Box3();
    const unit = new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
    const thinnest = cornerBars(size).map((matrix: Matrix4) => {
      const bar = unit.clone().applyMatrix4(matrix);
      whole.union(bar);
      return Math.min(...bar.getSize(new Vector3()).toArray());
    });
    for (const thick of thinnest) expect(thick).toBeCloseTo(0.012);
    expect(whole.max.x).toBeGreaterThan(size[0] / 2);
    expect(whole.max.x).toBeLessThan(size[0] / 2 + 0.03);
    expect(whole.min.z).toBeGreaterThanOrEqual(-size[2] / 2);
  }
});

it('knows the box of every entity and obstacle, and no others', () => {
  const ids = [
    'robot',
    ...state.things.map(({ entityId }) => entityId),
    ...SAMPLE_LAYOUT.pads.map(({ pad_id }) => pad_id),
    ...SAMPLE_LAYOUT.obstacles.map(({ obstacle_id }) => obstacle_id),
  ];
  for (const id of ids) expect(entityBox(id, state, SAMPLE_LAYOUT), id).not.toBeNull();
  expect(entityBox('cube_99', state, SAMPLE_LAYOUT)).toBeNull();
  expect(entityBox('pad_B', null, SAMPLE_LAYOUT)).toMatchObject({ centre: [-1.4, -5.5, 0.06], size: [0.8, 0.8, 0.12] });
});

describe('colours', () => {
  it('colours are stronger for people than for cameras, which see the same scene', () => {
    expect(createMaterialKit('camera', 'low').tone).toBe(cameraTone);
    expect(createMaterialKit('people', 'high').tone).toBe(peopleTone);
    const chroma = (hex: number) => {
      const { r, g, b } = new Color(hex);
      return Math.max(r, g, b) - Math.min(r, g, b);
    };
    for (const [finish, colour] of [
      ['board', PALETTE.carton],
      ['metal', PALETTE.rackBeam],
      ['metal', PALETTE.rackPost],
      ['wood', PALETTE.palletWood],
    ] as const) {
      expect(chroma(cameraTone(finish, colour))).toBeLessThan(chroma(peopleTone(finish, colour)));
      expect(chroma(cameraTone(finish, colour))).toBeGreaterThan(0.03);
    }
  });

  it('the colours of a pad’s lines show what belongs there', () => {
    const red = new Color(padColour('red', PALETTE.laneLine));
    expect(red.r).toBeGreaterThan(2 * red.g);
    expect(padColour(undefined, PALETTE.laneLine)).toBe(PALETTE.laneLine);
  });

  it('colours of the robot’s lights follow its state for people, and never change for cameras', () => {
    const lightOf = (audience: 'people' | 'camera', statusLight: 'idle' | 'working' | 'failed') => {
      const kit = createMaterialKit(audience, 'low');
      const material = kit.material('natural', 'status', 'robot');
      kit.setStatusLight(statusLight, 0);
      return material instanceof ShaderMaterial && material.uniforms.tint?.value.getHex();
    };
    const people = (['idle', 'working', 'failed'] as const).map((statusLight) => lightOf('people', statusLight));
    expect(new Set(people).size).toBe(3);
    for (const statusLight of ['idle', 'working', 'failed'] as const) expect(lightOf('camera', statusLight)).toBe(0xffffff);
  });
});

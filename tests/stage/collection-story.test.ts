import { Color, InstancedMesh, Matrix4, Mesh, type Object3D, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { COLLECTED_SHOWN_S, type CollectedRender, type RenderState } from '../../src/protocol/wire/render-state.ts';
import { CUBE_EDGE_M } from '../../src/protocol/wire/scene.ts';
import { entityOfPixel, forgetIdColour, setIdColour } from '../../src/stage/look/ids.ts';
import { storyAt } from '../../src/stage/overlay/collection-moments.ts';
import { PLAIN_MARKERS } from '../../src/stage/overlay/markers.ts';
import { createStage } from '../../src/stage/stage.ts';
import type { Audience } from '../../src/stage/types.ts';
import { SAMPLE_LAYOUT, sampleState } from './helpers/sample-world.ts';

const PAD = SAMPLE_LAYOUT.pads.find(({ role }) => role === 'destination');
const [padX = 0, padY = 0, deckZ = 0] = PAD?.position ?? [];

const collected = (ageS: number, entityId = 'cube_9', z = deckZ + CUBE_EDGE_M / 2): CollectedRender => ({
  entityId,
  colour: 'red',
  padId: PAD?.pad_id ?? '',
  position: [padX, padY, z],
  orientation: [0, 0, 0, 1],
  ageS,
});

function drawn(audience: Audience, state: Partial<RenderState>, still = false) {
  const stage = createStage({ layout: SAMPLE_LAYOUT, audience, quality: 'low' });
  const whole = { ...sampleState(), ...state };
  stage.draw({ latest: () => whole, markers: () => ({ ...PLAIN_MARKERS, still }) }, 0);
  stage.root.updateMatrixWorld(true);
  const seen: string[] = [];
  stage.root.traverseVisible((object: Object3D) => {
    if (object instanceof InstancedMesh && object.count === 0) return;
    if (object instanceof Mesh) seen.push(object.geometry.type);
  });
  return { stage, seen };
}

/** The cubes of the animation: instances that no pointer finds. */
function storyCubes(audience: Audience, state: Partial<RenderState>, still = false): Vector3[][] {
  const { stage } = drawn(audience, state, still);
  const mesh = stage.root.getObjectByName('collected cubes');
  if (!(mesh instanceof InstancedMesh)) return [];
  const matrix = new Matrix4();
  return Array.from({ length: mesh.count }, (_, k) => {
    mesh.getMatrixAt(k, matrix);
    return [-1, 1].map((sign) => new Vector3(0, 0, (sign * CUBE_EDGE_M) / 2).applyMatrix4(matrix));
  });
}

describe('a collected cube as people see it', () => {
  it('shows the stages of the collection in order, and ends before the state forgets the cube', () => {
    const ages = Array.from({ length: 400 }, (_, k) => k * 0.01);
    const sunk = ages.map((ageS) => storyAt(ageS, false)?.sunk ?? 1);
    expect(sunk).toEqual(sunk.toSorted((a, b) => a - b));
    expect(sunk[0]).toBe(0);
    for (const ageS of ages) {
      const moment = storyAt(ageS, false);
      for (const value of Object.values(moment ?? {})) expect(value).toBeGreaterThanOrEqual(0);
      for (const value of Object.values(moment ?? {})) expect(value).toBeLessThanOrEqual(1);
      // The cube goes down through an open hatch.
      if (moment && moment.sunk > 0 && moment.sunk < 1) expect(moment.hatchOpen).toBe(1);
    }
    expect(storyAt(COLLECTED_SHOWN_S, false)).toBeNull();
    expect(storyAt(COLLECTED_SHOWN_S, true)).toBeNull();
  });

  it('goes down through the deck, and keeps its pose until then', () => {
    const [at] = storyCubes('people', { collected: [collected(0.1)] });
    expect(at?.map(({ z }) => z)).toEqual([expect.closeTo(deckZ, 6), expect.closeTo(deckZ + CUBE_EDGE_M, 6)]);
    const [half] = storyCubes('people', { collected: [collected(1.45)] });
    expect(half?.[1]?.z).toBeLessThan(deckZ + CUBE_EDGE_M * 0.6);
    expect(half?.[0]?.z).toBeLessThan(deckZ);
    expect(storyCubes('people', { collected: [collected(2.2)] })).toEqual([]);
  });

  it('stays in place on another cube, because it cannot go down there', () => {
    const z = deckZ + 1.5 * CUBE_EDGE_M;
    const [at] = storyCubes('people', { collected: [collected(1.45, 'cube_9', z)] });
    expect(at?.[0]?.z).toBeCloseTo(deckZ + CUBE_EDGE_M, 6);
    expect(at?.[1]?.z).toBeLessThan(deckZ + 1.6 * CUBE_EDGE_M);
  });

  it('does not move for users who prefer reduced motion', () => {
    const moments = [0, 0.4, 0.8, 1.1].map((ageS) => storyAt(ageS, true));
    for (const moment of moments) expect(moment).toEqual(moments[0]);
    expect(storyCubes('people', { collected: [collected(1.1)] }, true)).toEqual(
      storyCubes('people', { collected: [collected(0.1)] }, true),
    );
  });

  it('is never in a robot camera, nor in segmentation pictures', () => {
    const one = { collected: [collected(0.3)] };
    expect(drawn('camera', one).seen).toEqual(drawn('camera', {}).seen);
    expect(drawn('people', one).seen.length).toBeGreaterThan(drawn('people', {}).seen.length);
    const painted = { colourMode: 'segmentation' } as const;
    expect(drawn('people', { ...painted, ...one }).seen).toEqual(drawn('people', painted).seen);
  });

  it('costs the same for any number of collected cubes: the latest three are animated', () => {
    const many = Array.from({ length: 12 }, (_, k) => collected(1, `cube_${k}`));
    expect(storyCubes('people', { collected: many })).toHaveLength(3);
    const more = drawn('people', { collected: many }).seen.length - drawn('people', {}).seen.length;
    expect(more).toBeLessThanOrEqual(10);
  });
});

it('numbers of id pictures are used again when a cube is gone', () => {
  const colour = new Color();
  const serial = (id: string): number => {
    setIdColour(colour, id);
    return Math.round(colour.r * 255) + 256 * Math.round(colour.g * 255);
  };
  const first = serial('cube_1000');
  const other = serial('cube_1001');
  forgetIdColour('cube_1000');
  expect(entityOfPixel(first & 0xff, first >> 8, 0)).toBeNull();
  expect(serial('cube_1002')).toBe(first);
  expect(entityOfPixel(first & 0xff, first >> 8, 0)).toBe('cube_1002');
  expect(entityOfPixel(other & 0xff, other >> 8, 0)).toBe('cube_1001');
  for (let n = 2_000; n < 4_000; n += 1) {
    expect(serial(`cube_${n}`)).toBeLessThan(other + 3);
    forgetIdColour(`cube_${n}`);
  }
});

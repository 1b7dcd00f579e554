import { CUBE_CATEGORY, CUBE_SHAPE, sizeOf, type ThingShape } from '../../src/protocol/wire/thing-shape.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import type { SceneDefinition, ThingAtStart } from '../../src/simulation/scene-definition.ts';

/** Height of the hall's tables. */
export const TABLE_M = 0.6;

/** The hall with other things in it. */
export function hallWith(things: readonly ThingAtStart[]): SceneDefinition {
  const hall = builtInScene('hall');
  if (!hall) throw new Error('There is no hall.');
  return { ...hall, things };
}

export const box = (x: number, y: number, z: number): ThingShape => ({ kind: 'box', size: [x, y, z] });
export const cylinder = (radiusM: number, heightM: number): ThingShape => ({ kind: 'cylinder', radiusM, heightM });
export const container = (x: number, y: number, z: number, wallM = 0.015): ThingShape => ({
  kind: 'container',
  size: [x, y, z],
  wallM,
});

/** A thing of a shape that stands at a place on the floor, or on a surface of this height. */
export const standing = (
  id: string,
  shape: ThingShape,
  [x, y]: readonly [number, number],
  more: Partial<ThingAtStart> & { onM?: number } = {},
): ThingAtStart => {
  const { onM = 0, ...rest } = more;
  return { id, category: shape.kind, shape, colour: 'red', position: [x, y, onM + sizeOf(shape)[2] / 2], ...rest };
};

export const cubeAt = (x: number, y: number, onM = 0): ThingAtStart => ({
  category: CUBE_CATEGORY,
  shape: CUBE_SHAPE,
  colour: 'blue',
  position: [x, y, onM + 0.075],
});

import type { ObjectRender, ThingRender } from '../wire/render-state.ts';
import { sizeOf, THING_FRICTION, THING_SHAPE_KINDS, type ThingShape, thingProblem } from '../wire/thing-shape.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { WorldStreamError } from './world-frame.ts';

/**
 * The description of a thing among the names of a snapshot: a byte for its kind and, except for cubes, its measures and its
 * category.
 */

const CUBE = 0;
/** Measures never change, so their precision only needs to suffice for a picture: tenths of a millimetre, and grams. */
const LENGTH_STEP_M = 0.0001;
const MASS_STEP_KG = 0.001;

export function putObject(names: ByteWriter, object: ObjectRender | undefined): void {
  if (!object) {
    names.byte(CUBE);
    return;
  }
  const { shape, category, massKg } = object;
  names.byte(1 + THING_SHAPE_KINDS.indexOf(shape.kind));
  for (const lengthM of [...sizeOf(shape), shape.kind === 'container' ? shape.wallM : 0])
    names.count(Math.round(lengthM / LENGTH_STEP_M));
  names.count(Math.round(massKg / MASS_STEP_KG));
  names.text(category);
}

/** @throws WorldStreamError for measures that no thing has */
export function objectIn(names: ByteReader): Pick<ThingRender, 'object'> {
  const code = names.byte();
  if (code === CUBE) return {};
  const kind = THING_SHAPE_KINDS[code - 1];
  const length = (): number => names.count() * LENGTH_STEP_M;
  const [x, y, z, wallM] = [length(), length(), length(), length()];
  const massKg = names.count() * MASS_STEP_KG;
  const category = names.text();
  const shape: ThingShape | null =
    kind === 'cylinder'
      ? { kind, radiusM: x / 2, heightM: z }
      : kind === 'box'
        ? { kind, size: [x, y, z] }
        : kind === 'container'
          ? { kind, size: [x, y, z], wallM }
          : null;
  if (!shape || thingProblem({ shape, category, massKg, friction: THING_FRICTION }) !== null)
    throw new WorldStreamError('A thing has measures that none has.');
  return { object: { shape, category, massKg } };
}

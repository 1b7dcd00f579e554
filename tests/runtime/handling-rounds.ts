import type { RobotId } from '../../src/protocol/wire/robot.ts';
import { sizeOf, type ThingShape } from '../../src/protocol/wire/thing-shape.ts';
import type { ThingAtStart } from '../../src/simulation/scene-definition.ts';
import { type Chance, createChance } from '../oracle/chance.ts';
import { container, cubeAt, standing, TABLE_M } from '../simulation/things-scene.ts';
import type { Put, Round } from './handling.ts';

/** Random rounds: things of every size that hands can hold, also at every limit, from every place to every place. */

/** The sizes that hands can hold: as the manual has them, not as the code does. */
export const HELD_BY: Readonly<Record<RobotId, { widthM: readonly [number, number]; highM: number; deepM: number; kg: number }>> =
  {
    humanoid: { widthM: [0.06, 0.32], highM: 0.4, deepM: 0.4, kg: 2.5 },
    picker: { widthM: [0.04, 0.23], highM: 0.4, deepM: 0.4, kg: 2.5 },
  };
/** Lower things are held by the part of the palms above the table. */
const LOWEST_M = 0.04;

const anyOf = (chance: Chance, [least, most]: readonly [number, number]): number =>
  chance.oneOf([least, most, chance.between(least, most), chance.between(least, most), chance.between(least, most)]);

function shapeFor(chance: Chance, robotId: RobotId): ThingShape {
  const { widthM, highM, deepM } = HELD_BY[robotId];
  const wide = anyOf(chance, widthM);
  const high = anyOf(chance, [LOWEST_M, highM]);
  // No thing that would fall over on its own.
  const broad = Math.max(wide, high / 4);
  const kind = chance.oneOf(['box', 'box', 'cylinder', 'container'] as const);
  if (kind === 'cylinder') return { kind, radiusM: Math.min(broad, widthM[1]) / 2, heightM: Math.min(high, 3 * broad) };
  const deep = Math.max(anyOf(chance, [widthM[0], deepM]), high / 4);
  const size = chance.happens(0.5) ? ([broad, deep, high] as const) : ([deep, broad, high] as const);
  if (kind === 'box') return { kind, size };
  const [x, y, z] = size.map((edge) => Math.max(0.09, edge)) as [number, number, number];
  return { kind, size: [x, y, z], wallM: 0.015 };
}

/** The mass of a shape of wood or cardboard, within the limits of the hands. */
function massOf(chance: Chance, shape: ThingShape, mostKg: number): number {
  const [x, y, z] = sizeOf(shape);
  return Math.min(mostKg, chance.oneOf([mostKg, 0.1, chance.between(50, 400) * x * y * z + 0.05]));
}

/** Returns a round of a seed. */
export function randomRound(seed: number): Round {
  const chance = createChance(seed);
  const robotId = chance.oneOf(['humanoid', 'picker'] as const);
  const shape = shapeFor(chance, robotId);
  const massKg = massOf(chance, shape, HELD_BY[robotId].kg);
  const from = chance.oneOf(['table', 'table', 'floor', 'box'] as const);
  const yawRad = chance.between(-3.1, 3.1);
  const [sizeX, sizeY] = sizeOf(shape);
  const chest: ThingAtStart = standing('chest', container(sizeX + 0.22, sizeY + 0.22, 0.12), [-1.62, -0.4], {
    onM: TABLE_M,
    massKg: 2,
  });
  const it = {
    table: () =>
      standing('it', shape, [-1.62 + chance.between(-0.03, 0.03), chance.between(-0.8, 0.8)], { onM: TABLE_M, massKg, yawRad }),
    floor: () => standing('it', shape, [chance.between(-0.6, 0.6), chance.between(-0.4, 0.6)], { massKg, yawRad }),
    box: () => standing('it', shape, [-1.62, -0.4], { onM: TABLE_M + 0.015, massKg }),
  }[from]();
  const put = chance.oneOf<Put>([
    { kind: 'slot', padId: 'pad_2', index: 3 },
    { kind: 'pad', padId: 'pad_3' },
    { kind: 'pad', padId: 'pad_2' },
    { kind: 'floor', x: chance.between(-0.4, 0.6), y: 1.2 },
    { kind: 'in', entityId: 'bin' },
    { kind: 'on', entityId: 'plate' },
  ]);
  const bin = standing('bin', container(0.46, 0.46, 0.15), [1.68, 0.85], { onM: TABLE_M, massKg: 2 });
  const plate = standing('plate', { kind: 'box', size: [0.34, 0.34, 0.1] }, [1.68, -0.75], { onM: TABLE_M, massKg: 3 });
  return { robotId, things: [it, ...(from === 'box' ? [chest] : []), bin, plate, cubeAt(1.7, -0.3, TABLE_M)], take: 'it', put };
}

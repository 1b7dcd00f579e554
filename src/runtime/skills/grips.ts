import * as portable from '../../common/portable-math.ts';
import { wrapRad } from '../../protocol/wire/geometry.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import { halfExtents, type Lie, lieOf } from '../../simulation/extents.ts';
import { PALM_HALF_LENGTH_M } from '../../simulation/palms.ts';
import type { Gripper } from '../../simulation/robot.ts';
import type { ThingView } from '../../simulation/things.ts';

/** The ways in which two palms can take a thing: by which pair of its sides, and how high on it. */

/** One way to take a thing. Headings of the hands are in the world, radians; lengths in metres. */
export interface GripWay {
  /** Heading of the hands. */
  yawRad: number;
  /** Width of the thing between the palms. */
  widthM: number;
  /** From the thing's centre up to the middle of the palms. */
  raiseM: number;
  /** From the middle of the palms up to the thing's top. */
  topM: number;
  /** Whether the thing is a cube: its motions are those that are made for cubes. */
  isCube: boolean;
}

/** Number of headings of the hands that are tried for a round thing. */
const ROUND_HEADINGS = 8;
/** The middle of a palm stays this far above what the thing stands on, and at most this far below its top. */
const LEAST_ABOVE_FLOOR_M = 0.055;
const MOST_BELOW_TOP_M = 0.18;
/** Palms may take a thing higher than that, as far as this much of them still lies on it. */
const RAISE_STEP_M = 0.03;
const MOST_RAISES = 4;
const LEAST_CONTACT_M = 0.03;

/** The rotation of a view as physics writes it. */
export const rotated = ({ shape, orientation: [x, y, z, w] }: Pick<ThingView, 'shape' | 'orientation'>) => ({
  shape,
  rotation: { x, y, z, w },
});

/** Returns how a thing lies, or null when it leans. */
export function lieOfView(thing: Pick<ThingView, 'shape' | 'orientation'>): Lie | null {
  const { shape, rotation } = rotated(thing);
  return lieOf(shape, rotation);
}

/**
 * Returns four headings, a quarter turn apart: those from which the hands close on opposite sides of something with this heading.
 */
export const faceYaws = (yawRad: number): number[] => [0, 1, 2, 3].map((quarter) => wrapRad(yawRad + (quarter * Math.PI) / 2));

/** Returns the ways to take a cube by its sides. */
export const waysOfCube = (yaws: readonly number[]): GripWay[] =>
  yaws.map((yawRad) => ({ yawRad, widthM: CUBE_EDGE_M, raiseM: 0, topM: CUBE_EDGE_M / 2, isCube: true }));

/** The reason why a thing can be held in no way, whatever lies round it, with the limits; null when there is a way. */
export interface NotHeld {
  reason: string;
  allowed: Record<string, unknown>;
}

const metres = (value: number): string => `${value.toFixed(2)} m`;

/** Returns the dimensions and mass that the hands can hold, for the details of refusals. */
export const allowedBy = ({ widthM, mostDepthM, mostHeightM, mostMassKg }: Gripper) => ({
  width_m: { minimum: widthM.min, maximum: widthM.max },
  depth_m: { maximum: mostDepthM },
  height_m: { maximum: mostHeightM },
  mass_kg: { maximum: mostMassKg },
});

/** Returns why the hands can hold a thing of this make in no way; null when they can, or when it leans, which may pass. */
export function notHeldBecause(gripper: Gripper, thing: ThingView, loadKg: number): NotHeld | null {
  if (thing.isCube && loadKg === thing.massKg) return null;
  const { widthM, mostDepthM, mostHeightM, mostMassKg } = gripper;
  const allowed = allowedBy(gripper);
  if (loadKg > mostMassKg)
    return { reason: `it weighs ${loadKg.toFixed(2)} kg with what is in it, and they hold ${mostMassKg} kg at most`, allowed };
  const lie = lieOfView(thing);
  if (!lie) return null;
  if (lie.heightM > mostHeightM)
    return { reason: `it is ${metres(lie.heightM)} high, and they hold what is ${metres(mostHeightM)} at most`, allowed };
  if (sidesThatFit(gripper, lie).length > 0) return null;
  const sides = lie.isRound ? metres(lie.alongM) : `${metres(lie.alongM)} by ${metres(lie.acrossM)}`;
  return {
    reason: `it is ${sides} as it lies, and they hold what is ${metres(widthM.min)} to ${metres(widthM.max)} wide and ${metres(mostDepthM)} deep at most`,
    allowed,
  };
}

/** Returns the quarter turns whose pair of sides fits between the palms. */
function sidesThatFit({ widthM, mostDepthM }: Gripper, { alongM, acrossM }: Lie): { quarter: number; widthM: number }[] {
  return [0, 1, 2, 3].flatMap((quarter) => {
    const [deepM, wideM] = quarter % 2 === 0 ? [alongM, acrossM] : [acrossM, alongM];
    const fits = wideM >= widthM.min - 1e-9 && wideM <= widthM.max + 1e-9 && deepM <= mostDepthM + 1e-9;
    return fits ? [{ quarter, widthM: wideM }] : [];
  });
}

/**
 * Returns the ways to take a thing, one list for each height on it, the best height first.
 * @param bearingRad from the base to it, world frame
 */
export function gripWays(gripper: Gripper, thing: ThingView, lie: Lie, bearingRad: number): GripWay[][] {
  const halfM = lie.heightM / 2;
  const highestM = halfM + PALM_HALF_LENGTH_M - LEAST_CONTACT_M;
  // Hands that cannot come so low could not put a thing on the floor that they took low on a table.
  const isNarrow = gripper.narrow !== null && Math.min(lie.alongM, lie.acrossM) < gripper.narrow.belowWidthM;
  const lowestM = isNarrow ? (gripper.narrow?.lowestM ?? 0) : LEAST_ABOVE_FLOOR_M;
  const bestRaiseM = Math.max(0, Math.min(highestM, lowestM - halfM), halfM - MOST_BELOW_TOP_M);
  const raises = Array.from({ length: MOST_RAISES }, (_, step) => bestRaiseM + step * RAISE_STEP_M);
  const sides = lie.isRound
    ? Array.from({ length: ROUND_HEADINGS }, (_, k) => ({
        yawRad: wrapRad(bearingRad + (2 * Math.PI * k) / ROUND_HEADINGS),
        widthM: lie.alongM,
      }))
    : sidesThatFit(gripper, lie).map(({ quarter, widthM }) => ({
        yawRad: wrapRad(lie.yawRad + (quarter * Math.PI) / 2),
        widthM,
      }));
  return raises
    .filter((raiseM) => raiseM <= Math.max(bestRaiseM, highestM))
    .map((raiseM) => sides.map((side) => ({ ...side, raiseM, topM: halfM - raiseM, isCube: thing.isCube })));
}

/** Returns the part of a thing's room across and along hands that point along a heading: half of its lengths. */
export function halfAlongHands(
  shape: ThingView['shape'],
  [x, y, z, w]: ThingView['orientation'],
  handsYawRad: number,
): { alongM: number; acrossM: number } {
  const [c, s] = [portable.cos(handsYawRad / 2), -portable.sin(handsYawRad / 2)];
  // A turn about the vertical before the thing's own.
  const turned = { x: c * x - s * y, y: c * y + s * x, z: c * z + s * w, w: c * w - s * z };
  const [alongM, acrossM] = halfExtents(shape, turned);
  return { alongM, acrossM };
}

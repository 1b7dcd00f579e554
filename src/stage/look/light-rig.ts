import type { Vec3 } from '../../protocol/wire/geometry.ts';

/**
 * A far light: `toward` points from the scene to the light, world frame; intensity in three's units (pi lights a white face
 * fully).
 */
export interface FarLight {
  toward: Vec3;
  intensity: number;
  /** sRGB hex as people see it; for cameras every light is white, so that grey stays grey. */
  peopleColour: number;
  /** People see more contrast: their stage also has shadows and mirrored light. */
  peopleIntensity: number;
}

/**
 * Soft light from several sides: the sky through the high windows, a key along them, and two fills, so that no face goes black.
 */
export const LIGHT_RIG = {
  sky: {
    intensity: 1.75,
    peopleIntensity: 0.9,
    skyColour: 0xffffff,
    groundColour: 0xb4b4b4,
    peopleSkyColour: 0xfffaf2,
    peopleGroundColour: 0xbab4ac,
  },
  key: { toward: [-0.45, 0.5, 1], intensity: 1.3, peopleColour: 0xfff0da, peopleIntensity: 2.6 },
  fills: [
    { toward: [0.85, -0.35, 0.45], intensity: 0.75, peopleIntensity: 0.5, peopleColour: 0xf3f4ff },
    { toward: [-0.5, -0.8, 0.35], intensity: 0.55, peopleIntensity: 0.3, peopleColour: 0xf6f4ff },
  ],
} as const satisfies { sky: object; key: FarLight; fills: readonly FarLight[] };

/** Returns the fraction of its own colour that a matt horizontal face shows under the rig. The floor is baked with it. */
export function floorShade(): number {
  const direct = [LIGHT_RIG.key, ...LIGHT_RIG.fills].reduce(
    (sum, light) => sum + (light.intensity * light.toward[2]) / Math.hypot(...light.toward),
    0,
  );
  return (LIGHT_RIG.sky.intensity + direct) / Math.PI;
}

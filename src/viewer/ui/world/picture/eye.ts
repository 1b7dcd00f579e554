import type { Vec3 } from '../../../../protocol/wire/geometry.ts';
import type { RenderState } from '../../../../protocol/wire/render-state.ts';

/**
 * The default position of a person's eye relative to the robot's feet: in front of it, at its right, slightly above its head.
 * World frame, metres.
 */
export const DEFAULT_VIEW_OFFSET: Vec3 = [2.3, -2.5, 1.95];
/** Height of the point around which the view turns: the robot's chest. */
const LOOK_AT_HEIGHT_M = 0.62;
export const VERTICAL_FOV_DEG = 36;
/** Width of the drawer with its margins, from `interface.css`. The view's centre moves out from under the drawer. */
export const PANEL_COVERS_PX = 384;
/** A person's eye before the robot's position is known. Distances along the line of sight, metres. */
export const EYE_START: Vec3 = DEFAULT_VIEW_OFFSET;
export const EYE = { verticalFovDeg: VERTICAL_FOV_DEG, nearM: 0.05, farM: 60 } as const;
export const NEAREST_M = 0.7;
export const FARTHEST_M = 11;
/** Lowest angle of the camera: just above the floor. */
export const MAX_POLAR_RAD = (86 * Math.PI) / 180;

/**
 * Returns the point around which a view of the robot turns, world frame. Its height is fixed, so that steps do not rock the
 * picture.
 */
export function robotFocus(state: RenderState | null): Vec3 {
  const [x, y] = state?.rootPose.position ?? [0, 0, 0];
  return [x, y, LOOK_AT_HEIGHT_M];
}

/** Returns the start position of a person's eye for a point around which the view turns. World frame, metres. */
export const startEye = ([x, y]: Vec3): Vec3 => [x + DEFAULT_VIEW_OFFSET[0], y + DEFAULT_VIEW_OFFSET[1], DEFAULT_VIEW_OFFSET[2]];

/** Returns the share of a distance that is covered in a time, for a motion that settles in about three time constants. */
export const catchUp = (elapsedS: number, timeConstantS: number): number => 1 - Math.exp(-Math.max(0, elapsedS) / timeConstantS);

import { type PerspectiveCamera, Quaternion } from 'three';
import type { CameraView } from '../protocol/wire/render-state.ts';

/** Nearest and farthest distance that robot cameras see, metres along the optical axis. */
export const CAMERA_NEAR_M = 0.03;
const CAMERA_FAR_M = 60;

/**
 * Rotation from three's camera axes (x right, y up, z backward) to the optical frame's (x right, y down, z forward): half a turn
 * about x.
 */
const OPTICAL_FROM_THREE = new Quaternion(1, 0, 0, 0);

/**
 * Makes a three camera see exactly what a robot camera with `intrinsicsFor(verticalFovDeg, widthPx, heightPx)` at this pose sees.
 * The camera must have no parent that moves.
 */
export function placeOpticalCamera(
  camera: PerspectiveCamera,
  { position, orientation, verticalFovDeg }: CameraView,
  widthPx: number,
  heightPx: number,
): void {
  camera.position.set(...position);
  camera.quaternion.set(...orientation).multiply(OPTICAL_FROM_THREE);
  camera.fov = verticalFovDeg;
  camera.aspect = widthPx / heightPx;
  camera.near = CAMERA_NEAR_M;
  camera.far = CAMERA_FAR_M;
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld(true);
}

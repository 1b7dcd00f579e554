import { type PerspectiveCamera, Quaternion } from 'three';
import { CAMERA_VERTICAL_FOV_DEG, type CameraId } from '../protocol/captures.ts';
import type { RigidPose } from '../protocol/render-state.ts';

/** Nearest and farthest that robot cameras see, metres along the optical axis. */
export const CAMERA_NEAR_M = 0.03;
export const CAMERA_FAR_M = 60;

/** From three's camera axes (x right, y up, z backward) to the optical frame's (x right, y down, z forward): half a turn about x. */
const OPTICAL_FROM_THREE = new Quaternion(1, 0, 0, 0);

/**
 * Makes a three camera see exactly what a robot camera with `intrinsicsFor(CAMERA_VERTICAL_FOV_DEG[cameraId], widthPx, heightPx)` at this
 * pose sees. The camera must have no parent that moves.
 * @param opticalPose of the optical frame in the world
 */
export function placeOpticalCamera(
  camera: PerspectiveCamera,
  opticalPose: RigidPose,
  cameraId: CameraId,
  widthPx: number,
  heightPx: number,
): void {
  camera.position.set(...opticalPose.position);
  camera.quaternion.set(...opticalPose.orientation).multiply(OPTICAL_FROM_THREE);
  camera.fov = CAMERA_VERTICAL_FOV_DEG[cameraId];
  camera.aspect = widthPx / heightPx;
  camera.near = CAMERA_NEAR_M;
  camera.far = CAMERA_FAR_M;
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld(true);
}

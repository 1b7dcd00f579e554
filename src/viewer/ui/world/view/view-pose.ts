import { Matrix4, type PerspectiveCamera, Quaternion, Vector2, Vector3 } from 'three';
import { clamp } from '../../../../common/clamp.ts';
import type { RenderState } from '../../../../protocol/wire/render-state.ts';

/** The viewpoint of a picture: position and orientation of a three camera in the world, and its field of view. */
export interface ViewPose {
  position: Vector3;
  /** Orientation of three's camera axes: x right, y up, z backward. */
  orientation: Quaternion;
  verticalFovDeg: number;
  /** Position of straight ahead in the picture: pixels to the right of its middle, and below it. */
  asidePx: Vector2;
}

/** Duration of a change from one view to another. */
export const VIEW_CHANGE_S = 0.45;

/** Rotation from three's camera axes to the optical frame's (x right, y down, z forward): half a turn about x. */
const OPTICAL_FROM_THREE = new Quaternion(1, 0, 0, 0);
const UP = new Vector3(0, 0, 1);

export const newPose = (): ViewPose => ({
  position: new Vector3(),
  orientation: new Quaternion(),
  verticalFovDeg: 0,
  asidePx: new Vector2(),
});

/** Sets the view from the robot's head: pose and field of view of its head camera. */
export function headPose(state: RenderState, into: ViewPose): ViewPose {
  const { position, orientation, verticalFovDeg } = state.cameras.pov;
  into.position.set(...position);
  into.orientation.set(...orientation).multiply(OPTICAL_FROM_THREE);
  into.verticalFovDeg = verticalFovDeg;
  return into;
}

const _lookingAt_matrix = new Matrix4();

/** Sets the view from an eye to a point, with the world's up direction upwards. Not for straight down. */
export function lookingAt(eye: Vector3, point: Vector3, verticalFovDeg: number, into: ViewPose): ViewPose {
  into.position.copy(eye);
  into.orientation.setFromRotationMatrix(_lookingAt_matrix.lookAt(eye, point, UP));
  into.verticalFovDeg = verticalFovDeg;
  return into;
}

/**
 * Returns the direction that is up in a view from above, radians. It is that of the ceiling camera's picture if there is one,
 * so that both show the scene in the same orientation; otherwise +y.
 */
export function topYawRad(state: RenderState): number {
  const { topdown } = state.cameras;
  if (!topdown) return 0;
  const up = new Vector3(0, -1, 0).applyQuaternion(new Quaternion(...topdown.orientation));
  // The picture's up direction lies in the floor plane; three's controls count from straight behind.
  return Math.atan2(up.y, up.x) - Math.PI / 2;
}

/** Sets the view straight down on a point. @param yawRad from `topYawRad` */
export function fromAbove(point: Vector3, heightM: number, yawRad: number, verticalFovDeg: number, into: ViewPose): ViewPose {
  into.position.set(point.x, point.y, point.z + heightM);
  into.orientation.setFromAxisAngle(UP, yawRad);
  into.verticalFovDeg = verticalFovDeg;
  return into;
}

/** Returns the completed share of a change, eased at both ends. @param elapsedS since it began; a length of 0 is done at once */
export function changeShare(elapsedS: number, lengthS: number): number {
  if (lengthS <= 0) return 1;
  const t = clamp(elapsedS / lengthS, 0, 1);
  return t * t * (3 - 2 * t);
}

/** Sets the pose at a share of the change between two poses. */
export function between(a: ViewPose, b: ViewPose, share: number, into: ViewPose): ViewPose {
  into.position.lerpVectors(a.position, b.position, share);
  into.orientation.slerpQuaternions(a.orientation, b.orientation, share);
  into.verticalFovDeg = a.verticalFovDeg + (b.verticalFovDeg - a.verticalFovDeg) * share;
  into.asidePx.lerpVectors(a.asidePx, b.asidePx, share);
  return into;
}

/** Applies a pose to a camera, for a picture of a given size. The camera must have no parent that moves. */
export function applyPose(camera: PerspectiveCamera, pose: ViewPose, size: { width: number; height: number }): void {
  camera.position.copy(pose.position);
  camera.quaternion.copy(pose.orientation);
  const { width, height } = size;
  const [x, y] = [-pose.asidePx.x, -pose.asidePx.y];
  const { view } = camera;
  const same =
    view?.enabled && view.fullWidth === width && view.fullHeight === height && view.offsetX === x && view.offsetY === y;
  if (same && camera.fov === pose.verticalFovDeg) return;
  camera.fov = pose.verticalFovDeg;
  camera.setViewOffset(width, height, x, y, width, height);
}

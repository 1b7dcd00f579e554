import { listed } from '../../common/shown-text.ts';
import { type CaptureFrame, intrinsicsFor } from './captures.ts';
import type { CameraView, RenderState } from './render-state.ts';

/** Returns the view of a camera in this state. @throws RangeError for an unknown camera; no other camera replaces it */
export function cameraView({ cameras }: Pick<RenderState, 'cameras'>, cameraId: string): CameraView {
  const view = Object.hasOwn(cameras, cameraId) ? cameras[cameraId] : undefined;
  if (!view) throw new RangeError(`There is no camera "${cameraId}"; there are ${listed(Object.keys(cameras))}.`);
  return view;
}

/** Returns a picture's description of this state: step, time, intrinsics in pixels, and the optical frame's pose in the world. */
export function frameOf(state: RenderState, cameraId: string, widthPx: number, heightPx: number): CaptureFrame {
  const { position, orientation, verticalFovDeg } = cameraView(state, cameraId);
  return {
    step: state.step,
    sim_time_s: state.simTimeS,
    width: widthPx,
    height: heightPx,
    intrinsics: intrinsicsFor(verticalFovDeg, widthPx, heightPx),
    camera_pose: {
      frame_id: 'world',
      position: [position[0], position[1], position[2]],
      orientation_xyzw: [orientation[0], orientation[1], orientation[2], orientation[3]],
    },
  };
}

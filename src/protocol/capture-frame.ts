import { type CaptureFrame, intrinsicsFor } from './captures.ts';
import type { CameraView, RenderState } from './render-state.ts';

/** How a camera sees at this state. @throws RangeError for a camera that there is not: no other takes its place */
export function cameraView({ cameras }: Pick<RenderState, 'cameras'>, cameraId: string): CameraView {
  const view = Object.hasOwn(cameras, cameraId) ? cameras[cameraId] : undefined;
  if (!view) throw new RangeError(`There is no camera "${cameraId}"; there are ${Object.keys(cameras).join(' and ')}.`);
  return view;
}

/** What a picture of this state says of itself: step, time, intrinsics in pixels, and the optical frame's pose in the world. */
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

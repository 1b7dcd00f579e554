import { CAMERA_VERTICAL_FOV_DEG, type CameraId, type CaptureFrame, intrinsicsFor } from './captures.ts';
import type { RenderState } from './render-state.ts';

/** What a picture of this state says of itself: step, time, intrinsics in pixels, and the optical frame's pose in the world. */
export function frameOf(state: RenderState, camera: CameraId, widthPx: number, heightPx: number): CaptureFrame {
  const { position, orientation } = state.cameras[camera];
  return {
    step: state.step,
    sim_time_s: state.simTimeS,
    width: widthPx,
    height: heightPx,
    intrinsics: intrinsicsFor(CAMERA_VERTICAL_FOV_DEG[camera], widthPx, heightPx),
    camera_pose: {
      frame_id: 'world',
      position: [position[0], position[1], position[2]],
      orientation_xyzw: [orientation[0], orientation[1], orientation[2], orientation[3]],
    },
  };
}

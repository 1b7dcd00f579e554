import { HEAD_CAMERA_FOV_DEG } from '../protocol/wire/captures.ts';
import { degToRad, type Quat, yawToQuat } from '../protocol/wire/geometry.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import type { ColourMode, RenderState } from '../protocol/wire/render-state.ts';
import { robotModel } from '../protocol/wire/robots.ts';
import { THING_COLOURS } from '../protocol/wire/scene.ts';

/** Returns a state in which the cameras see every kind of material: the robot at its spawn, a cube of each colour. */
export function warmUpState(layout: ScenePlace, colourMode: ColourMode): RenderState {
  const [x, y] = layout.spawn.position;
  const yawRad = degToRad(layout.spawn.yaw_deg ?? 0);
  const model = robotModel(layout.robot);
  return {
    step: 0,
    simTimeS: 0,
    rootPose: { position: [x, y, model.baseHeightM], orientation: yawToQuat(yawRad) },
    jointPositions: new Array<number>(model.joints.length).fill(0),
    things: THING_COLOURS.map((colour, k) => ({
      entityId: `cube_${k}`,
      colour,
      held: false,
      position: [x + 1 + 0.3 * k, y, 0.075],
      orientation: [0, 0, 0, 1],
    })),
    collected: [],
    cameras: {
      ...Object.fromEntries(layout.cameras.map((camera) => [camera.id, camera])),
      // A step behind the spawn, so that the robot itself is in the picture.
      pov: {
        position: [x - 1.2 * Math.cos(yawRad), y - 1.2 * Math.sin(yawRad), 1.3],
        orientation: level(yawRad),
        verticalFovDeg: HEAD_CAMERA_FOV_DEG,
      },
    },
    colourMode,
    fixtures: [],
  };
}

/** Returns an optical frame (x right, y down, z forward) that looks level along a heading: the frame at yaw 0, turned about z. */
function level(yawRad: number): Quat {
  const [s, c] = [Math.sin(yawRad / 2) / 2, Math.cos(yawRad / 2) / 2];
  // yaw * (-1/2, 1/2, -1/2, 1/2), which takes z to x, x to -y and y to -z.
  return [-c - s, c - s, s - c, s + c];
}

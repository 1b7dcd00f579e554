import { Vector3 } from 'three';
import { ANKLE_HEIGHT_M } from '../../../protocol/robots/humanoid.ts';
import { quatToYaw } from '../../../protocol/wire/geometry.ts';
import type { RenderState } from '../../../protocol/wire/render-state.ts';
import type { ContactShadows } from '../../look/contact-shadows.ts';
import type { Rig } from '../robot-look.ts';

const _foot_position = new Vector3();
const _foot_forward = new Vector3();

/** The robot's contact shadows: one under each foot, which fades as it lifts, and a wide soft one under the body. */
export function addRobotShadows(rig: Rig, state: RenderState, shadows: ContactShadows): void {
  const [x, y] = state.rootPose.position;
  shadows.add(x, y, 0, quatToYaw(state.rootPose.orientation), 0.72, 0.78, 0.34);
  for (const side of ['right', 'left'] as const) {
    const foot = rig.links.get(`${side}_ankle_roll_link`);
    if (!foot) continue;
    foot.updateWorldMatrix(true, false);
    const matrix = foot.matrixWorld;
    const position = _foot_position.set(0.03, 0, -ANKLE_HEIGHT_M).applyMatrix4(matrix);
    const forward = _foot_forward.set(1, 0, 0).transformDirection(matrix);
    shadows.add(position.x, position.y, Math.max(0, position.z), Math.atan2(forward.y, forward.x), 0.31, 0.2, 0.6);
  }
}

import { atan2, cos, hypot, sin } from '../../common/portable-math.ts';
import {
  DECK_HEIGHT_M,
  MAST_X_M,
  PAN_ABOVE_DECK_M,
  PICKER,
  PICKER_JOINT,
  TILT_ABOVE_PAN_M,
} from '../../protocol/robots/picker.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { headOf } from '../head.ts';
import type { HeadAngles } from '../robot.ts';
import type { PickerBody } from './state.ts';

const EYE_M = DECK_HEIGHT_M + PAN_ABOVE_DECK_M + TILT_ABOVE_PAN_M;

/** The camera looks along its own axis through both joints, so the angles are those of the point as the joints see it. */
function aim({ base }: PickerBody, [x, y, z]: Vec3): HeadAngles {
  const [dx, dy] = [x - base.x, y - base.y];
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  const [ahead, left] = [c * dx + s * dy - MAST_X_M, c * dy - s * dx];
  return { yawRad: atan2(left, ahead), pitchRad: atan2(EYE_M - z, hypot(ahead, left)) };
}

/** The camera on the mast: it pans and tilts as a head does. */
export const { step: stepHead, ...head } = headOf<PickerBody>({
  ...PICKER.head,
  yawJoint: PICKER_JOINT.cameraPan,
  pitchJoint: PICKER_JOINT.cameraTilt,
  aim,
  workPoint: ({ frame, grip: { x, y, z } }) => (frame === 'world' ? [x.value, y.value, z.value] : null),
});

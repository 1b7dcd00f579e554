import { PICKER } from '../../../protocol/robots/picker.ts';
import { quatToYaw } from '../../../protocol/wire/geometry.ts';
import type { Part } from '../../geometry/paint.ts';
import type { RobotLook } from '../robot-look.ts';
import * as parts from './parts.ts';

const PARTS: ReadonlyMap<string, () => Part[]> = new Map([
  ['base', parts.baseParts],
  ['carriage', parts.carriageParts],
  ['boom', parts.boomParts],
  ['inner_stage', parts.innerStageParts],
  ['outer_stage', parts.outerStageParts],
  ['hand', parts.handParts],
  ['right_finger', () => parts.fingerParts(-1)],
  ['left_finger', () => parts.fingerParts(1)],
  ['pan', parts.panParts],
  ['head', parts.cameraParts],
]);

/** The picker: its camera sees its own boom and gripper, as it would. */
export const pickerLook: RobotLook = {
  model: PICKER,
  linkParts: () => PARTS,
  roundTheEye: ['pan', 'head'],
  addShadows(_rig, { rootPose }, shadows) {
    const [x, y] = rootPose.position;
    shadows.add(x, y, 0, quatToYaw(rootPose.orientation), 0.58, 0.58, 0.55);
  },
};

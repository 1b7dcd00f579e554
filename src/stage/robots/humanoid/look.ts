import { HUMANOID, ROOT_LINK } from '../../../protocol/robots/humanoid.ts';
import type { RobotLook } from '../robot-look.ts';
import { linkParts } from './link-parts.ts';
import { addRobotShadows } from './robot-shadows.ts';

/**
 * The humanoid. Its camera is on the axis of the neck, inside head and neck, and the chest would fill its picture when it looks
 * down; limbs stay visible.
 */
export const humanoidLook: RobotLook = {
  model: HUMANOID,
  linkParts,
  roundTheEye: ['head', 'neck', 'torso', ROOT_LINK],
  addShadows: addRobotShadows,
};

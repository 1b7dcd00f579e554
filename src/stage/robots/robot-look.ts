import type { RenderState } from '../../protocol/render-state.ts';
import type { RobotModel } from '../../protocol/robot.ts';
import type { Part } from '../geometry/paint.ts';
import type { ContactShadows } from '../look/contact-shadows.ts';
import type { Rig } from './rig.ts';

/** The look of a robot: what is drawn on each link of its model. */
export interface RobotLook {
  model: RobotModel;
  /** Returns a builder for the parts of every link that has any, each in its link's own frame. */
  linkParts(): ReadonlyMap<string, () => Part[]>;
  /** Links around the robot's camera: they are left out of its pictures. */
  roundTheEye: readonly string[];
  /** Adds its contact shadows to the floor's. */
  addShadows(rig: Rig, state: RenderState, shadows: ContactShadows): void;
}

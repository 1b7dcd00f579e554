import type { Group } from 'three';
import type { RenderState } from '../../protocol/wire/render-state.ts';
import type { RobotModel } from '../../protocol/wire/robot.ts';
import type { Part } from '../geometry/paint.ts';
import type { ContactShadows } from '../look/contact-shadows.ts';

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

/** The robot as nested groups, one per link, each turned by its joint. */
export interface Rig {
  look: RobotLook;
  /** The root link; its parent is the world. */
  root: Group;
  links: ReadonlyMap<string, Group>;
  /** The groups that joints move, in the order of the model's joints. */
  jointed: readonly Group[];
  /** Hides the links around the robot's camera; the others stay visible. */
  seenFromHead(isSeenFromHead: boolean): void;
}

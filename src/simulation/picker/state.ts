import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import type { Channel, Follower } from '../motion.ts';
import type { RobotBody } from '../robot.ts';

/** The numbers of the gripper: its middle, its heading, and the room between its fingers. */
export interface GripChannels {
  x: Channel;
  y: Channel;
  z: Channel;
  yaw: Channel;
  opening: Channel;
}

/** The picker's body. Only the modules of this folder write it. */
export interface PickerBody extends RobotBody {
  base: PlanarPose;
  /** The frame of the grip's numbers: the world while reaching, the base while carrying or stowed. */
  frame: 'world' | 'base';
  /** Base pose when the grip was set in the world; a base that leaves it takes the grip along. */
  anchor: PlanarPose;
  grip: GripChannels;
  /** How far the gripper is drawn in to keep out of what stands fixed; the grip is what it is without. */
  giveWay: Follower;
}

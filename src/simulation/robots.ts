import type { RobotId } from '../protocol/wire/robot.ts';
import { humanoid } from './humanoid/robot.ts';
import { picker } from './picker/robot.ts';
import type { Robot } from './robot.ts';

/** Every kind of robot, by its id. */
const ROBOTS: Readonly<Record<RobotId, Robot>> = { humanoid, picker };

/** Returns the robot of this id. */
export const robotById = (id: RobotId): Robot => ROBOTS[id];

import type { RobotId } from '../../protocol/wire/robot.ts';
import { humanoidLook } from './humanoid/look.ts';
import { pickerLook } from './picker/look.ts';
import type { RobotLook } from './robot-look.ts';

/** The look of every robot, by its id. */
const LOOKS: Readonly<Record<RobotId, RobotLook>> = { humanoid: humanoidLook, picker: pickerLook };

/** Returns the look of the robot of this id. */
export const robotLookOf = (id: RobotId): RobotLook => LOOKS[id];

import type { RobotId } from './robot.ts';

/** The name under which a robot of each model is stored. */
export const ROBOT_MODEL_NAMES: Readonly<Record<RobotId, string>> = {
  humanoid: 'simplesim-humanoid-1',
  picker: 'simplesim-picker-1',
};

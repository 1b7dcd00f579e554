import { DEFAULT_ROBOT_ID, isRobotId } from '../../protocol/robot.ts';
import { addressChoice } from './address-choice.ts';

/** `?robot=picker`: which robot the page is. */
export const { read: readRobot, mark: markRobot } = addressChoice('robot', isRobotId, DEFAULT_ROBOT_ID);

import { DEFAULT_ROBOT_ID, ROBOT_IDS } from '../../protocol/robot.ts';
import { addressChoice } from './address-choice.ts';

/** `?robot=picker`: which robot the page is. */
export const { read: readRobot, mistake: robotMistake, mark: markRobot } = addressChoice('robot', ROBOT_IDS, DEFAULT_ROBOT_ID);

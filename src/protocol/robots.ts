import type { RobotId, RobotModel } from './robot.ts';
import { HUMANOID } from './robots/humanoid.ts';

/** Every model of a robot, by its id. */
const MODELS: Readonly<Record<RobotId, RobotModel>> = { humanoid: HUMANOID };

/** Returns the measures of a model. */
export const robotModel = (id: RobotId): RobotModel => MODELS[id];

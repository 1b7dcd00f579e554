import { HUMANOID } from '../robots/humanoid.ts';
import { PICKER } from '../robots/picker.ts';
import { contractOf } from './contract.ts';
import type { RuntimeProfile } from './profile.ts';
import type { RobotId, RobotModel } from './robot.ts';

/** Every model of a robot, by its id. */
const MODELS: Readonly<Record<RobotId, RobotModel>> = { humanoid: HUMANOID, picker: PICKER };

/** Returns the measures of a model. */
export const robotModel = (id: RobotId): RobotModel => MODELS[id];

/** Returns why a robot cannot fulfil a contract, for people; null if it can. */
export const robotRefusal = (id: RobotId, profile: RuntimeProfile): string | null =>
  contractOf(profile).needsPosedArms && !MODELS[id].hasPosedArms
    ? `The ${id} cannot follow the rules of a physical robot: they pose two arms, and it has one arm with a gripper. Open it without profile=${profile}, or open the humanoid.`
    : null;

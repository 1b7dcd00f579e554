import { DEFAULT_ROBOT_ID, ROBOT_IDS } from '../../protocol/wire/robot.ts';
import { ROBOT_MODEL_NAMES } from '../../protocol/wire/robot-model-names.ts';
import { markRobot } from '../engine/page-address.ts';

/** Returns the link that makes a page the robot. The key is behind `#`, so that no server sees it. */
export function roomLink(viewerUrl: string, model: string, roomKey: string): string {
  const robotId = ROBOT_IDS.find((id) => ROBOT_MODEL_NAMES[id] === model) ?? DEFAULT_ROBOT_ID;
  return `${markRobot(viewerUrl, robotId)}#key=${roomKey}`;
}

/** Returns the link that opens a page on a robot that runs elsewhere. */
export const visitorLink = (viewerUrl: string, roomKey: string): string => `${viewerUrl}#key=${roomKey}`;

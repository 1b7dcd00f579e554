import type { RobotWords } from '../../../protocol/wire/robot.ts';
import { robotModel } from '../../../protocol/wire/robots.ts';
import type { ViewerState } from '../../engine/types.ts';
import { useViewer } from './engine-context.ts';

/** Returns the words of this page's robot, for sentences about its activity. */
export const robotWordsOf = ({ robotKind }: Pick<ViewerState, 'robotKind'>): RobotWords => robotModel(robotKind).words;

/** The words of this page's robot. */
export const useRobotWords = (): RobotWords => useViewer(robotWordsOf);

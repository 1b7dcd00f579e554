import { capitalise } from '../../common/capitalise.ts';
import { quoted, shownId, shownName } from '../../common/shown-text.ts';
import type { CallState, SeenStep } from '../../protocol/service/agent-watch.ts';
import { ROBOT_ENTITY_ID } from '../../protocol/wire/scene.ts';
import type { ViewerState } from '../engine/types.ts';
import { metres } from '../ui/common/format.ts';
import type { AgentSeen } from './agent-stream.ts';
import { ENDED } from './agent-stream.ts';

export const CALL_WORDS: Record<CallState, string> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  continues: 'Continues',
};

/** Returns the state of a step in words. @param isOver whether its plan has ended */
export function stepWords(state: SeenStep['state'], isOver: boolean): string {
  if (isOver && (state === 'planned' || state === 'running')) return state === 'planned' ? 'Not run' : 'Not ended';
  return state === 'planned' ? 'Next' : CALL_WORDS[state];
}

/** Returns a tool's name as words: `take_picture` is "Take picture". */
export const toolWords = (tool: string): string => capitalise(tool.replaceAll('_', ' '));

/** Returns whether the agent is connected, in words. */
export function agentWords({ agent, isEnded }: Pick<AgentSeen, 'agent' | 'isEnded'>): string {
  const name = agent.name === null ? null : quoted(shownName(agent.name));
  if (isEnded) return name === null ? 'Not connected' : `${name}, not connected`;
  return name === null ? 'Connected, has not called a tool yet' : `${name}, connected`;
}

/** Returns who drives the robot, in words. */
export function driverText({ visit }: Pick<ViewerState, 'visit'>): string {
  if (!visit?.status) return 'Unknown';
  return visit.status.driver === null ? 'No one' : quoted(shownName(visit.status.driver.name));
}

/** Returns where the robot is and what it holds, as a text alternative to the picture. */
export function placeText({ scene }: Pick<ViewerState, 'scene'>): string {
  const robot = scene?.entities[ROBOT_ENTITY_ID];
  if (!scene || !robot?.pose) return 'Unknown';
  const [x = 0, y = 0] = robot.pose.position;
  const held = Object.values(scene.entities).filter(({ attached_to: by }) => by === ROBOT_ENTITY_ID);
  const holds = held.length === 0 ? 'holds nothing' : `holds ${held.map(({ entity_id: id }) => quoted(shownId(id))).join(', ')}`;
  return `At x ${metres(x, 1)}, y ${metres(y, 1)}; ${holds}`;
}

/** Returns the sentence on why the world is not shown live; null while there is nothing to report. */
export function agentNotice({ visit, connection }: Pick<ViewerState, 'visit' | 'connection'>): string | null {
  if (connection.kind === 'rejoining') return `${ENDED} If it starts again at this address, this page shows it.`;
  if (!visit || connection.kind !== 'connected') return null;
  if (visit.problem !== null) return visit.problem;
  if (visit.freshness === 'none') return 'The robot is loading.';
  return visit.freshness === 'live' ? null : 'Nothing newer comes from the robot.';
}

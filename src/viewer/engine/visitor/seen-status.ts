import { robotModel } from '../../../protocol/wire/robots.ts';
import type { WorldFrame } from '../../../protocol/world-stream/world-frame.ts';
import { activity } from '../status-text.ts';
import type { Freshness } from './freshness.ts';

const STATES: Readonly<Record<string, string>> = { moving: 'Moving', fallen: 'Fallen', error: 'Not working' };

/** Returns the robot's activity as text, from the stream. An old status does not count as the current activity. */
export function seenStatusText({ state, status, robotId }: WorldFrame, freshness: Freshness): string {
  if (freshness !== 'live') return 'Not seen now';
  if (status.emergencyStop) return 'Emergency stop';
  if (status.action !== null) {
    const doing = activity(status.action, null, robotModel(robotId).words);
    return status.phase === null ? doing : `${doing} · ${status.phase}`;
  }
  const held = state.things.filter((thing) => thing.held).map(({ entityId }) => entityId);
  return held.length > 0 ? `Holding ${held.join(', ')}` : (STATES[status.robot] ?? 'Ready');
}

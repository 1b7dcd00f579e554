import type { WorldStatus } from '../../protocol/world-stream/world-frame.ts';
import type { ConnectionState, ViewerState, Visit } from '../engine/types.ts';
import { sinceText, wholeSeconds } from '../ui/common/format.ts';
import type { Tone } from '../ui/common/motion.ts';

/** Formats the age of the shown state for the bar: "Live", "3 s old", "Lost". */
function freshnessText({ freshness, ageMs }: Pick<Visit, 'freshness' | 'ageMs'>): string {
  switch (freshness) {
    case 'none':
      return 'Nothing yet';
    case 'live':
      return 'Live';
    case 'old':
      return `${wholeAge(ageMs)} old`;
    case 'lost':
      return 'Lost';
  }
}

/** Formats the connection: the age of the shown state, and the latency of calls. */
export function linkText(visit: Visit): string {
  const took = !visit.isAnswered ? 'no answer' : visit.roundTripMs === null ? null : `${visit.roundTripMs} ms`;
  return [freshnessText(visit), took].filter((part) => part !== null).join(' · ');
}

/** Formats the stream's packet loss for an operator; null before the first packet, when no loss can be known. */
export const lossText = ({ access, freshness, lostShare }: Visit): string | null =>
  access === 'drive' && freshness !== 'none' ? `${Math.round(lostShare * 100)} % lost` : null;

/** Returns the sentence on why the world is not shown live; null while there is nothing to report. */
export function visitNotice({
  visit,
  connection,
  offline,
}: Pick<ViewerState, 'connection' | 'offline'> & { visit: Visit }): string | null {
  const shown = shownText(visit);
  if (visit.problem !== null) return visit.problem;
  if (offline && isCutOff(connection))
    return sentences('This computer is offline.', shown, 'This page joins the room again once there is a network.');
  if (connection.kind === 'reconnecting')
    return sentences('The connection to the room is interrupted.', shown, 'This page reconnects automatically.');
  if (connection.kind === 'rejoining')
    return sentences(connection.reason, shown, 'This page joins the room again automatically.');
  if (connection.kind !== 'connected') return null;
  if (!visit.robotIsThere) return sentences(offlineText(visit), shown, 'This page shows it again as soon as it is back.');
  if (visit.freshness === 'none') return 'The robot is in the room, but has not sent its world yet.';
  if (visit.freshness === 'live') return visit.isAnswered || visit.stopDone !== null ? null : NO_ANSWER;
  return sentences(shown, 'Nothing newer comes from the robot.');
}

function offlineText({ offlineSinceMs, isStopped }: Visit): string {
  const text =
    offlineSinceMs === null ? 'The robot is offline.' : `The robot has been offline since ${sinceText(offlineSinceMs)}.`;
  return isStopped ? `${text} Its emergency stop is latched.` : text;
}

const NO_ANSWER =
  'You see the robot, but it does not answer this page: your commands may not reach it. Press the emergency stop if it must stop.';

const shownText = ({ freshness, ageMs }: Visit): string | null =>
  freshness === 'old' || freshness === 'lost' ? `What you see is ${wholeAge(ageMs)} old.` : null;

const sentences = (...parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(' ');

const isCutOff = ({ kind }: ConnectionState): boolean => kind === 'reconnecting' || kind === 'rejoining';

/** Formats an age in whole seconds, because a running clock is hard to read. */
const wholeAge = (ageMs: number | null): string => wholeSeconds(ageMs ?? 0);

/** Returns the colour of the observed activity; quiet while the activity is unknown. */
export function seenTone(status: WorldStatus | null): Tone {
  if (status === null) return 'quiet';
  if (status.emergencyStop || ['error', 'fallen'].includes(status.robot) || status.runtime === 'error') return 'bad';
  return status.action !== null || status.robot === 'moving' ? 'active' : 'good';
}

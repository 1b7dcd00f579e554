import { quoted, shownName } from '../../common/shown-text.ts';
import type { Robot } from '../../protocol/service/control-service.ts';
import type { RuntimeSummary, SessionState } from '../../protocol/service/session-state.ts';

/** The style of a state: live, busy, waiting for a person, wrong, inactive or unknown. */
export type Tone = 'live' | 'busy' | 'waiting' | 'bad' | 'off' | 'unknown';

export interface RobotStatus {
  tone: Tone;
  /** The state in one or two words. */
  word: string;
  /** The state in a sentence. */
  detail: string;
}

/** Which robots a list shows. */
export const FILTERS = ['all', 'occupied', 'empty'] as const;
export type Filter = (typeof FILTERS)[number];
export const FILTER_TEXTS: Record<Filter, string> = { all: 'All', occupied: 'In a room', empty: 'No robot there' };

/** Returns the status of a robot. @param session null: it has none; undefined: its state is unknown */
export function robotStatus(session: SessionState | null | undefined): RobotStatus {
  if (session === undefined) return { tone: 'unknown', word: 'Not known', detail: 'Its state is unknown at the moment.' };
  if (session === null || session.phase === 'none')
    return { tone: 'off', word: 'Not open', detail: 'It has no session, so it cannot be called.' };
  if (session.phase === 'opening') return { tone: 'waiting', word: 'Opening', detail: 'Its session is being opened.' };
  if (session.phase === 'closing') return { tone: 'waiting', word: 'Closing', detail: 'Its session is being closed.' };
  if (session.runtime === null)
    return { tone: 'waiting', word: 'No robot there', detail: 'Its room is open, and neither its page nor a worker is in it.' };
  const where = session.runtime.is_agent ? 'in a worker' : 'in a browser';
  if (session.runtime.state === null)
    return { tone: 'waiting', word: 'Loading', detail: `It runs ${where} and does not answer yet.` };
  return runtimeStatus(session.runtime.state, where);
}

function runtimeStatus(state: RuntimeSummary, where: string): RobotStatus {
  if (state.is_stopped)
    return {
      tone: 'bad',
      word: 'Emergency stop',
      detail: 'It takes no command until a person releases the stop, at its page or at its worker’s machine.',
    };
  if (state.status === 'error' || state.robot_status === 'error')
    return { tone: 'bad', word: 'Failed', detail: `Its runtime ${where} has failed. Open its page and reload it.` };
  if (state.robot_status === 'fallen') return { tone: 'bad', word: 'Fallen', detail: 'It lies on the floor.' };
  if (state.active_action !== null) {
    const { name, phase } = state.active_action;
    return { tone: 'busy', word: 'Working', detail: phase === '' ? name : `${name}: ${phase}` };
  }
  if (state.robot_status === 'moving') return { tone: 'busy', word: 'Moving', detail: `It moves, ${where}.` };
  return { tone: 'live', word: 'Ready', detail: `It stands ready, ${where}.` };
}

const END_TEXTS = { done: 'done', failed: 'failed', cancelled: 'cancelled' } as const;

/** Names the last action, how it ended and when; null without one. */
export function lastActionText(session: SessionState | null | undefined, nowMs: number): string | null {
  const last = session?.runtime?.state?.last_action;
  return last ? `${last.name} ${END_TEXTS[last.status]}, ${agoText(nowMs - last.finished_at_ms)}` : null;
}

/** Names the objects that a robot holds; null for none. */
export const heldText = (ids: readonly string[] | undefined): string | null =>
  ids === undefined || ids.length === 0 ? null : ids.map((id) => quoted(shownName(id))).join(', ');

const DRIVER_TEXTS = { person: 'a person', program: 'a program', agent: 'an agent' } as const;

/** Names the driver of the robot; null while no one drives it. */
export function driverText(session: SessionState | null | undefined): string | null {
  const driver = session?.runtime?.state?.driver;
  return driver ? `${driver.name} (${DRIVER_TEXTS[driver.kind]})` : null;
}

/** Most participants of a room that are named. */
const NAMED_MAX = 3;

/** Names the participants of the room, the robot's own page or worker first; null for an empty room. */
export function roomText(session: SessionState | null | undefined): string | null {
  if (!session || session.participant_count === 0) return null;
  const own = session.runtime?.identity;
  const others = session.participants.filter(({ identity }) => identity !== own);
  const first = session.runtime ? [session.runtime.is_agent ? 'its worker' : 'its page'] : [];
  const named = others.slice(0, NAMED_MAX).map(({ name, identity }) => quoted(shownName(name || identity)));
  const left = session.participant_count - first.length - named.length;
  return [...first, ...named, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

/** Formats the time since an event: "just now", "40 s ago", "3 min ago", "2 h ago", "5 days ago". */
export function agoText(spanMs: number): string {
  const seconds = Math.floor(spanMs / 1_000);
  // Another machine's clock may be ahead.
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

/** Formats a day and time in this machine's time zone. Returns a text that is not a time unchanged. */
export function dayText(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return at.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** Returns whether a participant is in the room of a robot. A session alone is an empty room. */
export const isOccupied = (session: SessionState | undefined): boolean => session !== undefined && session.participant_count > 0;

/** Returns the robots that match a search and a filter. Each word of the search is looked for in name, model and id. */
export function foundRobots(
  robots: readonly Robot[],
  sessions: ReadonlyMap<string, SessionState> | null,
  search: string,
  filter: Filter,
): Robot[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return robots.filter((robot) => {
    if (filter !== 'all' && sessions !== null && isOccupied(sessions.get(robot.id)) !== (filter === 'occupied')) return false;
    const text = `${robot.name}\n${robot.model}\n${robot.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns a robot's name as text that neither changes nor hides the surrounding text. */
export const nameText = (robot: Robot): string => shownName(robot.name);

import { capitalise } from '../../../common/capitalise.ts';
import { clamp } from '../../../common/clamp.ts';
import { HUMANOID } from '../../../protocol/robots/humanoid.ts';
import { callerKey } from '../../../protocol/wire/caller.ts';
import type { RobotWords } from '../../../protocol/wire/robot.ts';
import { isSkillName, SKILLS } from '../../../protocol/wire/skills.ts';
import type { ActionView, ParticipantView } from '../../engine/types.ts';
import { counted } from '../common/format.ts';
import { OUTCOME_TEXTS, type Outcome, outcomeOfAction } from '../common/outcomes.ts';
import { callerName } from '../common/texts.ts';

export type LaneKind = 'body' | 'caller';

/** One action on a lane, as shares of the shown time: 0 is its start, 1 is now. */
export interface LaneBar {
  action: ActionView;
  from: number;
  to: number;
}

export interface Lane {
  id: string;
  label: string;
  bars: readonly LaneBar[];
}

const BODY_LANES = [
  ['base', 'Base'],
  ['arms', 'Arms'],
  ['head', 'Head'],
  ['simulation', 'Scene'],
  ['pictures', 'Pictures'],
  ['other', 'Other'],
] as const;
/** Lanes that are shown even when empty, because the robot has these parts, and so that the strip does not jump. */
const ALWAYS = new Set<string>(['base', 'arms', 'head']);

/** Returns the body parts that an action moves, as lanes. An action that moves none has its own lane. */
function lanesOf({ kind, name }: Pick<ActionView, 'kind' | 'name'>): readonly string[] {
  if (kind === 'capture') return ['pictures'];
  const uses: readonly string[] = isSkillName(name) ? SKILLS[name].uses : [];
  return uses.length > 0 ? uses : ['other'];
}

/**
 * Returns actions as bars over time.
 * @param actions newest first
 * @param nowMs the right edge, milliseconds since the epoch
 * @param spanMs length of the shown time
 * @param robot the robot's words, which name the lane of its arms
 */
export function timelineLanes(
  actions: readonly ActionView[],
  kind: LaneKind,
  nowMs: number,
  spanMs: number,
  participants: readonly ParticipantView[] = [],
  { arms }: Pick<RobotWords, 'arms'> = HUMANOID.words,
): readonly Lane[] {
  const startMs = nowMs - spanMs;
  const share = (atMs: number) => clamp((atMs - startMs) / spanMs, 0, 1);
  const lanes = new Map<string, Lane & { bars: LaneBar[] }>();
  const lane = (id: string, label: string) => {
    const known = lanes.get(id) ?? { id, label, bars: [] };
    lanes.set(id, known);
    return known;
  };
  if (kind === 'body') for (const [id, label] of BODY_LANES) lane(id, id === 'arms' ? capitalise(arms) : label);
  for (const action of actions.toReversed()) {
    const endMs = action.finishedAtMs ?? nowMs;
    if (endMs < startMs || action.startedAtMs > nowMs) continue;
    const bar = { action, from: share(action.startedAtMs), to: share(endMs) };
    if (kind === 'caller') lane(callerKey(action.caller), callerName(action.caller, participants)).bars.push(bar);
    else for (const id of lanesOf(action)) lanes.get(id)?.bars.push(bar);
  }
  return [...lanes.values()].filter(({ id, bars }) => bars.length > 0 || (kind === 'body' && ALWAYS.has(id)));
}

/** Describes the strip in one sentence, for people who cannot see it. */
export function timelineText(lanes: readonly Lane[], spanMs: number): string {
  const actions = new Set(lanes.flatMap(({ bars }) => bars.map(({ action }) => action)));
  const minutes = counted(Math.round(spanMs / 60_000), 'minute');
  const within = `in the last ${minutes === '1 minute' ? 'minute' : minutes}`;
  if (actions.size === 0) return `Nothing was done ${within}.`;
  const outcomes = [...actions].map(outcomeOfAction);
  const byOutcome = (Object.keys(OUTCOME_TEXTS) as Outcome[])
    .map((outcome) => ({ outcome, count: outcomes.filter((each) => each === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${OUTCOME_TEXTS[outcome].toLowerCase()}`);
  return `${counted(actions.size, 'action')} ${within}: ${byOutcome.join(', ')}.`;
}

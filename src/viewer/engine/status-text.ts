import { isRcwSkillName, RCW_SKILLS } from '../../protocol/wire/rcw-skills.ts';
import type { RobotWords } from '../../protocol/wire/robot.ts';
import { robotModel } from '../../protocol/wire/robots.ts';
import { isSkillName, skillWords } from '../../protocol/wire/skills.ts';
import type { ControlState } from '../../protocol/wire/state.ts';
import type { LoadingPart, ViewerState } from './types.ts';

type Facts = Pick<ViewerState, 'phase' | 'loading' | 'runtime' | 'actions' | 'robotKind'>;

/** Returns the robot's activity in plain words: "Ready", "Walking to pad_B · 3.2 m left", "Holding cube_4". */
export function statusText({ phase, loading, runtime, actions, robotKind }: Facts): string {
  if (phase === 'gate') return '';
  if (phase === 'loading' || !runtime) return loadingText(loading);
  const { control } = runtime.robot.extra;
  if (runtime.robot.extra.emergency_stop || control?.emergency_stop) return 'Emergency stop';
  const lasting = control && rcwText(control);
  if (lasting) return lasting;
  const active = runtime.runtime.active_action;
  if (active) {
    const input = actions.find((action) => action.actionId === active.action_id)?.input;
    return [
      activity(active.name, input, robotModel(robotKind).words),
      howFar(active.name, active.phase, runtime.robot.extra.nav.remaining_m),
    ]
      .filter(Boolean)
      .join(' · ');
  }
  const held = runtime.robot.held_entity_ids;
  if (held.length > 0) return `Holding ${held.join(', ')}`;
  switch (runtime.robot.status) {
    case 'moving':
      return 'Moving';
    case 'fallen':
      return 'Fallen';
    case 'error':
      return 'Not working';
    default:
      return 'Ready';
  }
}

/** Returns the lasting state in the physical robot's contract, which is not an action and continues until a caller ends it. */
function rcwText({ velocity_holds, upper_body }: ControlState): string | null {
  const parts = [velocity_holds && 'Driving until stopped', ARMS_TEXT[upper_body.mode]].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' · ');
}

const ARMS_TEXT = { policy: null, trajectory: 'Arms follow poses', damp: 'Arms limp' } as const;

function loadingText(loading: readonly LoadingPart[]): string {
  const part = loading.find(({ done }) => !done);
  if (!part) return 'Ready';
  return part.problem ?? `Loading: ${part.label.toLowerCase()}, ${Math.floor(part.fraction * 100)} %`;
}

/** Returns the activity of a robot that runs this skill: "Walking to pad_B", or "Walking" if the input is unknown. */
export function activity(name: string, input: unknown, robot: RobotWords): string {
  const target = targetName(input);
  const doing = isRcwSkillName(name) ? RCW_SKILLS[name].doing : isSkillName(name) ? skillWords(name, robot).doing : null;
  if (!doing) return name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
  return target && doing.before ? `${doing.before} ${target}` : doing.alone;
}

function howFar(name: string, phase: string, remainingM: number | undefined): string {
  if (name === 'go_to' && remainingM !== undefined) return `${remainingM.toFixed(1)} m left`;
  return name === 'pick_entity' || name === 'place_entity' ? phase : '';
}

function targetName(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('target' in input)) return null;
  const target = input.target as { kind?: string; entity_id?: string; pad_id?: string; pose?: { position?: readonly number[] } };
  if (target?.kind === 'entity') return target.entity_id ?? null;
  if (target?.kind === 'slot') return target.pad_id ?? null;
  const [x, y] = target?.pose?.position ?? [];
  return x === undefined || y === undefined ? null : `(${x.toFixed(1)}, ${y.toFixed(1)})`;
}

import type { ActionView, ViewerState } from '../../engine/types.ts';

/** Returns running skills, oldest first. Pictures are left out, because they move nothing. */
export const runningSkills = (actions: readonly ActionView[]): readonly ActionView[] =>
  actions.filter((action) => action.status === 'running' && action.kind === 'tool').toReversed();

/** Returns whether anything moves or is about to. The stop button is then available. */
export function somethingMoves({ actions, runtime }: Pick<ViewerState, 'actions' | 'runtime'>): boolean {
  if (actions.some((action) => action.status === 'running' && action.kind === 'tool')) return true;
  if (!runtime) return false;
  const { vx, vy, wz } = runtime.robot.extra.command;
  return runtime.robot.status === 'moving' || vx !== 0 || vy !== 0 || wz !== 0;
}

export type Tone = 'quiet' | 'good' | 'active' | 'warn' | 'bad';

/** Returns the colour of the state pill. The engine supplies its words. */
export function stateTone(state: Pick<ViewerState, 'phase' | 'actions' | 'runtime'>): Tone {
  if (state.phase !== 'live' || !state.runtime) return 'quiet';
  const { runtime, robot } = state.runtime;
  const control = robot.extra.control;
  if (robot.extra.emergency_stop || control?.emergency_stop) return 'bad';
  if (control?.upper_body.mode === 'damp') return 'warn';
  if (runtime.status === 'error' || robot.status === 'error' || robot.status === 'fallen') return 'bad';
  if (somethingMoves(state)) return 'active';
  return robot.status === 'unknown' ? 'warn' : 'good';
}

import type { StatusLight } from '../../../../stage/types.ts';
import type { ViewerState, Visit } from '../../../engine/types.ts';
import { somethingMoves } from '../../common/motion.ts';
import { outcomeOfAction } from '../../common/outcomes.ts';

/** How long the robot's lights show a failure, unless something else begins. */
const FAILED_FOR_MS = 12_000;

/** Returns the state that the robot's lights show. @param nowMs milliseconds since the epoch */
export function statusLightOf(
  state: Pick<ViewerState, 'phase' | 'actions' | 'runtime'> & Partial<Pick<ViewerState, 'visit'>>,
  nowMs: number,
): StatusLight {
  if (state.visit) return lightOfVisit(state.visit);
  if (state.phase !== 'live' || !state.runtime) return 'idle';
  const { runtime, robot } = state.runtime;
  if (runtime.status === 'error' || robot.status === 'error' || robot.status === 'fallen') return 'failed';
  if (somethingMoves(state)) return 'working';
  const last = state.actions.find(({ kind }) => kind === 'tool');
  const isFresh = last?.finishedAtMs != null && nowMs - last.finishedAtMs < FAILED_FOR_MS;
  return last && isFresh && outcomeOfAction(last) === 'failed' ? 'failed' : 'idle';
}

function lightOfVisit({ status }: Visit): StatusLight {
  if (!status) return 'idle';
  if (status.robot === 'error' || status.robot === 'fallen') return 'failed';
  return status.action !== null || status.robot === 'moving' ? 'working' : 'idle';
}

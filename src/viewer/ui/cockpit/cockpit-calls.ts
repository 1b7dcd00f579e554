import { type ActionResult, actionResultSchema, guardSchema } from '../../../protocol/wire/action.ts';
import type { HandMark } from '../../../protocol/wire/caller.ts';
import type { RuntimeError } from '../../../protocol/wire/error-codes.ts';
import { type ControlState, runtimeStateSchema } from '../../../protocol/wire/state.ts';
import { driveActionId } from '../../engine/drive-actions.ts';
import type { Engine } from '../../engine/types.ts';
import type { DriveVelocity } from '../drive/drive-core.ts';
import type { ArmPose } from './arm-pose.ts';

/** The outcome of one call to the robot. */
export type CallAnswer =
  | { ok: true; meta: ActionResult['meta'] }
  /** `error` is null when no readable reply arrived. */
  | { ok: false; error: RuntimeError | null; text: string };

/** The cockpit's calls to the robot. None of them throws. */
export interface CockpitCalls {
  setVelocity(velocity: DriveVelocity, stroke: { id: string; number: number }): Promise<CallAnswer>;
  stop(actionId: string): Promise<CallAnswer>;
  setUpperBody(pose: ArmPose): Promise<CallAnswer>;
  /** Reads the current state; null when the robot does not report it. */
  control(): Promise<ControlState | null>;
}

/**
 * Creates the calls. @param onRoundTrip called with the duration of each call, milliseconds; not for `stop`, which answers when
 * the robot is at a standstill
 */
export function createCockpitCalls(
  engine: Pick<Engine, 'call'>,
  nowMs: () => number,
  onRoundTrip: (tookMs: number) => void,
): CockpitCalls {
  async function skill(name: string, input: object, actionId?: string, stroke: HandMark['stroke'] = null): Promise<CallAnswer> {
    const options = actionId === undefined ? {} : { options: { action_id: actionId } };
    return readAnswer(await engine.call('runtime.tools_call', { name, input, ...options }, { stroke }).catch(() => null));
  }
  async function timed<T>(call: Promise<T>): Promise<T> {
    const startMs = nowMs();
    const answer = await call;
    onRoundTrip(nowMs() - startMs);
    return answer;
  }
  return {
    setVelocity: ({ vx, vy, wz }, stroke) =>
      timed(skill('set_velocity', { vx, vy, vyaw: wz }, driveActionId(stroke.id, stroke.number), stroke)),
    stop: (actionId) => skill('stop', {}, actionId),
    setUpperBody: ({ r_arm, l_arm }) => timed(skill('set_upper_body', { r_arm, l_arm })),
    async control() {
      const reply = await timed(engine.call('runtime.state', {}).catch(() => null));
      return runtimeStateSchema.safeParse(reply).data?.robot.extra.control ?? null;
    },
  };
}

function readAnswer(reply: unknown): CallAnswer {
  const result = actionResultSchema.safeParse(reply).data;
  if (result?.status === 'done') return { ok: true, meta: result.meta };
  const error = result?.error ?? guardSchema.safeParse(reply).data?.error ?? null;
  return { ok: false, error, text: error?.message ?? 'The robot gave no answer that this page can read.' };
}

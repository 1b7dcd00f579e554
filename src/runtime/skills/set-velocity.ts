import { wrapRad } from '../../protocol/geometry.ts';
import { MAX_ANGULAR_RPS, MAX_LINEAR_MPS, STEPS_PER_SECOND } from '../../protocol/limits.ts';
import * as portable from '../../protocol/portable-math.ts';
import type { SkillInput } from '../../protocol/skills.ts';
import * as base from '../../simulation/base.ts';
import type { SkillRun } from '../action-entry.ts';
import type { RuntimeCore } from '../core.ts';
import { holdingBack } from './blocking.ts';
import { straightenUp } from './posture.ts';
import { SETTLE_STEPS, type SkillContext, type SkillModule, settle, steps } from './skill.ts';
import { notStopped } from './standing.ts';

type Input = SkillInput<'set_velocity'>;

const STILL = { vx: 0, vy: 0, wz: 0 };
/** A robot pushed by something heavier would never settle; then the answer says what is the case. */
const SETTLE_WITHIN_S = 5;
const SETTLE_WITHIN_STEPS = steps(SETTLE_WITHIN_S);
/** Pressing against something for this long is being blocked; a brush along a rack is not. */
const BLOCKED_STEPS = steps(0.1);

const isZero = ({ vx, vy, wz }: Pick<Input, 'vx' | 'vy' | 'wz'>): boolean => vx === 0 && vy === 0 && wz === 0;
const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value)) || 0;

export const setVelocity: SkillModule<'set_velocity'> = {
  keepsArms: isZero,
  takesOver: (input) => (entry) => isZero(input) || entry.name === 'go_to' || entry.name === 'set_velocity',
  run: drive,
};

function* drive(ctx: SkillContext, input: Input): SkillRun {
  const { core } = ctx;
  const { world } = core;
  const applied = {
    vx: clamp(input.vx, MAX_LINEAR_MPS),
    vy: clamp(input.vy, MAX_LINEAR_MPS),
    wz: clamp(input.wz, MAX_ANGULAR_RPS),
  };
  const from = base.pose(world);
  const durationSteps = isZero(applied) ? 0 : Math.round(input.duration_s * STEPS_PER_SECOND);
  const pressed = new Map<string, number>();
  if (!isZero(applied)) core.recovery ??= straightenUp(ctx);
  try {
    ctx.phase(isZero(applied) ? 'stopping' : 'driving');
    for (let step = 0; step < durationSteps; step += 1) {
      base.setCommand(world, applied);
      goOnRecovering(core);
      ctx.progress(step / STEPS_PER_SECOND, input.duration_s, 's');
      yield;
      const blocker = holdingBack(world);
      if (blocker !== null) pressed.set(blocker, (pressed.get(blocker) ?? 0) + 1);
    }
  } finally {
    base.setCommand(world, STILL);
  }
  ctx.phase('stopping');
  // The arms' own motion belongs to the drive and ends with it.
  while (goOnRecovering(core)) yield;
  const stands = core.stillSteps >= SETTLE_STEPS || (yield* settle(() => base.isStopped(world), SETTLE_WITHIN_STEPS));
  const moved = movedSince(from, base.pose(world));
  if (!stands) return { ok: false, error: notStopped(world, ['base'], SETTLE_WITHIN_S, { applied, moved }) };

  const blockedBy = longestPressed(pressed);
  const clamped = applied.vx !== input.vx || applied.vy !== input.vy || applied.wz !== input.wz;
  return {
    ok: true,
    result: { applied, moved, ...(blockedBy === null ? {} : { blocked_by: blockedBy }) },
    ...(clamped
      ? { degraded: true, note: `Clamped to ${MAX_LINEAR_MPS} m/s and ${MAX_ANGULAR_RPS} rad/s; see result.applied.` }
      : {}),
  };
}

/** Astray arms come back beside the drive. Drives that relieve each other many times a second go on with one and the same way back. */
function goOnRecovering(core: RuntimeCore): boolean {
  if (core.recovery?.next().done) core.recovery = null;
  return core.recovery !== null;
}

function longestPressed(pressed: ReadonlyMap<string, number>): string | null {
  let longest: string | null = null;
  let most = BLOCKED_STEPS - 1;
  for (const [id, count] of pressed) {
    if (count <= most) continue;
    longest = id;
    most = count;
  }
  return longest;
}

/** Displacement in the body frame of the start: metres forward and left, radians turned left. */
function movedSince(
  from: ReturnType<typeof base.pose>,
  to: ReturnType<typeof base.pose>,
): { dx: number; dy: number; dyaw: number } {
  const [cos, sin] = [portable.cos(from.yawRad), portable.sin(from.yawRad)];
  const [x, y] = [to.x - from.x, to.y - from.y];
  return { dx: cos * x + sin * y, dy: cos * y - sin * x, dyaw: wrapRad(to.yawRad - from.yawRad) };
}

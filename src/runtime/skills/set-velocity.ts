import { withinLimit } from '../../common/clamp.ts';
import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import {
  MAX_ANGULAR_RPS,
  MAX_ANGULAR_RPS2,
  MAX_LINEAR_MPS,
  MAX_LINEAR_MPS2,
  STEPS_PER_SECOND,
} from '../../protocol/wire/limits.ts';
import { type SkillInput, skillSpecOf } from '../../protocol/wire/skills.ts';
import * as base from '../../simulation/base.ts';
import type { BodyVelocity, SimWorld } from '../../simulation/sim-world.ts';
import type { SkillRun } from '../action-entry.ts';
import type { RuntimeCore } from '../core.ts';
import { holdingBack } from './blocking.ts';
import { straightenUp } from './posture.ts';
import { SETTLE_STEPS, type SkillContext, type SkillModule, settle, steps } from './skill.ts';
import { notStopped } from './standing.ts';

type Input = SkillInput<'set_velocity'>;

const STILL = { vx: 0, vy: 0, wz: 0 };
/** A robot that something heavier pushes would never settle; the answer then states the facts. */
const SETTLE_WITHIN_S = 5;
const SETTLE_WITHIN_STEPS = steps(SETTLE_WITHIN_S);
/** The base counts as blocked when it presses against something for this long; a brush along a rack is shorter. */
const BLOCKED_STEPS = steps(0.1);

/** A velocity or duration that asks for less than this leads to no motion anyway. */
const NOTICEABLE_M = 0.005;
const NOTICEABLE_RAD = 0.01;
/** The share of the requested motion below which it counts as no motion; the base's sway is less. */
const NOTHING = 0.02;

const isZero = ({ vx, vy, wz }: Pick<Input, 'vx' | 'vy' | 'wz'>): boolean => vx === 0 && vy === 0 && wz === 0;

export const setVelocity: SkillModule<'set_velocity'> = {
  keepsArms: isZero,
  takesOver: (input) => (entry) => isZero(input) || skillSpecOf(entry.name)?.givesWayToDriving === true,
  run: drive,
};

function* drive(ctx: SkillContext, input: Input): SkillRun {
  const { core } = ctx;
  const { world } = core;
  const applied = {
    vx: withinLimit(input.vx, MAX_LINEAR_MPS),
    vy: withinLimit(input.vy, MAX_LINEAR_MPS),
    wz: withinLimit(input.wz, MAX_ANGULAR_RPS),
  };
  const from = base.pose(world);
  const durationSteps = isZero(applied) ? 0 : Math.round(input.duration_s * STEPS_PER_SECOND);
  const pressed = new Map<string, number>();
  const way = createWay(from);
  if (!isZero(applied)) core.recovery ??= straightenUp(ctx);
  try {
    ctx.phase(isZero(applied) ? 'stopping' : 'driving');
    for (let step = 0; step < durationSteps; step += 1) {
      base.setCommand(world, applied);
      goOnRecovering(core);
      ctx.progress(step / STEPS_PER_SECOND, input.duration_s, 's');
      yield;
      way.goOn(base.pose(world));
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
  way.goOn(base.pose(world));
  const moved = movedSince(from, base.pose(world));
  if (!stands) return { ok: false, error: notStopped(world, ['base'], SETTLE_WITHIN_S, { applied, moved }) };

  const cameToNothing = way.isNothingOf(applied, durationSteps / STEPS_PER_SECOND);
  const blockedBy = longestPressed(pressed, cameToNothing ? 1 : BLOCKED_STEPS) ?? (cameToNothing ? touched(world) : null);
  if (cameToNothing && blockedBy === null) return { ok: false, error: errors.didNotMove(input.duration_s, { applied, moved }) };
  const clamped = applied.vx !== input.vx || applied.vy !== input.vy || applied.wz !== input.wz;
  return {
    ok: true,
    result: { applied, moved, ...(blockedBy === null ? {} : { blocked_by: blockedBy }) },
    ...(clamped
      ? { degraded: true, note: `Clamped to ${MAX_LINEAR_MPS} m/s and ${MAX_ANGULAR_RPS} rad/s; see result.applied.` }
      : {}),
  };
}

/**
 * Continues bringing the arms back during the drive. Drives that replace each other many times a second share one such motion.
 */
function goOnRecovering(core: RuntimeCore): boolean {
  if (core.recovery?.next().done) core.recovery = null;
  return core.recovery !== null;
}

/** Returns what touches the base, for a base that could not move and pressed against nothing in its way: it is wedged in. */
const touched = (world: SimWorld): string | null => base.contacts(world)[0]?.id ?? null;

/** Sums up how far the base moved and turned, to compare with what its drive does within its limits on a free floor. */
function createWay(from: PlanarPose) {
  let last = from;
  let lengthM = 0;
  let turnedRad = 0;
  return {
    goOn(at: PlanarPose): void {
      lengthM += portable.hypot(at.x - last.x, at.y - last.y);
      turnedRad += Math.abs(wrapRad(at.yawRad - last.yawRad));
      last = at;
    },
    isNothingOf({ vx, vy, wz }: BodyVelocity, durationS: number): boolean {
      const wantedM = distanceAfter(portable.hypot(vx, vy), MAX_LINEAR_MPS2, durationS);
      const wantedRad = distanceAfter(Math.abs(wz), MAX_ANGULAR_RPS2, durationS);
      const [isWay, isTurn] = [wantedM > NOTICEABLE_M, wantedRad > NOTICEABLE_RAD];
      return (isWay || isTurn) && !(isWay && lengthM > NOTHING * wantedM) && !(isTurn && turnedRad > NOTHING * wantedRad);
    },
  };
}

/** Returns the distance covered from rest with a speed that is reached with an acceleration. */
function distanceAfter(speed: number, acceleration: number, durationS: number): number {
  const untilS = Math.min(durationS, speed / acceleration);
  return (acceleration * untilS * untilS) / 2 + speed * (durationS - untilS);
}

function longestPressed(pressed: ReadonlyMap<string, number>, leastSteps: number): string | null {
  let longest: string | null = null;
  let most = leastSteps - 1;
  for (const [id, count] of pressed) {
    if (count <= most) continue;
    longest = id;
    most = count;
  }
  return longest;
}

/** Returns the displacement in the body frame of the start: metres forward and left, radians turned left. */
function movedSince(
  from: ReturnType<typeof base.pose>,
  to: ReturnType<typeof base.pose>,
): { dx: number; dy: number; dyaw: number } {
  const [cos, sin] = [portable.cos(from.yawRad), portable.sin(from.yawRad)];
  const [x, y] = [to.x - from.x, to.y - from.y];
  return { dx: cos * x + sin * y, dy: cos * y - sin * x, dyaw: wrapRad(to.yawRad - from.yawRad) };
}

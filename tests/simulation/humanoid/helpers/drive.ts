import type { PlanarPose } from '../../../../src/protocol/wire/geometry.ts';
import { MAX_ANGULAR_RPS2, MAX_LINEAR_MPS2, STEP_S } from '../../../../src/protocol/wire/limits.ts';
import { type BodyState, createBody, stepBody } from '../../../../src/simulation/humanoid/body.ts';

/** A commanded velocity in the body frame, held for some time. */
export interface DriveLeg {
  vx?: number;
  vy?: number;
  wz?: number;
  forS: number;
}

/** A base as an ideal drive would move it: acceleration-limited, without obstacles. */
export interface Drive {
  base: PlanarPose;
  velocity: { vx: number; vy: number; wz: number };
}

export const standingDrive = (base: PlanarPose = { x: 0, y: 0, yawRad: 0 }): Drive => ({
  base: { ...base },
  velocity: { vx: 0, vy: 0, wz: 0 },
});

const towards = (from: number, to: number, most: number): number => from + Math.max(-most, Math.min(most, to - from));

/** One step of the base towards a commanded velocity. */
export function stepDrive(drive: Drive, command: { vx: number; vy: number; wz: number }): void {
  const { base, velocity } = drive;
  velocity.vx = towards(velocity.vx, command.vx, MAX_LINEAR_MPS2 * STEP_S);
  velocity.vy = towards(velocity.vy, command.vy, MAX_LINEAR_MPS2 * STEP_S);
  velocity.wz = towards(velocity.wz, command.wz, MAX_ANGULAR_RPS2 * STEP_S);
  base.yawRad += velocity.wz * STEP_S;
  const c = Math.cos(base.yawRad);
  const s = Math.sin(base.yawRad);
  base.x += (c * velocity.vx - s * velocity.vy) * STEP_S;
  base.y += (s * velocity.vx + c * velocity.vy) * STEP_S;
}

/** One step of a body on a base that an ideal drive has just moved. */
export const stepWith = (body: BodyState, { base, velocity }: Drive): void =>
  stepBody(body, { base, velocityBody: velocity, obstacles: [], isHolding: false, dtS: STEP_S });

/** Drives a body along a script; `each` sees it after every step. */
export function drive(script: readonly DriveLeg[], each: (body: BodyState, drive: Drive) => void, start?: PlanarPose): BodyState {
  const state = standingDrive(start);
  const body = createBody(state.base);
  for (const leg of script) {
    const command = { vx: leg.vx ?? 0, vy: leg.vy ?? 0, wz: leg.wz ?? 0 };
    for (let i = 0; i < Math.round(leg.forS / STEP_S); i += 1) {
      stepDrive(state, command);
      stepWith(body, state);
      each(body, state);
    }
  }
  return body;
}

/** Steps a body that stands still. */
export function stand(body: BodyState, forS: number, each: (body: BodyState) => void = () => {}): void {
  for (let i = 0; i < Math.round(forS / STEP_S); i += 1) {
    stepBody(body, {
      base: { ...body.base },
      velocityBody: { vx: 0, vy: 0, wz: 0 },
      obstacles: [],
      isHolding: false,
      dtS: STEP_S,
    });
    each(body);
  }
}

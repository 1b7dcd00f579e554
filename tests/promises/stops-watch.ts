import { JOINTS } from '../../src/protocol/robots/humanoid.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { apart, planar, readTruth, type Truth, wrap } from '../oracle/truth.ts';
import type { TestRuntime } from '../runtime/test-runtime.ts';

/** The robot's motion in one step: metres and radians a second, from one step to the next. */
export interface Motion {
  step: number;
  /** Of the rigid body, as physics has it. */
  linearMps: number;
  yawRateRps: number;
  /** Of the faster palm, in the world. */
  palmMps: number;
  headRps: number;
}

/** The palms and the head, in addition to the truth. */
interface Limbs {
  palms: readonly { x: number; y: number; z: number }[];
  headRad: readonly number[];
}

export interface Sight extends Limbs {
  truth: Truth;
}

/** Steps a runtime one by one and records how the robot moved in each of them. */
export interface Watch {
  readonly motions: Motion[];
  now(): Sight;
  step(steps?: number): void;
  /** Steps until a condition is true, up to a maximum; returns the steps it took. */
  stepUntil(condition: () => boolean, atMost: number): number;
}

const HEAD_JOINTS = JOINTS.flatMap(({ name }, index) => (name.startsWith('head') ? [index] : []));

function see(t: TestRuntime, before: Truth | null): Sight {
  const { palms } = humanoidOf(t.core.world);
  const truth = readTruth(t.core, before);
  return {
    truth,
    palms: [palms.right, palms.left].map(({ position: [x, y, z] }) => ({ x, y, z })),
    headRad: HEAD_JOINTS.map((index) => truth.robot.jointPositions[index] ?? 0),
  };
}

export function createWatch(t: TestRuntime): Watch {
  let seen = see(t, null);
  const watch: Watch = {
    motions: [],
    now: () => seen,
    step(steps = 1) {
      for (let i = 0; i < steps; i += 1) {
        t.advance();
        const next = see(t, seen.truth);
        watch.motions.push({
          step: next.truth.step,
          linearMps: next.truth.robot.linearMps,
          yawRateRps: next.truth.robot.yawRateRps,
          palmMps: palmsApart(next, seen) * 120,
          headRps: headApart(next, seen) * 120,
        });
        seen = next;
      }
    },
    stepUntil(condition, atMost) {
      let steps = 0;
      while (!condition() && steps < atMost) {
        watch.step();
        steps += 1;
      }
      return steps;
    },
  };
  return watch;
}

export const palmsApart = (a: Limbs, b: Limbs): number =>
  Math.max(...a.palms.map((palm, side) => apart(palm, b.palms[side] ?? palm)));
export const headApart = (a: Limbs, b: Limbs): number =>
  Math.max(...a.headRad.map((rad, axis) => Math.abs(rad - (b.headRad[axis] ?? rad))));
export const baseApart = (a: Sight, b: Sight): { metres: number; radians: number } => ({
  metres: planar(a.truth.robot, b.truth.robot),
  radians: Math.abs(wrap(a.truth.robot.yawRad - b.truth.robot.yawRad)),
});

/** The same palms as seen from the base, metres: walking carries the hands without moving them. */
export function handsMoved(a: Sight, b: Sight): number {
  const inBase = ({ truth: { robot }, palms }: Sight) =>
    palms.map(({ x, y, z }) => {
      const [dx, dy] = [x - robot.x, y - robot.y];
      const [cos, sin] = [Math.cos(robot.yawRad), Math.sin(robot.yawRad)];
      return { x: cos * dx + sin * dy, y: cos * dy - sin * dx, z };
    });
  return palmsApart({ palms: inBase(a), headRad: [] }, { palms: inBase(b), headRad: [] });
}

/** The maximum motion of a cube between two readings that is independent of the belt, metres. */
export function cubesMoved(a: Sight, b: Sight): number {
  let most = 0;
  for (const [id, then] of a.truth.things) {
    const now = b.truth.things.get(id);
    if (!now) return Number.POSITIVE_INFINITY;
    const isBeltsWay = Math.abs(now.x - then.x) < 0.003 && now.y < then.y && Math.abs(now.z - then.z) < 0.003;
    if (!isBeltsWay) most = Math.max(most, apart(now, then));
  }
  return most;
}

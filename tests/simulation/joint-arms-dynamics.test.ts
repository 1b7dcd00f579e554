import { describe, expect, it } from 'vitest';
import { JOINTS } from '../../src/protocol/robots/humanoid.ts';
import type { Vec3 } from '../../src/protocol/wire/geometry.ts';
import { armEquation, createEquation } from '../../src/simulation/humanoid/arm-dynamics.ts';
import { solveBounded } from '../../src/simulation/humanoid/bounded-solve.ts';
import { FRAME, FRAMES_LENGTH, updateFrames } from '../../src/simulation/humanoid/kinematics.ts';
import { setYawPitchFrame } from '../../src/simulation/rotation.ts';
import { createChance } from '../oracle/chance.ts';
import { type Matrix4, multiply, rotation, translation } from './humanoid/helpers/oracle.ts';
import { armJoints, biasTorques, massMatrix, SIDES } from './joint-arms-oracle.ts';

/** A pose of trunk and arm, and the motion of both; only the torso matters to the arm. */
function scene(seed: number, trunkMoves: boolean) {
  const chance = createChance(seed);
  const side = chance.oneOf(SIDES);
  const [yaw, pitch] = [chance.between(-3, 3), chance.between(-0.2, 1)];
  const origin: Vec3 = [chance.between(-4, 4), chance.between(-4, 4), chance.between(0.4, 0.7)];
  const rad = armJoints(side).map(({ minRad, maxRad }) => chance.between(minRad, maxRad));
  const rps = rad.map(() => chance.between(-6, 6));
  const vector = (most: number): [number, number, number] => {
    const one = (): number => (trunkMoves ? chance.between(-most, most) : 0);
    return [one(), one(), one()];
  };
  const motion = { velocity: vector(1.5), acceleration: vector(6), omega: vector(2), alpha: vector(6) };
  // By the body's own kinematics: a pelvis so that the torso is at the origin, the waist straight.
  const frames = new Float64Array(FRAMES_LENGTH);
  setYawPitchFrame(frames, 0, yaw, pitch, 0, 0, 0);
  const joints = new Float64Array(JOINTS.length);
  const first = side === 'right' ? 13 : 18;
  joints.set(rad, first);
  updateFrames(frames, joints);
  for (let row = 0; row < 3; row += 1) frames[9 + row] = origin[row] as number;
  updateFrames(frames, joints);
  const torsoOrigin: Vec3 = [0, 1, 2].map((row) => frames[FRAME.torso + 9 + row] ?? 0) as [number, number, number];
  const turned = multiply(rotation([0, 0, 1], yaw), rotation([0, 1, 0], pitch));
  const torsoAt = (t: number): Matrix4 => {
    const place = torsoOrigin.map((v, i) => v + (motion.velocity[i] ?? 0) * t + ((motion.acceleration[i] ?? 0) * t * t) / 2) as [
      number,
      number,
      number,
    ];
    const turn = motion.omega.map((w, i) => w * t + ((motion.alpha[i] ?? 0) * t * t) / 2) as [number, number, number];
    const angle = Math.hypot(...turn);
    const axis = turn.map((v) => v / (angle || 1)) as [number, number, number];
    return multiply(translation(place), multiply(rotation(axis, angle), turned));
  };
  const speeds = new Float64Array(10);
  speeds.set(rps, first - 13);
  const out = createEquation();
  armEquation(out, side === 'right' ? 0 : 1, frames, FRAME.torso, speeds, {
    acceleration: Float64Array.from(motion.acceleration),
    omega: Float64Array.from(motion.omega),
    alpha: Float64Array.from(motion.alpha),
  });
  return { side, rad, rps, torsoAt, equation: out };
}

const worstOff = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.max(...b.map((value, i) => Math.abs(value - (a[i] ?? Number.NaN))));

describe("the arms' equation of motion", () => {
  it('the equation has the mass matrix of kinetic energies by differences (seeds 1 to 25)', () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const { side, rad, torsoAt, equation } = scene(seed, false);
      expect(worstOff(equation.mass, massMatrix(side, torsoAt(0), rad).flat()), `seed ${seed}`).toBeLessThan(1e-7);
    }
  });

  it('the equation has the torques of Lagrange’s equation, trunk at rest (seeds 1 to 25)', () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const { side, rad, rps, torsoAt, equation } = scene(seed, false);
      expect(worstOff(equation.bias, biasTorques(side, torsoAt, rad, rps)), `seed ${seed}`).toBeLessThan(2e-4);
      const still = rad.map(() => 0);
      expect(worstOff(equation.gravity, biasTorques(side, torsoAt, rad, still)), `seed ${seed}`).toBeLessThan(1e-5);
    }
  });

  it('the equation has the torques while the trunk moves, turns and accelerates (seeds 101 to 125)', () => {
    for (let seed = 101; seed <= 125; seed += 1) {
      const { side, rad, rps, torsoAt, equation } = scene(seed, true);
      expect(worstOff(equation.bias, biasTorques(side, torsoAt, rad, rps)), `seed ${seed}`).toBeLessThan(2e-4);
    }
  });
});

describe('five unknowns within bounds', () => {
  const N = 5;
  /** Tries every way to hold some unknowns at their bounds: the one whose stops all push is the solution. */
  function exhaustively(A: number[][], b: number[], low: number[], high: number[]): number[] {
    for (let code = 0; code < 3 ** N; code += 1) {
      const held = b.map((_, i) => (Math.floor(code / 3 ** i) % 3) - 1);
      const bound = held.map((h, i) => (h < 0 ? (low[i] ?? 0) : (high[i] ?? 0)));
      const free = b.map((_, i) => i).filter((i) => held[i] === 0);
      const rows = free.map((i) => {
        const right = b.reduce((sum, _, j) => (held[j] === 0 ? sum : sum - (A[i]?.[j] ?? 0) * (bound[j] ?? 0)), b[i] ?? 0);
        return [...free.map((j) => A[i]?.[j] ?? 0), right];
      });
      const solved = gauss(rows);
      const x = bound.map((value, i) => (held[i] === 0 ? (solved[free.indexOf(i)] ?? Number.NaN) : value));
      const fine = x.every((value, i) => {
        if (held[i] === 0) return value >= (low[i] ?? 0) && value <= (high[i] ?? 0);
        const push = x.reduce((sum, v, j) => sum + (A[i]?.[j] ?? 0) * v, -(b[i] ?? 0));
        return push * (held[i] ?? 0) <= 0;
      });
      if (fine) return x;
    }
    throw new Error('There is no solution.');
  }

  function gauss(rows: number[][]): number[] {
    const n = rows.length;
    for (let c = 0; c < n; c += 1) {
      for (let r = 0; r < n; r += 1) {
        if (r === c) continue;
        const factor = (rows[r]?.[c] ?? 0) / (rows[c]?.[c] ?? 0);
        rows[r] = (rows[r] ?? []).map((v, k) => v - factor * (rows[c]?.[k] ?? 0));
      }
    }
    return rows.map((row, i) => (row[n] ?? 0) / (row[i] ?? 0));
  }

  it('five unknowns within bounds equal those of an exhaustive search for 300 random systems (seed 5)', () => {
    const chance = createChance(5);
    let bounded = 0;
    for (let n = 0; n < 300; n += 1) {
      const root = Array.from({ length: N }, () => Array.from({ length: N }, () => chance.between(-1, 1)));
      const A = root.map((row, i) =>
        root.map((other, j) => row.reduce((sum, v, k) => sum + v * (other[k] ?? 0), i === j ? 0.05 : 0)),
      );
      const b = root.map(() => chance.between(-3, 3));
      const low = root.map(() => (chance.happens(0.2) ? 0 : chance.between(-2, 0)));
      const high = root.map(() => (chance.happens(0.2) ? 0 : chance.between(0, 2)));
      const x = new Float64Array(N);
      solveBounded(Float64Array.from(A.flat()), Float64Array.from(b), Float64Array.from(low), Float64Array.from(high), x);
      const expected = exhaustively(A, b, low, high);
      expect(worstOff(x, expected), `system ${n}`).toBeLessThan(1e-8);
      if (expected.some((value, i) => value === low[i] || value === high[i])) bounded += 1;
    }
    expect(bounded).toBeGreaterThan(150);
  });
});

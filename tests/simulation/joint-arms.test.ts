import { describe, expect, it } from 'vitest';
import { STEP_S } from '../../src/protocol/wire/limits.ts';
import { linkPoses } from '../../src/simulation/humanoid/body.ts';
import * as joints from '../../src/simulation/humanoid/joint-arms.ts';
import * as manipulator from '../../src/simulation/humanoid/manipulator.ts';
import { restingAt } from '../../src/simulation/motion.ts';
import { createChance } from '../oracle/chance.ts';
import { stand, standingDrive, stepDrive, stepWith } from './humanoid/helpers/drive.ts';
import { watchJoints } from './humanoid/helpers/watch.ts';
import { clearanceM, SIDES } from './joint-arms-oracle.ts';
import {
  clearPose,
  clearStep,
  clearWay,
  energyOf,
  fastestRps,
  isClear,
  putArms,
  SPECS,
  STANDING,
  standing,
  within,
  worstOff,
} from './joint-arms-poses.ts';

describe('commanded arms', () => {
  it('commanded arms are within a hundredth of a radian of any free pose within their ranges after a second (seeds 1 to 20)', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const chance = createChance(seed);
      const body = standing();
      const { from, target } = clearWay(chance);
      putArms(body, from);
      joints.command(body, target);
      stand(body, 1);
      expect(joints.mode(body)).toBe('trajectory');
      expect(worstOff(body, target), `seed ${seed}`).toBeLessThan(0.01);
      stand(body, 1);
      expect(worstOff(body, target), `seed ${seed}`).toBeLessThan(1e-5);
      expect(joints.isMoving(body)).toBe(false);
    }
  });

  it('commanded arms move a step of 0.5 rad in one joint within half a second and never beyond 2 % of it (seeds 1 to 20)', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const chance = createChance(seed);
      const body = standing();
      const moved = chance.below(10);
      const spec = SPECS[moved] as (typeof SPECS)[number];
      const { from, sign } = clearStep(chance, moved, spec);
      const target = from.map((rad, i) => (i === moved ? rad + 0.5 * sign : rad));
      putArms(body, from);
      joints.command(body, target);
      let timeS = 0;
      let settledS = 0;
      stand(body, 1, () => {
        timeS += STEP_S;
        const beyond = ((joints.measuredRad(body)[moved] ?? 0) - (target[moved] ?? 0)) * sign;
        expect(beyond, `seed ${seed}, joint ${moved} after ${timeS} s`).toBeLessThan(0.01);
        if (worstOff(body, target) > 0.01) settledS = timeS;
      });
      expect(settledS, `seed ${seed}, joint ${moved}`).toBeGreaterThan(0.1);
      expect(settledS, `seed ${seed}, joint ${moved}`).toBeLessThan(0.5);
    }
  });

  it('commanded arms press against the stop for an angle beyond the range, and the other joints reach their targets exactly (seeds 1 to 10)', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const chance = createChance(seed);
      const body = standing();
      const watch = watchJoints();
      const beyond = (): number[] => {
        for (;;) {
          const wanted = clearPose(chance, 0.02);
          const [low, high] = [chance.below(5), 5 + chance.below(5)];
          wanted[low] = (SPECS[low]?.minRad ?? 0) - chance.oneOf([0.3, 4, 1e6]);
          wanted[high] = (SPECS[high]?.maxRad ?? 0) + chance.oneOf([0.3, 4, 1e6]);
          if (isClear(within(wanted), 0.06)) return wanted;
        }
      };
      const wanted = beyond();
      const reached = within(wanted);
      putArms(body, within(reached.map((rad) => rad + chance.between(-0.15, 0.15))));
      joints.command(body, wanted);
      stand(body, 1.5, watch.see);
      expect(worstOff(body, reached), `seed ${seed}`).toBeLessThan(1e-4);
      expect(watch.beyondLimitRad).toBeLessThanOrEqual(0);
      expect(joints.commandedRad(body)).toEqual(wanted);
    }
  });

  it('commanded arms hold their pose within 0.02 rad while the robot starts, walks, turns and stops', () => {
    const body = standing();
    const base = standingDrive();
    const pose = [-0.9, 0.3, 0.2, -1.1, 0.4, 0.9, -0.3, -0.2, 1.1, -0.4];
    joints.command(body, pose);
    stand(body, 1.5);
    let walked = 0;
    for (let i = 0; i < 720; i += 1) {
      stepDrive(base, i < 480 ? { vx: 0.9, vy: 0.1, wz: i > 200 ? 1 : 0 } : { vx: 0, vy: 0, wz: 0 });
      stepWith(body, base);
      expect(worstOff(body, pose), `step ${i}`).toBeLessThan(0.02);
      walked += base.velocity.vx * STEP_S;
    }
    expect(walked).toBeGreaterThan(2);
  });

  it('commanded arms reject anything but ten finite numbers, and every command while the hands are in a grip', () => {
    const body = standing();
    for (const bad of [[], STANDING.slice(1), [...STANDING, 0], STANDING.with(3, Number.NaN), STANDING.with(9, Infinity)])
      expect(() => joints.command(body, bad)).toThrow(RangeError);
    expect(joints.mode(body)).toBe('policy');
    expect(joints.commandedRad(body)).toBeNull();
    expect(manipulator.moveTo(body, { centre: [0.4, 0, 0.7], yawRad: 0, openingM: 0.3 })).toBe(true);
    for (const call of [() => joints.command(body, STANDING), () => joints.limp(body)]) expect(call).toThrow(/in a grip/);
    manipulator.stow(body);
    joints.command(body, STANDING);
    expect(joints.mode(body)).toBe('trajectory');
  });
});

describe('limp arms', () => {
  it('limp arms never gain energy, from any pose and at any speed (seeds 1 to 10)', () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const chance = createChance(seed);
      const body = standing();
      const rad = clearPose(chance, 0.02);
      putArms(
        body,
        rad,
        rad.map(() => (seed % 2 ? chance.between(-10, 10) : 0)),
      );
      joints.limp(body);
      let before = energyOf(body);
      const atFirst = before;
      for (let i = 0; i < 180; i += 1) {
        stand(body, STEP_S);
        const now = energyOf(body);
        expect(now - before, `seed ${seed}, step ${i}`).toBeLessThan(1e-6);
        before = now;
      }
      expect(before).toBeLessThan(atFirst - 0.5);
    }
  });

  it.each([
    { from: 'the standing pose', pose: [0.35, 0.18, 0, -0.87, 0] },
    { from: 'straight ahead', pose: [-1.5, 0.1, 0, -0.3, 0] },
    { from: 'the side', pose: [0, 1.5, 0, 0, 0] },
    { from: 'overhead', pose: [-2.6, 0.2, 0, -0.2, 0] },
  ])('limp arms fall from $from and hang still after two seconds and a half', ({ pose }) => {
    const body = standing();
    putArms(body, [...pose, ...pose.map((rad, i) => ([0, 1, 3].includes(i) ? -rad : rad))]);
    joints.limp(body);
    expect(joints.mode(body)).toBe('damp');
    stand(body, 0.5);
    expect(joints.isMoving(body)).toBe(true);
    stand(body, 2);
    expect(fastestRps(body)).toBeLessThan(0.05);
    for (const hanging of [0, 1, 3, 5, 6, 8]) expect(Math.abs(joints.measuredRad(body)[hanging] ?? 1)).toBeLessThan(0.03);
    // Both arms are mirror images of each other, to the last bit.
    const [right, left] = [joints.measuredRad(body).slice(0, 5), joints.measuredRad(body).slice(5)];
    expect(right.map((rad, i) => rad * ([0, 1, 3].includes(i) ? -1 : 1))[0]).toBeCloseTo(left[0] ?? 1, 12);
    stand(body, 20);
    expect(fastestRps(body)).toBe(0);
  });

  it('limp arms hang along gravity from a trunk that leans', () => {
    const body = standing();
    body.manipulator.posture.lean = restingAt(0.5);
    joints.limp(body);
    stand(body, 6);
    const poses = linkPoses(body);
    for (const side of SIDES) {
      const shoulder = poses.get(`${side}_shoulder_yaw_link`)?.position;
      const wrist = poses.get(`${side}_wrist_yaw_link`)?.position;
      if (!shoulder || !wrist) throw new Error('no arm');
      expect(shoulder[2] - wrist[2], side).toBeCloseTo(0.44, 4);
      expect(Math.hypot(shoulder[0] - wrist[0], shoulder[1] - wrist[1]), side).toBeLessThan(0.01);
    }
  });

  it('limp arms swing outward and in like the textbook’s damped pendulum', () => {
    // The straight arm about the roll axis: three weights on a rod, and the rotor.
    const parts = [
      { kg: 1.3, m: 0.115, acrossKgm2: (1.3 * (3 * 0.038 ** 2 + 0.19 ** 2)) / 12 },
      { kg: 0.9, m: 0.22 + 0.1, acrossKgm2: (0.9 * (3 * 0.035 ** 2 + 0.19 ** 2)) / 12 },
      { kg: 0.45, m: 0.44 + 0.05, acrossKgm2: (0.45 * (3 * 0.03 ** 2 + 0.1 ** 2)) / 12 },
    ];
    const inertia = parts.reduce((sum, { kg, m, acrossKgm2 }) => sum + kg * m * m + acrossKgm2, 0.01);
    const stiffness = parts.reduce((sum, { kg, m }) => sum + kg * m * 9.81, 0);
    const decay = 1.6 / (2 * inertia);
    const omega = Math.sqrt(stiffness / inertia - decay * decay);
    const body = standing();
    putArms(body, [0, 0.1, 0, 0, 0, 0, -0.1, 0, 0, 0]);
    joints.limp(body);
    let t = 0;
    stand(body, 1.5, () => {
      t += STEP_S;
      const expected = 0.1 * Math.exp(-decay * t) * (Math.cos(omega * t) + (decay / omega) * Math.sin(omega * t));
      expect(joints.measuredRad(body)[1], `${t} s`).toBeCloseTo(expected, 2.6);
      expect(Math.abs((joints.measuredRad(body)[1] ?? 0) - expected), `${t} s`).toBeLessThan(0.002);
    });
  });

  it('limp arms stop dead at their joints’ stops', () => {
    const body = standing();
    const watch = watchJoints();
    putArms(body, STANDING, [14, -14, 14, 14, -14, -14, 14, -14, -14, 14]);
    joints.limp(body);
    let atStop = 0;
    stand(body, 1, () => {
      watch.see(body);
      joints.measuredRad(body).forEach((rad, i) => {
        if (rad === SPECS[i]?.minRad || rad === SPECS[i]?.maxRad) atStop += 1;
      });
    });
    expect(watch.beyondLimitRad).toBeLessThanOrEqual(0);
    expect(atStop).toBeGreaterThan(10);
  });

  it('limp arms are left behind by a robot that starts, and swing on when it stops', () => {
    const body = standing();
    const base = standingDrive();
    joints.limp(body);
    stand(body, 4);
    let [back, forward] = [0, 0];
    for (let i = 0; i < 480; i += 1) {
      stepDrive(base, { vx: i < 240 ? 1 : 0, vy: 0, wz: 0 });
      stepWith(body, base);
      const pitch = joints.measuredRad(body)[0] ?? 0;
      if (i < 120) back = Math.max(back, pitch);
      else if (i >= 240) forward = Math.min(forward, pitch);
    }
    expect(back).toBeGreaterThan(0.05);
    expect(forward).toBeLessThan(-0.05);
  });
});

describe('arms and the rest of the body', () => {
  /** Maximum depth in trunk, head or thighs, or in the other arm, whose hands are measured only by their corners. */
  const DEPTH_M = 0.006;
  const ARMS_DEPTH_M = 0.03;

  it('arms never pass through trunk, head and thighs, and hardly into each other, sent anywhere and then released (seeds 1 to 12)', () => {
    let touched = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      const chance = createChance(seed);
      const body = standing();
      const see = (): void => {
        const { gapM, trunkM, pair } = clearanceM(body);
        expect(trunkM, `seed ${seed}: ${pair}`).toBeGreaterThan(-DEPTH_M);
        expect(gapM, `seed ${seed}: ${pair}`).toBeGreaterThan(-ARMS_DEPTH_M);
        if (trunkM < 0.008) touched += 1;
      };
      for (let n = 0; n < 3; n += 1) {
        joints.command(
          body,
          SPECS.map(({ minRad, maxRad }) => chance.between(minRad, maxRad)),
        );
        for (let i = 0; i < 15; i += 1) {
          stand(body, 4 * STEP_S);
          see();
        }
        joints.limp(body);
        for (let i = 0; i < 15; i += 1) {
          stand(body, 4 * STEP_S);
          see();
        }
      }
    }
    expect(touched).toBeGreaterThan(20);
  });

  it('a hand sent into the thigh stays at its side, and the servo keeps its strength', () => {
    const body = standing();
    const into = [0, -0.5, 0, -0.1, 0, 0, 0.5, 0, 0.1, 0];
    joints.command(body, into);
    stand(body, 4);
    expect(joints.measuredRad(body)[1]).toBeGreaterThan(-0.2);
    expect(fastestRps(body)).toBeLessThan(0.05);
    joints.command(body, STANDING);
    stand(body, 1.5);
    expect(worstOff(body, STANDING)).toBeLessThan(0.001);
  });

  it('limp arms stay out of legs that swing past them while the robot walks', () => {
    const body = standing();
    const base = standingDrive();
    joints.limp(body);
    for (let i = 0; i < 600; i += 1) {
      stepDrive(base, { vx: i < 400 ? 1.3 : 0, vy: 0, wz: i > 200 && i < 400 ? -1.5 : 0 });
      stepWith(body, base);
      if (i % 4 === 0) expect(clearanceM(body).trunkM, `step ${i}`).toBeGreaterThan(-0.01);
    }
  });
});

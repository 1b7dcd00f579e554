import { describe, expect, it } from 'vitest';
import { STEP_S } from '../../src/protocol/wire/limits.ts';
import { type BodyState, serialise } from '../../src/simulation/humanoid/body.ts';
import * as joints from '../../src/simulation/humanoid/joint-arms.ts';
import * as manipulator from '../../src/simulation/humanoid/manipulator.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { createChance } from '../oracle/chance.ts';
import { stand, standingDrive, stepDrive, stepWith } from './humanoid/helpers/drive.ts';
import { gripErrorM } from './humanoid/helpers/grip-error.ts';
import { watchJoints } from './humanoid/helpers/watch.ts';
import { SPECS, STANDING, standing } from './joint-arms-poses.ts';
import { step, withWorld } from './test-world.ts';

describe('changes of the controller of the arms', () => {
  it('changes of the controller never make an angle jump, walking or standing (seeds 1 to 12)', () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const chance = createChance(seed);
      const body = standing();
      const base = standingDrive();
      const watch = watchJoints();
      const seen = new Set<string>();
      let command = { vx: 0, vy: 0, wz: 0 };
      let last = joints.measuredRad(body);
      let lastRps = last.map(() => 0);
      for (let i = 0; i < 1_200; i += 1) {
        let letGo = false;
        if (chance.happens(0.01))
          command = { vx: chance.between(-0.5, 1.2), vy: chance.between(-0.3, 0.3), wz: chance.between(-1.5, 1.5) };
        if (chance.happens(0.03)) {
          const change = chance.below(4);
          letGo = change < 2 && joints.mode(body) !== 'policy';
          if (change === 0) joints.limp(body);
          else if (change === 1) joints.giveBack(body);
          else
            joints.command(
              body,
              SPECS.map(({ minRad, maxRad }) => chance.between(minRad - 0.3, maxRad + 0.3)),
            );
        }
        stepDrive(base, command);
        stepWith(body, base);
        watch.see(body);
        seen.add(joints.mode(body));
        const now = joints.measuredRad(body);
        const rps = now.map((rad, k) => (rad - (last[k] ?? 0)) / STEP_S);
        // The speeds agree with the angles.
        expect(Math.max(...rps.map((v, k) => Math.abs(v - (joints.speedsRps(body)[k] ?? 0))))).toBeLessThan(1e-9);
        rps.forEach((v, k) => {
          // A released arm continues its motion; only a stop removes its speed at once, and shakes the neighbouring joints.
          const atStop = SPECS.some(({ minRad, maxRad }, j) => [now[j], last[j]].some((rad) => rad === minRad || rad === maxRad));
          if (letGo && !atStop) expect(Math.abs(v - (lastRps[k] ?? 0)), `seed ${seed}, step ${i}, joint ${k}`).toBeLessThan(5);
          expect(Math.abs(v), `seed ${seed}, step ${i}, joint ${k}`).toBeLessThan(18.001);
        });
        last = now;
        lastRps = rps;
      }
      expect(watch.beyondLimitRad).toBeLessThanOrEqual(0);
      expect([...seen].sort()).toEqual(['damp', 'policy', 'trajectory']);
    }
  });

  it('changes of the controller end at exactly the angles of the swing', () => {
    const [body, other] = [standing(), standing()];
    joints.command(
      body,
      SPECS.map(({ minRad }) => minRad),
    );
    stand(body, 1);
    joints.giveBack(body);
    expect(joints.mode(body)).toBe('policy');
    expect(joints.commandedRad(body)).toBeNull();
    stand(body, 2);
    stand(other, 3);
    expect(joints.measuredRad(body)).toEqual(joints.measuredRad(other));
    joints.giveBack(body);
    stand(body, STEP_S);
    expect(joints.measuredRad(body)).toEqual(joints.measuredRad(other));
  });

  it('a grip and a stow take the arms from limp and from commanded joints', () => {
    for (const begin of [joints.limp, (body: BodyState) => joints.command(body, STANDING)]) {
      const body = standing();
      begin(body);
      stand(body, 0.3);
      expect(manipulator.moveTo(body, { centre: [0.42, 0, 0.7], yawRad: 0, openingM: 0.3 })).toBe(true);
      expect(joints.mode(body)).toBe('policy');
      stand(body, 2);
      expect(gripErrorM(body)).toBeLessThan(0.001);
      manipulator.stow(body);
      stand(body, 2);
      begin(body);
      stand(body, 0.3);
      manipulator.stow(body);
      expect(joints.mode(body)).toBe('policy');
    }
  });
});

describe('the state hash (P12)', () => {
  it('the state hash is the same in two runs with commanded and limp arms, and differs from that of a run without', () => {
    const run = (use: boolean): string[] =>
      withWorld({ seed: 3 }, (world) => {
        const hashes: string[] = [];
        for (let i = 0; i < 240; i += 1) {
          if (use && i === 30)
            joints.command(
              humanoidOf(world),
              STANDING.map((rad) => rad * 1.5),
            );
          if (use && i === 90) joints.limp(humanoidOf(world));
          if (use && i === 200) joints.giveBack(humanoidOf(world));
          if (i === 60) world.base.command.vx = 0.5;
          step(world, 1);
          if (i % 20 === 19) hashes.push(stateHash(world));
        }
        return hashes;
      });
    const [first, second, without] = [run(true), run(true), run(false)];
    expect(second).toEqual(first);
    expect(first[0]).toBe(without[0]);
    for (let i = 1; i < first.length; i += 1) expect(first[i]).not.toBe(without[i]);
  });

  it('the state hash excludes arms that were never commanded, and includes every number of those that were', () => {
    const body = standing();
    const unused = serialise(body);
    joints.measuredRad(body);
    joints.mode(body);
    joints.giveBack(body);
    expect(serialise(body)).toEqual(unused);
    joints.command(body, STANDING);
    stand(body, 0.2);
    const used = serialise(body);
    expect(used.length).toBeGreaterThan(unused.length + 10);
    const state = body.jointArms;
    if (!state) throw new Error('no state');
    for (let i = 0; i < 10; i += 1) {
      state.targetRad[i] = (state.targetRad[i] ?? 0) + 1e-12;
      expect(serialise(body)).not.toEqual(used);
      state.targetRad[i] = STANDING[i] ?? 0;
    }
    state.limp = true;
    expect(serialise(body)).not.toEqual(used);
    state.limp = false;
    expect(serialise(body)).toEqual(used);
  });
});

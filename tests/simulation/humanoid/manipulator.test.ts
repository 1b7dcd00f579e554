import { describe, expect, it } from 'vitest';
import { BASE_HEIGHT_M } from '../../../src/protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../../src/protocol/wire/geometry.ts';
import { CUBE_EDGE_M } from '../../../src/protocol/wire/scene.ts';
import { type BodyState, createBody, linkPoses, serialise } from '../../../src/simulation/humanoid/body.ts';
import * as manipulator from '../../../src/simulation/humanoid/manipulator.ts';
import { reachFrom } from '../../../src/simulation/humanoid/reach.ts';
import { seeded } from '../../oracle/chance.ts';
import { drive, stand, standingDrive, stepDrive, stepWith } from './helpers/drive.ts';
import { gripErrorM } from './helpers/grip-error.ts';
import { direction, distance, frameOf, fromQuat, linkFrames, point } from './helpers/oracle.ts';
import { watchJoints } from './helpers/watch.ts';

const OPEN_M = 0.26;

/** A grip ahead of a base, in the world. */
function ahead(
  base: PlanarPose,
  aheadM: number,
  leftM: number,
  heightM: number,
  yawRad: number,
  openingM: number,
): manipulator.GripPose {
  const c = Math.cos(base.yawRad);
  const s = Math.sin(base.yawRad);
  return {
    centre: [base.x + c * aheadM - s * leftM, base.y + s * aheadM + c * leftM, heightM],
    yawRad: base.yawRad + yawRad,
    openingM,
  };
}

/** How far the inner faces of the palms are from a grip: metres, and radians of their normals. By the oracle's kinematics. */
function missOf(body: BodyState, grip: manipulator.GripPose): { placeM: number; normalRad: number } {
  const frames = linkFrames(fromQuat([...body.rootPose.orientation], body.rootPose.position), body.jointPositions);
  const n: [number, number, number] = [-Math.sin(grip.yawRad), Math.cos(grip.yawRad), 0];
  const miss = (['right', 'left'] as const).map((side) => {
    const hand = frameOf(frames, `${side}_wrist_yaw_link`);
    const sign = side === 'right' ? 1 : -1;
    const face = point(hand, [0, sign * 0.01, -0.05]);
    const wanted = grip.centre.map((v, i) => v - (sign * (n[i] ?? 0) * grip.openingM) / 2) as [number, number, number];
    const inner = direction(hand, [0, sign, 0]);
    return {
      placeM: distance(face, wanted),
      normalRad: Math.acos(Math.min(1, sign * (inner[0] * n[0] + inner[1] * n[1] + inner[2] * n[2]))),
    };
  });
  return { placeM: Math.max(...miss.map((m) => m.placeM)), normalRad: Math.max(...miss.map((m) => m.normalRad)) };
}

/** Steps a standing body until its hands are at rest; returns the simulated time. */
function finish(body: BodyState, each: (body: BodyState) => void = () => {}): number {
  let timeS = 0;
  while (manipulator.isMoving(body)) {
    stand(body, 1 / 120, each);
    timeS += 1 / 120;
    if (timeS > 5) throw new Error('The hands never come to rest.');
  }
  return timeS;
}

/**
 * Below 1 within 2 cm of the trunk: rounded outlines of abdomen and chest, above the waist joint; far out above and below them.
 */
function trunkMeasure([x, y, z]: readonly number[]): number {
  const height = z ?? Number.NaN;
  if (height < 0 || height > 0.32) return 10;
  const [halfX, halfY] = height < 0.14 ? [0.094, 0.114] : [0.118, 0.148];
  return Math.abs((x ?? 0) / halfX) ** 3 + Math.abs((y ?? 0) / halfY) ** 3;
}

/** The measure of the elbow or middle of a forearm that is nearest to the trunk: more than 1 is clear of it. */
function clearOfTrunk(body: BodyState): number {
  const poses = linkPoses(body);
  const torso = poses.get('torso');
  if (!torso) throw new Error('no torso');
  const m = fromQuat([...torso.orientation], torso.position);
  const into = (p: readonly [number, number, number]): number[] => {
    const d = p.map((v, i) => v - (torso.position[i] ?? 0));
    return [0, 1, 2].map((col) => [0, 1, 2].reduce((sum, row) => sum + (m[row]?.[col] ?? 0) * (d[row] ?? 0), 0));
  };
  const measures = ['right', 'left'].map((side) => {
    const elbow = poses.get(`${side}_elbow_link`)?.position;
    const wrist = poses.get(`${side}_wrist_yaw_link`)?.position;
    if (!elbow || !wrist) throw new Error('no arm');
    const middle: [number, number, number] = [(elbow[0] + wrist[0]) / 2, (elbow[1] + wrist[1]) / 2, (elbow[2] + wrist[2]) / 2];
    return Math.min(trunkMeasure(into(elbow)), trunkMeasure(into(middle)));
  });
  return Math.min(...measures);
}

const ENVELOPE: readonly { name: string; heightM: number; nearM: number; farM: number }[] = [
  { name: 'on the belt', heightM: 0.65, nearM: 0.34, farM: 0.45 },
  { name: 'on a pallet', heightM: 0.195, nearM: 0.34, farM: 0.45 },
  { name: 'in the second layer', heightM: 0.345, nearM: 0.34, farM: 0.45 },
  { name: 'on the floor', heightM: 0.075, nearM: 0.34, farM: 0.45 },
  { name: 'far on a pallet', heightM: 0.195, nearM: 0.42, farM: 0.6 },
  { name: 'above a pallet', heightM: 0.36, nearM: 0.42, farM: 0.6 },
];

describe('whole-body reach', () => {
  it.each(ENVELOPE)(
    'whole-body reach takes and lifts a cube $name: exact, within limits, without a snap (seed 3)',
    ({ heightM, nearM, farM }) => {
      const random = seeded(3);
      for (let n = 0; n < 12; n += 1) {
        const base = { x: random() * 4, y: random() * 4, yawRad: random() * 6 - 3 };
        const place = [nearM + random() * (farM - nearM), (random() * 2 - 1) * 0.03, (random() * 2 - 1) * 0.08] as const;
        const grip = (upM: number, openingM: number) => ahead(base, place[0], place[1], heightM + upM, place[2], openingM);
        const body = createBody(base);
        const joints = watchJoints();
        let clear = Number.POSITIVE_INFINITY;
        const each = (now: BodyState): void => {
          joints.see(now);
          clear = Math.min(clear, clearOfTrunk(now));
        };
        const expectAt = (wanted: manipulator.GripPose): void => {
          const miss = missOf(body, wanted);
          expect(miss.placeM).toBeLessThan(0.002);
          expect(miss.normalRad).toBeLessThan((2 * Math.PI) / 180);
          expect(gripErrorM(body)).toBeLessThan(0.002);
        };
        expect(manipulator.moveTo(body, grip(0.14, OPEN_M))).toBe(true);
        finish(body, each);
        expectAt(grip(0.14, OPEN_M));
        expect(manipulator.moveTo(body, grip(0, OPEN_M))).toBe(true);
        finish(body, (now) => {
          each(now);
          expect(gripErrorM(now)).toBeLessThan(0.002);
        });
        expectAt(grip(0, OPEN_M));
        manipulator.setOpening(body, CUBE_EDGE_M);
        finish(body, each);
        expectAt(grip(0, CUBE_EDGE_M));
        manipulator.carry(body);
        finish(body, (now) => {
          each(now);
          expect(gripErrorM(now)).toBeLessThan(0.002);
        });
        expectAt(ahead(base, manipulator.CARRY_AHEAD_M, 0, manipulator.CARRY_HEIGHT_M, 0, CUBE_EDGE_M));
        manipulator.stow(body);
        finish(body, each);
        expect(joints.beyondLimitRad).toBeLessThanOrEqual(0);
        expect(joints.fastestRps, joints.fastest).toBeLessThan(14);
        expect(joints.roughestRps, joints.roughest).toBeLessThan(14);
        expect(clear).toBeGreaterThan(1);
        expect(body.rootPose.position[2]).toBeCloseTo(BASE_HEIGHT_M, 6);
      }
    },
  );

  it('whole-body reach needs about a second and a half of simulated time for a whole pick or place', () => {
    const timesS = ENVELOPE.slice(0, 4).map(({ heightM }) => {
      const body = createBody({ x: 0, y: 0, yawRad: 0 });
      const grip = (upM: number): manipulator.GripPose => ({ centre: [0.4, 0, heightM + upM], yawRad: 0, openingM: OPEN_M });
      let timeS = 0;
      manipulator.moveTo(body, grip(0.14));
      timeS += finish(body);
      manipulator.moveTo(body, grip(0));
      timeS += finish(body);
      manipulator.setOpening(body, CUBE_EDGE_M);
      timeS += finish(body);
      manipulator.carry(body);
      return timeS + finish(body);
    });
    expect(Math.min(...timesS)).toBeLessThan(1.3);
    expect(Math.max(...timesS)).toBeLessThan(2);
  });

  it('whole-body reach rejects a place out of reach and changes nothing', () => {
    const body = createBody({ x: 0, y: 0, yawRad: 0 });
    const before = serialise(body);
    for (const centre of [
      [1.2, 0, 0.65],
      [0.4, 0.5, 0.65],
      [0.4, 0, 1.6],
      [0.6, 0, 0.02],
      [-0.4, 0, 0.65],
    ] as const) {
      const grip = { centre, yawRad: 0, openingM: OPEN_M };
      expect(manipulator.moveTo(body, grip)).toBe(false);
      const reach = reachFrom(body.base, grip);
      expect(reach.feasible).toBe(false);
      if (!reach.feasible) expect(reach.errorM).toBeGreaterThan(0);
    }
    expect(serialise(body)).toEqual(before);
  });

  it('whole-body reach accepts only what it then does', () => {
    const random = seeded(9);
    let yes = 0;
    for (let n = 0; n < 150; n += 1) {
      const base = { x: 0, y: 0, yawRad: random() * 6 };
      const grip = ahead(
        base,
        0.25 + 0.6 * random(),
        (random() * 2 - 1) * 0.2,
        0.05 + random() * 1.1,
        (random() * 2 - 1) * 0.7,
        0.15 + 0.15 * random(),
      );
      const body = createBody(base);
      const { feasible } = reachFrom(base, grip);
      expect(manipulator.moveTo(body, grip)).toBe(feasible);
      if (!feasible) continue;
      yes += 1;
      finish(body);
      expect(missOf(body, grip).placeM).toBeLessThan(0.002);
      expect(missOf(body, grip).normalRad).toBeLessThan(0.035);
    }
    expect(yes).toBeGreaterThan(40);
  });

  it.each([
    { heightM: 0.075, minM: 0.3, bestM: 0.42, maxM: 0.5 },
    { heightM: 0.195, minM: 0.3, bestM: 0.42, maxM: 0.72 },
    { heightM: 0.345, minM: 0.3, bestM: 0.42, maxM: 0.79 },
    { heightM: 0.65, minM: 0.3, bestM: 0.42, maxM: 0.79 },
  ])('whole-body reach names its range of distances: a centre $heightM m high from $minM to $maxM m', (expected) => {
    const measured = manipulator.preferredDistances(expected.heightM);
    expect(measured).not.toBeNull();
    expect(measured?.minM).toBeCloseTo(expected.minM, 2);
    expect(measured?.bestM).toBeCloseTo(expected.bestM, 2);
    expect(measured?.maxM).toBeCloseTo(expected.maxM, 2);
    const body = createBody({ x: 0, y: 0, yawRad: 0 });
    expect(manipulator.moveTo(body, { centre: [expected.bestM, 0, expected.heightM], yawRad: 0, openingM: OPEN_M })).toBe(true);
  });

  it('whole-body reach has no distance for a height beyond its reach', () => {
    expect(manipulator.preferredDistances(2)).toBeNull();
  });
});

describe('the hands as a gripper', () => {
  const base: PlanarPose = { x: 0.4, y: -1.5, yawRad: 0.2 };
  const atCube = (openingM: number): manipulator.GripPose => ahead(base, 0.4, 0, 0.65, 0, openingM);
  const holding = (): BodyState => {
    const body = createBody(base);
    manipulator.moveTo(body, atCube(OPEN_M));
    finish(body);
    manipulator.setOpening(body, CUBE_EDGE_M);
    finish(body);
    return body;
  };

  it('the gripper moves on a straight line from grip to grip', () => {
    const body = holding();
    const from = manipulator.grip(body).centre;
    const to = ahead(base, 0.45, 0.02, 0.8, 0, CUBE_EDGE_M);
    expect(manipulator.moveTo(body, to, { durationS: 0.5 })).toBe(true);
    const along = to.centre.map((v, i) => v - (from[i] ?? 0));
    const lengthM = Math.hypot(...along);
    const timeS = finish(body, (now) => {
      const d = manipulator.grip(now).centre.map((v, i) => v - (from[i] ?? 0));
      const t = d.reduce((sum, v, i) => sum + (v * (along[i] ?? 0)) / lengthM, 0);
      expect(Math.hypot(...d.map((v, i) => v - (t * (along[i] ?? 0)) / lengthM))).toBeLessThan(1e-6);
    });
    expect(timeS).toBeCloseTo(0.5, 1);
  });

  it('the gripper stops closing at contact within 3 mm per palm', () => {
    const body = createBody(base);
    manipulator.moveTo(body, atCube(OPEN_M));
    finish(body);
    manipulator.setOpening(body, 0.14);
    while (manipulator.grip(body).openingM > 0.151) stand(body, 1 / 120);
    const touchedM = manipulator.grip(body).openingM;
    manipulator.freezeOpening(body);
    finish(body);
    expect(touchedM - manipulator.grip(body).openingM).toBeLessThan(0.006);
    expect(gripErrorM(body)).toBeLessThan(1e-6);
  });

  it('the gripper keeps its opening and its place before the chest while the robot walks, turns and stops', () => {
    const body = holding();
    manipulator.carry(body);
    finish(body);
    const state = standingDrive(body.base);
    const joints = watchJoints();
    for (const [command, forS] of [
      [{ vx: 0.8, vy: 0, wz: 0.5 }, 2],
      [{ vx: 0, vy: 0, wz: -1.2 }, 1.5],
      [{ vx: 0, vy: 0, wz: 0 }, 1],
    ] as const) {
      for (let i = 0; i < forS * 120; i += 1) {
        stepDrive(state, command);
        stepWith(body, state);
        joints.see(body);
        const now = manipulator.grip(body);
        const wanted = ahead(state.base, manipulator.CARRY_AHEAD_M, 0, manipulator.CARRY_HEIGHT_M, 0, CUBE_EDGE_M);
        expect(distance(now.centre, wanted.centre)).toBeLessThan(0.002);
        expect(Math.abs(now.openingM - CUBE_EDGE_M)).toBeLessThan(0.001);
      }
    }
    expect(joints.beyondLimitRad).toBeLessThanOrEqual(0);
  });

  it('P7: halts from any phase within 0.3 s, without a snap, and can continue from there', () => {
    const phases: [string, (body: BodyState) => void][] = [
      ['reaching', (body) => manipulator.moveTo(body, atCube(OPEN_M))],
      ['carrying', (body) => manipulator.carry(body)],
      ['stowing', (body) => manipulator.stow(body)],
      ['closing', (body) => manipulator.setOpening(body, 0.15)],
    ];
    for (const [name, begin] of phases) {
      for (const afterS of [0.05, 0.15, 0.3]) {
        const body = name === 'reaching' ? createBody(base) : holding();
        const joints = watchJoints();
        begin(body);
        stand(body, afterS, (now) => joints.see(now));
        manipulator.halt(body);
        expect(
          finish(body, (now) => joints.see(now)),
          name,
        ).toBeLessThanOrEqual(0.3);
        stand(body, 0.4, (now) => joints.see(now));
        const still = [...body.jointPositions];
        stand(body, 0.2, (now) => joints.see(now));
        [...body.jointPositions].forEach((rad, i) => {
          expect(Math.abs(rad - (still[i] ?? Number.NaN)), name).toBeLessThan(0.002);
        });
        expect(manipulator.moveTo(body, atCube(OPEN_M))).toBe(true);
        finish(body, (now) => joints.see(now));
        expect(missOf(body, atCube(OPEN_M)).placeM).toBeLessThan(0.002);
        manipulator.stow(body);
        finish(body, (now) => joints.see(now));
        expect(joints.beyondLimitRad).toBeLessThanOrEqual(0);
        expect(joints.fastestRps, `${name} ${joints.fastest}`).toBeLessThan(14);
        expect(joints.roughestRps, `${name} ${joints.roughest}`).toBeLessThan(6);
      }
    }
  });

  it('P7: halts half way up from the floor as smoothly, the posture bent between two others', () => {
    for (const afterS of [0.1, 0.2, 0.3, 0.5]) {
      const body = createBody(base);
      manipulator.moveTo(body, ahead(base, 0.42, 0, 0.075, 0, CUBE_EDGE_M));
      finish(body);
      const joints = watchJoints();
      manipulator.carry(body);
      stand(body, afterS, (now) => joints.see(now));
      manipulator.halt(body);
      expect(finish(body, (now) => joints.see(now))).toBeLessThanOrEqual(0.3);
      stand(body, 0.1, (now) => joints.see(now));
      expect(joints.roughestRps, joints.roughest).toBeLessThan(0.6);
      expect(joints.beyondLimitRad).toBeLessThanOrEqual(0);
    }
  });

  it('the gripper moves with the base when the base leaves the place from which it reached', () => {
    const body = holding();
    const state = standingDrive(body.base);
    const joints = watchJoints();
    for (let i = 0; i < 240; i += 1) {
      stepDrive(state, { vx: -0.5, vy: 0, wz: 0 });
      stepWith(body, state);
      joints.see(body);
    }
    expect(joints.fastestRps, joints.fastest).toBeLessThan(20);
    expect(gripErrorM(body)).toBeLessThan(0.002);
  });

  it('the gripper returns to the swing of a walking robot when stowed', () => {
    const body = holding();
    manipulator.stow(body);
    finish(body);
    const walked = drive([{ forS: 1 }], () => {}, base);
    [...body.jointPositions].slice(12, 23).forEach((rad, i) => {
      expect(rad).toBeCloseTo(walked.jointPositions[12 + i] ?? Number.NaN, 6);
    });
    expect(body.manipulator.source).toBe('swing');
  });
});

import { describe, expect, it } from 'vitest';
import { FOOT_LENGTH_M, FOOT_WIDTH_M } from '../../../src/protocol/robots/humanoid.ts';
import { type BodyState, createBody, linkPoses, serialise } from '../../../src/simulation/humanoid/body.ts';
import { seeded } from '../../oracle/chance.ts';
import { type DriveLeg, drive, stand } from './helpers/drive.ts';
import { frameOf, fromQuat, linkFrames, type Matrix4, point } from './helpers/oracle.ts';
import { watchJoints } from './helpers/watch.ts';

const SIDES = ['right', 'left'] as const;

/** Corners of the sole in the ankle's frame: the foot extends further in front of the ankle than behind it. */
const SOLE = [-1, 1].flatMap((end) =>
  [-1, 1].map((edge): [number, number, number] => [0.03 + (end * FOOT_LENGTH_M) / 2, (edge * FOOT_WIDTH_M) / 2, -0.06]),
);

const soles = (body: BodyState): [number, number, number][][] => {
  const frames = linkFrames(fromQuat([...body.rootPose.orientation], body.rootPose.position), body.jointPositions);
  return SIDES.map((side) => SOLE.map((corner) => point(frameOf(frames, `${side}_ankle_roll_link`) as Matrix4, corner)));
};

/** Whether two convex outlines (corners in any order) are apart, by the separating axes of both rectangles. */
function apart(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): boolean {
  for (const [p, q, r] of [a, b]) {
    if (!p || !q || !r) throw new Error('not a rectangle');
    for (const other of [q, r]) {
      const axis = [(other[0] ?? 0) - (p[0] ?? 0), (other[1] ?? 0) - (p[1] ?? 0)];
      const on = (c: readonly number[]): number => (c[0] ?? 0) * (axis[0] ?? 0) + (c[1] ?? 0) * (axis[1] ?? 0);
      const [as, bs] = [a.map(on), b.map(on)];
      if (Math.max(...as) < Math.min(...bs) || Math.max(...bs) < Math.min(...as)) return true;
    }
  }
  return false;
}

interface Walk {
  slideM: number;
  belowFloorM: number;
  highestLiftM: number;
  bothInAir: number;
  collisions: number;
  pelvisStepM: number;
  stepsTaken: number;
}

function walk(script: readonly DriveLeg[]): { seen: Walk; joints: ReturnType<typeof watchJoints>; body: BodyState } {
  const joints = watchJoints();
  const seen: Walk = { slideM: 0, belowFloorM: 0, highestLiftM: 0, bothInAir: 0, collisions: 0, pelvisStepM: 0, stepsTaken: 0 };
  const planted: ([number, number, number][] | null)[] = [null, null];
  let pelvis: readonly number[] | null = null;
  const body = drive(script, (now, { velocity }) => {
    joints.see(now);
    const [right, left] = soles(now);
    if (!right || !left) throw new Error('no soles');
    [right, left].forEach((sole, i) => {
      const foot = now.gait.feet[i];
      const was = planted[i];
      seen.belowFloorM = Math.max(seen.belowFloorM, ...sole.map((corner) => -corner[2]));
      seen.highestLiftM = Math.max(seen.highestLiftM, Math.min(...sole.map((corner) => corner[2])));
      if (foot?.planted) {
        if (!was) seen.stepsTaken += 1;
        planted[i] = was ?? sole;
        seen.slideM = Math.max(
          seen.slideM,
          ...sole.map((corner, k) => Math.hypot(...corner.map((v, axis) => v - (was?.[k]?.[axis] ?? v)))),
        );
      } else planted[i] = null;
    });
    if (now.gait.feet.every((foot) => !foot.planted)) seen.bothInAir += 1;
    if (!apart(right, left)) seen.collisions += 1;
    const p = now.rootPose.position;
    if (pelvis) {
      const carried = Math.hypot(velocity.vx, velocity.vy) / 120;
      seen.pelvisStepM = Math.max(
        seen.pelvisStepM,
        Math.hypot(p[0] - (pelvis[0] ?? 0), p[1] - (pelvis[1] ?? 0), p[2] - (pelvis[2] ?? 0)) - carried,
      );
    }
    pelvis = p;
  });
  return { seen, joints, body };
}

const STOP: DriveLeg = { forS: 2 };
const SCRIPTS: Record<string, DriveLeg[]> = {
  'a slow walk': [{ vx: 0.4, forS: 3 }, STOP],
  'a walk': [{ vx: 1, forS: 3 }, STOP],
  'a fast walk': [{ vx: 1.2, forS: 3 }, STOP],
  'a creep': [{ vx: 0.04, forS: 4 }, STOP],
  backwards: [{ vx: -0.8, forS: 3 }, STOP],
  'steps to the left': [{ vy: 0.6, forS: 3 }, STOP],
  'steps to the right': [{ vy: -1.1, forS: 3 }, STOP],
  'a turn on the spot': [{ wz: 1.5, forS: 4 }, STOP],
  'a slow turn on the spot': [{ wz: -0.4, forS: 4 }, STOP],
  'an arc': [{ vx: 0.9, wz: -1, forS: 4 }, STOP],
  'starts and stops': [{ vx: 1, forS: 0.5 }, { forS: 0.3 }, { vx: 1, forS: 0.7 }, { vx: -0.6, forS: 1 }, STOP],
};

function seededScript(seed: number, topMps: number): DriveLeg[] {
  const random = seeded(seed);
  const legs = Array.from({ length: 6 }, (): DriveLeg => {
    const speed = topMps * random();
    const way = random() * 2 * Math.PI;
    return { vx: speed * Math.cos(way), vy: speed * Math.sin(way), wz: (random() * 2 - 1) * 1.5, forS: 0.3 + 1.2 * random() };
  });
  return [...legs, STOP];
}

function expectSettled(body: BodyState): void {
  const c = Math.cos(body.base.yawRad);
  const s = Math.sin(body.base.yawRad);
  body.gait.feet.forEach((foot, i) => {
    const dx = foot.x.value - body.base.x;
    const dy = foot.y.value - body.base.y;
    expect(foot.planted).toBe(true);
    expect(Math.abs(c * dx + s * dy)).toBeLessThan(0.008);
    expect(Math.abs(c * dy - s * dx - (i === 0 ? -0.095 : 0.095))).toBeLessThan(0.008);
  });
  expect(body.rootPose.position[2]).toBeCloseTo(0.62, 3);
  expect(Math.hypot(body.rootPose.position[0] - body.base.x, body.rootPose.position[1] - body.base.y)).toBeLessThan(0.002);
}

describe('gait', () => {
  const cases: [string, DriveLeg[]][] = [
    ...Object.entries(SCRIPTS),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed): [string, DriveLeg[]] => [`a script of seed ${seed}`, seededScript(seed, 1.15)]),
  ];
  it.each(cases)('the gait keeps planted feet in place, at least one on the floor, apart and above it: %s', (_name, script) => {
    const { seen, joints, body } = walk(script);
    expect(seen.slideM).toBeLessThan(0.001);
    expect(seen.belowFloorM).toBeLessThan(1e-6);
    expect(seen.bothInAir).toBe(0);
    expect(seen.collisions).toBe(0);
    expect(seen.stepsTaken).toBeGreaterThan(3);
    expect(seen.pelvisStepM).toBeLessThan(0.004);
    expect(joints.beyondLimitRad).toBeLessThanOrEqual(0);
    expect(joints.fastestRps, joints.fastest).toBeLessThan(20);
    expect(joints.roughestRps, joints.roughest).toBeLessThan(12);
    expectSettled(body);
  });

  it.each([
    ['forward', { vx: 1.5 }],
    ['backward', { vx: -1.5 }],
    ['sideways', { vy: 1.5 }],
    ['forward and turning', { vx: 1.5, wz: 1.5 }],
    ['every way at once', { vx: 1.5, vy: -1.5, wz: -1.5 }],
  ])('the gait stays within its limits at the fastest commands: %s', (_name, command) => {
    const { seen, joints, body } = walk([{ ...command, forS: 3 }, { forS: 2.5 }]);
    expect(seen.slideM).toBeLessThan(0.001);
    expect(seen.belowFloorM).toBeLessThan(1e-6);
    expect(seen.collisions).toBe(0);
    expect(joints.beyondLimitRad).toBeLessThanOrEqual(0);
    expect(joints.fastestRps, joints.fastest).toBeLessThan(25);
    expectSettled(body);
  });

  it('the gait lifts feet 4 to 6 cm, and lengthens and quickens its steps with speed', () => {
    const count = (vx: number): number => walk([{ vx, forS: 6 }]).seen.stepsTaken;
    const liftM = walk([{ vx: 0.5, forS: 4 }]).seen.highestLiftM;
    expect(liftM).toBeGreaterThan(0.035);
    expect(liftM).toBeLessThan(0.06);
    const [slow, fast] = [count(0.4), count(1.2)];
    expect(fast).toBeGreaterThan(1.15 * slow);
    expect((1.2 * 6) / fast).toBeGreaterThan((1.8 * (0.4 * 6)) / slow);
  });

  it('the gait stops dead against a wall without a snap', () => {
    const joints = watchJoints();
    const state = drive([{ vx: 1, forS: 1.3 }], (body) => joints.see(body));
    stand(state, 2, (body) => joints.see(body));
    expect(joints.fastestRps, joints.fastest).toBeLessThan(20);
    expect(joints.roughestRps, joints.roughest).toBeLessThan(12);
    expectSettled(state);
  });

  it('the gait swings each arm with the opposite leg', () => {
    let together = 0;
    drive([{ vx: 1, forS: 4 }], (body) => {
      const poses = linkPoses(body);
      const ahead = (link: string): number => (poses.get(link)?.position[0] ?? Number.NaN) - body.base.x;
      const arms = ahead('right_wrist_yaw_link') - ahead('left_wrist_yaw_link');
      const legs = ahead('left_ankle_roll_link') - ahead('right_ankle_roll_link');
      together += arms * legs;
    });
    expect(together).toBeGreaterThan(1);
  });

  it('a standing robot does not move at all', () => {
    const body = createBody({ x: 0.4, y: -1.5, yawRad: 0.3 });
    const before = [...body.jointPositions, ...body.rootPose.position, ...body.rootPose.orientation];
    stand(body, 1);
    expect([...body.jointPositions, ...body.rootPose.position, ...body.rootPose.orientation]).toEqual(before);
  });

  it('the gait gives the same numbers for the same script (P12)', () => {
    const run = (): readonly number[] => serialise(drive(seededScript(42, 1.4), () => {}));
    expect(run()).toEqual(run());
    expect(run().every(Number.isFinite)).toBe(true);
  });
});

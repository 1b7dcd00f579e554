import { cos, hypot, sin } from '../../common/portable-math.ts';
import { BASE_HEIGHT_M, JOINT_COUNT, JOINT_INDEX } from '../../protocol/robots/humanoid.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import type { GripPose } from '../robot.ts';
import { FRAME_SIZE, setYawPitchFrame } from '../rotation.ts';
import { solveArm } from './arm-ik.ts';
import { FRAMES_LENGTH, palmPose, updateFrames } from './kinematics.ts';
import { legIndex, solveLeg } from './leg-ik.ts';
import { type BaseGrip, CLOSED_M, findPosture, PALM_HALF_THICKNESS_M, type Posture } from './posture.ts';
import { hipPoint, neutralFoot } from './stance.ts';

export type Reach = { feasible: true; posture: Posture; jointPositions: Float64Array } | { feasible: false; errorM: number };

const ORIGIN: PlanarPose = { x: 0, y: 0, yawRad: 0 };
/** A grip counts as reached when both palms are this near; the arms are closed form, so a reached one is nearer by far. */
const REACHED_M = 0.0005;

/** Converts a world grip to the base frame. */
export function gripInBase(base: PlanarPose, grip: GripPose): BaseGrip {
  const dx = grip.centre[0] - base.x;
  const dy = grip.centre[1] - base.y;
  const c = cos(base.yawRad);
  const s = sin(base.yawRad);
  return {
    xM: c * dx + s * dy,
    yM: c * dy - s * dx,
    zM: grip.centre[2],
    yawRad: wrapRad(grip.yawRad - base.yawRad),
    openingM: grip.openingM,
    ...(grip.closesToM === undefined ? {} : { closesToM: grip.closesToM }),
  };
}

const _fit_frames = new Float64Array(FRAMES_LENGTH);
const _fit_foot = new Float64Array(FRAME_SIZE);
const _fit_hip = new Float64Array(3);

/**
 * Puts the whole body in a posture with both palms at a grip, in the base frame, feet in the neutral stance.
 * @param jointPositions receives all joint angles
 * @returns how far the worse palm stays from its place, metres; infinite when the feet would have to move
 */
export function fitGrip(jointPositions: Float64Array, posture: Posture, grip: BaseGrip): number {
  const frames = _fit_frames;
  setYawPitchFrame(frames, 0, 0, posture.leanRad, posture.shiftXM, posture.shiftYM, posture.heightM);
  for (const side of [0, 1] as const) {
    const foot = neutralFoot(ORIGIN, side);
    setYawPitchFrame(_fit_foot, 0, foot.yawRad, 0, foot.xM, foot.yM, foot.zM);
    hipPoint(_fit_hip, frames, side);
    if (!solveLeg(jointPositions, legIndex(side), frames, _fit_hip, _fit_foot, 0)) return Number.POSITIVE_INFINITY;
  }
  jointPositions[JOINT_INDEX.waist] = posture.waistRad;
  updateFrames(frames, jointPositions, JOINT_INDEX.waist, JOINT_INDEX.waist + 1);
  const normalX = -sin(grip.yawRad);
  const normalY = cos(grip.yawRad);
  const half = grip.openingM / 2 + PALM_HALF_THICKNESS_M;
  const goal = { x: grip.xM, y: grip.yM, z: grip.zM, normalX, normalY, halfM: half };
  let exact = true;
  for (const side of [0, 1] as const) exact = solveArm(jointPositions, side, frames, goal) && exact;
  if (exact) return 0;
  updateFrames(frames, jointPositions, JOINT_INDEX.rightArm, JOINT_INDEX.headYaw);
  const missM = (side: 'right' | 'left', offset: number): number => {
    const [x, y, z] = palmPose(frames, side).position;
    return hypot(x - grip.xM - normalX * offset, y - grip.yM - normalY * offset, z - grip.zM);
  };
  // A palm within reach but wrongly turned is not a grip either: it counts as a miss of more than the tolerance.
  return Math.max(missM('right', -half), missM('left', half), 2 * REACHED_M);
}

/** Computes whether the whole body (crouch, lean, hips, waist, arms) would get both palms there from this base pose. No side effect. */
export function reachFrom(base: PlanarPose, grip: GripPose): Reach {
  return reachInBase(gripInBase(base, grip));
}

/** Same as `reachFrom`, for a grip given in the base frame. */
function reachInBase(grip: BaseGrip): Reach {
  const posture = findPosture(grip);
  const jointPositions = new Float64Array(JOINT_COUNT);
  // Hands that reach a thing open are closed on it next, in the same posture.
  const closedErrorM = fitGrip(jointPositions, posture, {
    ...grip,
    openingM: Math.min(grip.openingM, grip.closesToM ?? CLOSED_M),
  });
  const errorM = Math.max(closedErrorM, fitGrip(jointPositions, posture, grip));
  return errorM <= REACHED_M ? { feasible: true, posture, jointPositions } : { feasible: false, errorM: Math.min(errorM, 10) };
}

/** Distances from the base to a grip's centre, metres, the robot facing it. */
export interface ReachDistances {
  minM: number;
  bestM: number;
  maxM: number;
}

const MEASURE_STEP_M = 0.01;
/** At a smaller distance the cube would touch the base. */
const MEASURE_NEAREST_M = 0.3;
const MEASURE_FARTHEST_M = 0.8;
/** Nearer than this the toes are under the hands: feasible, but not preferred. */
const PREFERRED_NEAREST_M = 0.42;
/** A grip that opens this much around a cube before it closes. */
const OPEN_M = CUBE_EDGE_M + 0.1;

/**
 * Returns the distances from which a cube whose centre is `heightM` above the floor can be gripped, measured with the solver
 * itself: every distance in [minM, maxM] is feasible with open and with closed hands; `bestM` is the one whose posture is most
 * upright with room before the toes. Null when none is.
 */
export function preferredDistances(heightM: number): ReachDistances | null {
  let run: { distanceM: number; effort: number }[] = [];
  let longest: typeof run = [];
  for (let distanceM = MEASURE_NEAREST_M; distanceM <= MEASURE_FARTHEST_M; distanceM += MEASURE_STEP_M) {
    const reach = reachInBase({ xM: distanceM, yM: 0, zM: heightM, yawRad: 0, openingM: OPEN_M });
    if (reach.feasible) {
      run.push({ distanceM, effort: Math.abs(reach.posture.leanRad) + 2 * Math.abs(reach.posture.heightM - BASE_HEIGHT_M) });
      if (run.length > longest.length) longest = run;
    } else run = [];
  }
  const [first] = longest;
  const last = longest.at(-1);
  if (!first || !last) return null;
  const roomy = longest.filter(({ distanceM }) => distanceM >= PREFERRED_NEAREST_M);
  const best = (roomy.length > 0 ? roomy : longest).reduce((a, b) => (b.effort < a.effort ? b : a));
  const rounded = (m: number): number => Math.round(m * 1000) / 1000;
  return { minM: rounded(first.distanceM), bestM: rounded(best.distanceM), maxM: rounded(last.distanceM) };
}

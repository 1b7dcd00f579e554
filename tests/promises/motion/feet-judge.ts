/** Judges feet only by the corners of their soles: a corner that touches the floor stands on it. */
import { ANKLE_HEIGHT_M, FOOT_LENGTH_M, FOOT_WIDTH_M } from '../../../src/protocol/robots/humanoid.ts';
import { type Worst, worsen } from './joints-judge.ts';
import { inWorld, type LinkFrame, type Links, linkOf, type Point, turned } from './links.ts';

/** A sole whose lowest corner is lower than this carries the robot. */
const TOUCHING_M = 0.001;
/** Corners of the sole in the ankle's frame: the foot extends farther in front of the ankle than behind it. */
const SOLE: readonly Point[] = [-1, 1].flatMap((end) =>
  [-1, 1].map((edge): Point => [0.03 + (end * FOOT_LENGTH_M) / 2, (edge * FOOT_WIDTH_M) / 2, -ANKLE_HEIGHT_M]),
);

export interface FootStep {
  side: 'right' | 'left';
  /** Time of landing, seconds since the first reading. */
  landedS: number;
  /** Time in the air, seconds; distance over the floor and least height of its lowest corner, metres. */
  airS: number;
  lengthM: number;
  clearanceM: number;
}

export interface FeetSeen {
  /** How far a corner that touches the floor moves on it, from touch to lift, metres; how far the foot turns, radians. */
  slideM: Worst;
  twistRad: Worst;
  belowFloorM: Worst;
  /** How much the outlines of both soles overlap while neither is above the other, metres. */
  overlapM: Worst;
  steps: FootStep[];
  /** The longest time without a foot on the floor, seconds. */
  longestFlightS: number;
}

interface FootMemory {
  side: 'right' | 'left';
  touched: readonly Point[] | null;
  touchedYawRad: number;
  liftedAtS: number;
  liftedFrom: Point;
  highestM: number;
}

/** @param stepS between two readings */
export function createFeetJudge(stepS: number): { see(links: Links, timeS: number, when: string): void; seen: FeetSeen } {
  const worst = (): Worst => ({ value: Number.NEGATIVE_INFINITY, where: '' });
  const seen: FeetSeen = {
    slideM: worst(),
    twistRad: worst(),
    belowFloorM: worst(),
    overlapM: worst(),
    steps: [],
    longestFlightS: 0,
  };
  const feet = (['right', 'left'] as const).map(
    (side): FootMemory => ({ side, touched: null, touchedYawRad: 0, liftedAtS: 0, liftedFrom: [0, 0, 0], highestM: 0 }),
  );
  let flightS = 0;
  return {
    seen,
    see(links, timeS, when) {
      const soles = feet.map((foot) => {
        const frame = linkOf(links, `${foot.side}_ankle_roll_link`);
        const corners = SOLE.map((corner) => inWorld(frame, corner));
        judge(foot, frame, corners, timeS, when);
        return corners;
      });
      const [right = [], left = []] = soles;
      const apartZ = Math.max(lowest(right) - highest(left), lowest(left) - highest(right));
      if (apartZ < 0.03) worsen(seen.overlapM, overlapM(right, left), () => when);
      flightS = feet.some(({ touched }) => touched) ? 0 : flightS + stepS;
      seen.longestFlightS = Math.max(seen.longestFlightS, flightS);
    },
  };

  function judge(foot: FootMemory, frame: LinkFrame, corners: readonly Point[], timeS: number, when: string): void {
    const low = lowest(corners);
    worsen(seen.belowFloorM, -low, () => `${foot.side} foot at ${when}`);
    const [aheadX, aheadY] = turned(frame.turn, [1, 0, 0]);
    const yawRad = Math.atan2(aheadY, aheadX);
    if (low > TOUCHING_M) {
      if (foot.touched) Object.assign(foot, { touched: null, liftedAtS: timeS, liftedFrom: frame.at, highestM: 0 });
      foot.highestM = Math.max(foot.highestM, low);
      return;
    }
    if (!foot.touched) {
      if (foot.liftedAtS > 0) {
        seen.steps.push({
          side: foot.side,
          landedS: timeS,
          airS: timeS - foot.liftedAtS,
          lengthM: Math.hypot(frame.at[0] - foot.liftedFrom[0], frame.at[1] - foot.liftedFrom[1]),
          clearanceM: foot.highestM,
        });
      }
      foot.touched = corners;
      foot.touchedYawRad = yawRad;
      return;
    }
    const { touched } = foot;
    corners.forEach((corner, i) => {
      const was = touched[i];
      if (!was || corner[2] > TOUCHING_M) return;
      worsen(seen.slideM, Math.hypot(corner[0] - was[0], corner[1] - was[1]), () => `${foot.side} foot at ${when}`);
    });
    const twist = Math.abs(Math.atan2(Math.sin(yawRad - foot.touchedYawRad), Math.cos(yawRad - foot.touchedYawRad)));
    worsen(seen.twistRad, twist, () => `${foot.side} foot at ${when}`);
  }
}

const heights = (corners: readonly Point[]): number[] => corners.map((corner) => corner[2]);
const lowest = (corners: readonly Point[]): number => Math.min(...heights(corners));
const highest = (corners: readonly Point[]): number => Math.max(...heights(corners));

/**
 * By the separating axes of both outlines: how deep two rectangles overlap, seen from above; negative = apart by at least that.
 */
function overlapM(a: readonly Point[], b: readonly Point[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [p, q, r] of [a, b]) {
    if (!p || !q || !r) continue;
    for (const other of [q, r]) {
      const length = Math.hypot(other[0] - p[0], other[1] - p[1]);
      const axis = [(other[0] - p[0]) / length, (other[1] - p[1]) / length] as const;
      const on = ([x, y]: Point): number => x * axis[0] + y * axis[1];
      const [as, bs] = [a.map(on), b.map(on)];
      least = Math.min(least, Math.max(...as) - Math.min(...bs), Math.max(...bs) - Math.min(...as));
    }
  }
  return least;
}

/** Judges joint angles from step to step: limits, speed, acceleration, jerk. */
import { JOINTS } from '../../../src/protocol/robots/humanoid.ts';

/** One value at its extreme, and the place where it was seen. */
export interface Worst {
  value: number;
  where: string;
}

export type JointGroup = 'legs' | 'trunk' | 'arms' | 'head';

export interface JointsSeen {
  /** Beyond a joint's limits, radians; not positive if all are kept. */
  beyondRad: Worst;
  /** Fastest joint, rad/s. */
  speedRps: Record<JointGroup, Worst>;
  /** Of the joints' speeds, over two steps, rad/s². */
  accelerationRps2: Record<JointGroup, Worst>;
  /** Largest change of a joint's speed from one step to the next, rad/s: visible as a snap. */
  snapRps: Record<JointGroup, Worst>;
}

const none = (): Worst => ({ value: Number.NEGATIVE_INFINITY, where: '' });
const perGroup = (): Record<JointGroup, Worst> => ({ legs: none(), trunk: none(), arms: none(), head: none() });

function groupOf(joint: string): JointGroup {
  if (/hip|knee|ankle/.test(joint)) return 'legs';
  if (/shoulder|elbow|wrist/.test(joint)) return 'arms';
  return joint.startsWith('head') ? 'head' : 'trunk';
}

const GROUPS = JOINTS.map(({ name }) => groupOf(name));

/** Keeps the larger of the known and the present value. */
export function worsen(worst: Worst, value: number, where: () => string): void {
  if (value > worst.value) {
    worst.value = value;
    worst.where = where();
  }
}

/** @param stepS between two readings */
export function createJointsJudge(stepS: number): {
  see(jointPositions: readonly number[], when: string): void;
  seen: JointsSeen;
} {
  const seen: JointsSeen = {
    beyondRad: none(),
    speedRps: perGroup(),
    accelerationRps2: perGroup(),
    snapRps: perGroup(),
  };
  let before: readonly number[] | null = null;
  let speeds: readonly number[] | null = null;
  let older: readonly number[] | null = null;
  return {
    seen,
    see(jointPositions, when) {
      const last = before;
      const now = last ? jointPositions.map((rad, i) => (rad - (last[i] ?? rad)) / stepS) : null;
      JOINTS.forEach(({ name, minRad, maxRad }, i) => {
        const rad = jointPositions[i] ?? Number.NaN;
        const group = GROUPS[i] ?? 'trunk';
        const where = (): string => `${name} at ${when}`;
        // A lost number is beyond every limit.
        const beyond = Number.isFinite(rad) ? Math.max(minRad - rad, rad - maxRad) : Number.POSITIVE_INFINITY;
        worsen(seen.beyondRad, beyond, where);
        const speed = now?.[i];
        if (speed === undefined) return;
        worsen(seen.speedRps[group], Math.abs(speed), where);
        const lastSpeed = speeds?.[i];
        if (lastSpeed === undefined) return;
        worsen(seen.snapRps[group], Math.abs(speed - lastSpeed), where);
        const olderSpeed = older?.[i];
        if (olderSpeed !== undefined) worsen(seen.accelerationRps2[group], Math.abs(speed - olderSpeed) / (2 * stepS), where);
      });
      older = speeds;
      speeds = now;
      before = jointPositions.slice();
    },
  };
}

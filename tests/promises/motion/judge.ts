/** One judge over all readings of the robot: joints, feet, overlapping parts, and the motion of the pelvis. */
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';
import { createFeetJudge, type FeetSeen } from './feet-judge.ts';
import { createJointsJudge, type JointsSeen, type Worst, worsen } from './joints-judge.ts';
import { inLink, type Links, linkOf, linksOf, type Point } from './links.ts';
import { createTouchJudge, type TouchSeen } from './touch-judge.ts';

export interface MotionSeen {
  joints: JointsSeen;
  feet: FeetSeen;
  touch: TouchSeen;
  /** Of the pelvis' height: its maximum speed and acceleration, m/s and m/s². */
  heaveMps: Worst;
  heaveMps2: Worst;
  /** Acceleration of the palms against the pelvis, m/s². */
  handMps2: Worst;
  states: number;
}

export interface MotionJudge {
  /** Call it once per step. @param doing the robot's task, for the sentences */
  see(state: RenderState, doing: string): void;
  seen: MotionSeen;
  links: Links | null;
}

/** @param stepS between two readings; @param touchEvery every this many readings, parts are measured against each other */
export function createMotionJudge(stepS: number, touchEvery = 2): MotionJudge {
  const joints = createJointsJudge(stepS);
  const feet = createFeetJudge(stepS);
  const touch = createTouchJudge();
  const worst = (): Worst => ({ value: Number.NEGATIVE_INFINITY, where: '' });
  const seen: MotionSeen = {
    joints: joints.seen,
    feet: feet.seen,
    touch: touch.seen,
    heaveMps: worst(),
    heaveMps2: worst(),
    handMps2: worst(),
    states: 0,
  };
  const heights: number[] = [];
  const hands: Record<'right' | 'left', Point[]> = { right: [], left: [] };
  const judge: MotionJudge = {
    seen,
    links: null,
    see(state, doing) {
      const when = `${state.simTimeS.toFixed(2)} s, ${doing}`;
      const links = linksOf(state);
      judge.links = links;
      joints.see(state.jointPositions, when);
      feet.see(links, state.simTimeS, when);
      if (seen.states % touchEvery === 0) touch.see(links, state, when);
      heights.push(state.rootPose.position[2]);
      if (heights.length > 3) heights.shift();
      const [h0, h1, h2] = heights;
      if (h0 !== undefined && h1 !== undefined && h2 !== undefined) {
        worsen(seen.heaveMps, Math.abs(h2 - h1) / stepS, () => when);
        worsen(seen.heaveMps2, Math.abs(h2 - 2 * h1 + h0) / (stepS * stepS), () => when);
      }
      const torso = linkOf(links, 'torso');
      for (const side of ['right', 'left'] as const) {
        const path = hands[side];
        path.push(inLink(torso, linkOf(links, `${side}_wrist_yaw_link`).at));
        if (path.length > 3) path.shift();
        const [a, b, c] = path;
        if (!a || !b || !c) continue;
        const bend = Math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1], a[2] - 2 * b[2] + c[2]);
        worsen(seen.handMps2, bend / (stepS * stepS), () => `${side} hand at ${when}`);
      }
      seen.states += 1;
    },
  };
  return judge;
}

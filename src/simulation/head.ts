import { clamp } from '../common/clamp.ts';
import type { Vec3 } from '../protocol/wire/geometry.ts';
import { requireFinite } from './finite.ts';
import { follow } from './motion.ts';
import type { HeadAngles, HeadState, RobotBody, RobotHead } from './robot.ts';

/** How a head is mounted: its range, its joints, and how it is aimed. */
export interface HeadMount<Body extends RobotBody> {
  yawRangeRad: readonly [number, number];
  pitchRangeRad: readonly [number, number];
  yawJoint: number;
  pitchJoint: number;
  /** Returns the angles that put a point on the camera's optical axis, whatever the range. */
  aim(body: Body, pointWorld: Vec3): HeadAngles;
  /** Returns where the hands work; null while they do not. */
  workPoint(body: Body): Vec3 | null;
}

/** Natural frequency of the head's motion: 60° are within 1° after 0.5 s. */
const HEAD_RATE_PER_S = 13;
/**
 * A target farther off than this does not pull harder: the follower's acceleration stays below rate² times this, and its speed
 * below half the rate times this, as fast as a person turns the head at ease.
 */
const HEAD_LEAD_RAD = 0.92;
const HEAD_MAX_RPS = 6;

const within = (value: number, [least, most]: readonly [number, number]): number => clamp(value, least, most);

const ahead = (value: number, goalRad: number): number => value + clamp(goalRad - value, -HEAD_LEAD_RAD, HEAD_LEAD_RAD);

/** Returns a head that looks ahead and has nothing to look at. */
export const createHead = (): HeadState => ({
  yaw: { value: 0, velocity: 0 },
  pitch: { value: 0, velocity: 0 },
  target: null,
  gaze: null,
});

/** Returns the functions of a head, and the one that moves it on by a step. It is at rest when its target is within rounding. */
export function headOf<Body extends RobotBody>(
  mount: HeadMount<Body>,
): RobotHead<Body> & { step(body: Body, dtS: number): void } {
  const { yawRangeRad, pitchRangeRad, yawJoint, pitchJoint, aim, workPoint } = mount;

  function setTarget(body: Body, { yawRad, pitchRad }: { yawRad?: number | undefined; pitchRad?: number | undefined }): void {
    const { head } = body;
    const now = head.target ?? target(body);
    requireFinite('the angles of the head', yawRad ?? 0, pitchRad ?? 0);
    head.target = {
      yawRad: within(yawRad ?? now.yawRad, yawRangeRad),
      pitchRad: within(pitchRad ?? now.pitchRad, pitchRangeRad),
    };
  }

  /** The head's current goal: the held target, otherwise the gaze, otherwise the hands' work, otherwise straight ahead. */
  function target(body: Body): HeadAngles {
    const { head } = body;
    if (head.target) return head.target;
    const gaze = head.gaze ?? workPoint(body);
    if (!gaze) return { yawRad: 0, pitchRad: 0 };
    const { yawRad, pitchRad } = anglesToward(body, gaze);
    return { yawRad, pitchRad };
  }

  function anglesToward(body: Body, pointWorld: Vec3): HeadAngles & { reachable: boolean } {
    const { yawRad, pitchRad } = aim(body, pointWorld);
    const yaw = within(yawRad, yawRangeRad);
    const pitch = within(pitchRad, pitchRangeRad);
    return { yawRad: yaw, pitchRad: pitch, reachable: yaw === yawRad && pitch === pitchRad };
  }

  return {
    setTarget,
    target,
    anglesToward,
    // A critically damped motion of speed v that aims v / rate ahead decays without an overshoot.
    halt(body) {
      const { yaw, pitch } = body.head;
      setTarget(body, {
        yawRad: yaw.value + yaw.velocity / HEAD_RATE_PER_S,
        pitchRad: pitch.value + pitch.velocity / HEAD_RATE_PER_S,
      });
    },
    speedRps: ({ head: { yaw, pitch } }) => Math.max(Math.abs(yaw.velocity), Math.abs(pitch.velocity)),
    isHeld: ({ head }) => head.target !== null,
    releaseTarget(body) {
      body.head.target = null;
    },
    measured: ({ head }) => ({ yawRad: head.yaw.value, pitchRad: head.pitch.value }),
    setGaze(body, pointWorld) {
      if (pointWorld !== null) requireFinite('the point to look at', ...pointWorld);
      body.head.gaze = pointWorld;
    },
    step(body, dtS) {
      const { head, jointPositions } = body;
      const goal = target(body);
      follow(head.yaw, ahead(head.yaw.value, goal.yawRad), HEAD_RATE_PER_S, dtS, HEAD_MAX_RPS);
      follow(head.pitch, ahead(head.pitch.value, goal.pitchRad), HEAD_RATE_PER_S, dtS, HEAD_MAX_RPS);
      jointPositions[yawJoint] = within(head.yaw.value, yawRangeRad);
      jointPositions[pitchJoint] = within(head.pitch.value, pitchRangeRad);
    },
  };
}

import type { Quat, Vec3 } from '../../../protocol/wire/geometry.ts';
import type { CameraView, RenderState, RigidPose, ThingRender } from '../../../protocol/wire/render-state.ts';

/** An object that moves farther between two states was placed there, so no intermediate position is shown. Metres. */
const JUMP_M = 0.5;

/**
 * Returns the interpolated world between two states, so that a stream of a few states a second looks smooth.
 * @param share from 0, the earlier state, to 1, the later one
 */
export function blend(earlier: RenderState, later: RenderState, share: number): RenderState {
  if (share <= 0 || !isSameBody(earlier, later)) return earlier;
  if (share >= 1) return later;
  const before = new Map(earlier.things.map((thing) => [thing.entityId, thing]));
  const travelled = new Map(earlier.fixtures.map(({ id, travelM }) => [id, travelM]));
  return {
    ...later,
    step: Math.round(between(earlier.step, later.step, share)),
    simTimeS: between(earlier.simTimeS, later.simTimeS, share),
    rootPose: blendPose(earlier.rootPose, later.rootPose, share),
    jointPositions: later.jointPositions.map((to, k) => between(earlier.jointPositions[k] ?? to, to, share)),
    things: later.things.map((thing) => blendThing(before.get(thing.entityId), thing, share)),
    cameras: { ...later.cameras, pov: blendView(earlier.cameras.pov, later.cameras.pov, share) },
    fixtures: later.fixtures.map((fixture) => ({
      ...fixture,
      travelM: between(travelled.get(fixture.id) ?? fixture.travelM, fixture.travelM, share),
    })),
  };
}

/**
 * Returns whether both states show one body in one continuous run. After a reset, or with another robot, there is nothing to
 * interpolate.
 */
const isSameBody = (earlier: RenderState, later: RenderState): boolean =>
  earlier.jointPositions.length === later.jointPositions.length &&
  earlier.simTimeS <= later.simTimeS &&
  !isJump(earlier.rootPose, later.rootPose);

function blendThing(earlier: ThingRender | undefined, later: ThingRender, share: number): ThingRender {
  if (!earlier) return later;
  return isJump(earlier, later) ? { ...later, ...poseOf(earlier) } : { ...later, ...blendPose(earlier, later, share) };
}

const blendView = (earlier: CameraView, later: CameraView, share: number): CameraView =>
  isJump(earlier, later) ? earlier : { ...later, ...blendPose(earlier, later, share) };

const poseOf = ({ position, orientation }: RigidPose): RigidPose => ({ position, orientation });

const blendPose = (earlier: RigidPose, later: RigidPose, share: number): RigidPose => ({
  position: blendVec(earlier.position, later.position, share),
  orientation: blendQuat(earlier.orientation, later.orientation, share),
});

const between = (from: number, to: number, share: number): number => from + (to - from) * share;

const blendVec = (from: Vec3, to: Vec3, share: number): Vec3 => [
  between(from[0], to[0], share),
  between(from[1], to[1], share),
  between(from[2], to[2], share),
];

/** Rotates by the shorter path. The states are so close that a normalised straight line is as good as the arc. */
function blendQuat(from: Quat, to: Quat, share: number): Quat {
  const sign = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3] < 0 ? -1 : 1;
  const part = (k: 0 | 1 | 2 | 3): number => between(sign * from[k], to[k], share);
  const line = [part(0), part(1), part(2), part(3)] as const;
  const length = Math.hypot(...line);
  return length === 0 ? to : [line[0] / length, line[1] / length, line[2] / length, line[3] / length];
}

const isJump = ({ position: from }: RigidPose, { position: to }: RigidPose): boolean =>
  Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) > JUMP_M;

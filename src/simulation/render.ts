import type { CameraId } from '../protocol/captures.ts';
import { COLLECTED_SHOWN_S, type CollectedRender, type RenderState, type RigidPose } from '../protocol/render-state.ts';
import * as fixtures from './fixtures.ts';
import type { SimWorld } from './world.ts';

/**
 * The fixed camera looks straight down from above the middle of the hall, the top of its picture towards +y, from high enough that the
 * whole floor with all pads and their signs is in a 16:9 picture with 60 degrees of vertical field of view.
 */
const TOPDOWN: RigidPose = { position: [0.25, -1.85, 11.4], orientation: [1, 0, 0, 0] };

/** Optical frames of all cameras in the world (x right, y down, z forward). */
export function cameraPoses(world: SimWorld): Record<CameraId, RigidPose> {
  return { pov: world.body.povCamera, topdown: TOPDOWN };
}

/** Everything that a picture of the world needs, copied: later steps do not change it. */
export function renderState(world: SimWorld): RenderState {
  const { body, cubes } = world;
  return {
    step: world.step,
    simTimeS: world.simTimeS,
    pelvis: body.pelvis,
    jointsRad: Array.from(body.jointsRad),
    cubes: cubes.all.map(({ entityId, colour, carrier, position: p, rotation: r }) => ({
      entityId,
      colour,
      held: carrier === 'hands',
      position: [p.x, p.y, p.z],
      orientation: [r.x, r.y, r.z, r.w],
    })),
    collected: collectedLately(world),
    cameras: cameraPoses(world),
    colourMode: world.colourMode,
    fixtures: fixtures.render(world),
  };
}

function collectedLately({ collection, simTimeS: nowS }: SimWorld): CollectedRender[] {
  return collection.listed
    .map(({ simTimeS, ...rest }) => ({ ...rest, ageS: nowS - simTimeS }))
    .filter(({ ageS }) => ageS <= COLLECTED_SHOWN_S);
}

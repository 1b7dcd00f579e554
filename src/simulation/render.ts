import { HEAD_CAMERA_FOV_DEG } from '../protocol/wire/captures.ts';
import { type CameraView, COLLECTED_SHOWN_S, type CollectedRender, type RenderState } from '../protocol/wire/render-state.ts';
import * as fixtures from './fixtures.ts';
import type { SimWorld } from './sim-world.ts';

/** Returns the views of all cameras of the world: the robot's own, and the scene's. */
function cameraViews({ body, scene }: SimWorld): RenderState['cameras'] {
  const hanging = scene.cameras.map(({ id, position, orientation, verticalFovDeg }): [string, CameraView] => [
    id,
    { position, orientation, verticalFovDeg },
  ]);
  return { pov: { ...body.povCamera, verticalFovDeg: HEAD_CAMERA_FOV_DEG }, ...Object.fromEntries(hanging) };
}

/** Everything that a picture of the world needs, copied: later steps do not change it. */
export function renderState(world: SimWorld): RenderState {
  const { body, things } = world;
  return {
    step: world.step,
    simTimeS: world.simTimeS,
    rootPose: body.rootPose,
    jointPositions: Array.from(body.jointPositions),
    things: things.all.map(({ entityId, colour, carrier, position: p, rotation: r, isCube, shape, category, massKg }) => ({
      ...(isCube ? {} : { object: { shape, category, massKg } }),
      entityId,
      colour,
      held: carrier === 'hands',
      position: [p.x, p.y, p.z],
      orientation: [r.x, r.y, r.z, r.w],
    })),
    collected: collectedLately(world),
    cameras: cameraViews(world),
    colourMode: world.colourMode,
    fixtures: fixtures.render(world),
  };
}

function collectedLately({ collection, simTimeS: nowS }: SimWorld): CollectedRender[] {
  return collection.listed
    .map(({ simTimeS, ...rest }) => ({ ...rest, ageS: nowS - simTimeS }))
    .filter(({ ageS }) => ageS <= COLLECTED_SHOWN_S);
}

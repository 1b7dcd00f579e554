import { Group } from 'three';
import { HEAD_CAMERA_ID } from '../protocol/wire/captures.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import { EMPTY_OVERLAY } from '../protocol/wire/render-state.ts';
import { createContactShadows } from './look/contact-shadows.ts';
import { createMaterialKit } from './look/materials.ts';
import { applyLook, disposeGeometries } from './look/mesh-materials.ts';
import { createCollectionStory } from './overlay/collection-story.ts';
import { createMarkers, PLAIN_MARKERS } from './overlay/markers.ts';
import { furnishSteps } from './props/furnish.ts';
import { robotLookOf } from './robots/looks.ts';
import { applyPose, rigSteps } from './robots/rig.ts';
import { lookOf } from './scenes/looks.ts';
import { inOneGo, type Steps } from './steps.ts';
import { createThingField } from './things/thing-field.ts';
import type { Audience, FrameSource, Look, StageQuality } from './types.ts';

/** The drawn world: a group for a scene, updated before every frame. z is up, metres. */
export interface Stage {
  root: Group;
  /** The look drawn last. */
  look(): Look;
  /** Applies the source's state. @param timeS any steady clock, for the slow pulse of the marks */
  draw(source: FrameSource, timeS: number): void;
  /** Ids of the cube instances under the mesh named `cubes`, by `instanceId`. */
  thingIds: readonly string[];
  dispose(): void;
}

export interface StageOptions {
  layout: ScenePlace;
  audience: Audience;
  quality: StageQuality;
}

/** Builds the stage for a layout whose look is loaded (`loadLook`). Needs no DOM and no WebGL context. */
export const createStage = (options: StageOptions): Stage => inOneGo(stageSteps(options));

/** Builds the stage in steps of a few milliseconds, for a thread that has other work as well. */
export function* stageSteps({ layout, audience, quality }: StageOptions): Steps<Stage> {
  const kit = createMaterialKit(audience, quality);
  const place = yield* furnishSteps(layout, kit, lookOf(layout, audience));
  const rig = yield* rigSteps(kit, robotLookOf(layout.robot));
  yield;
  const things = createThingField(kit);
  const shadows = createContactShadows(layout, kit.rich ? 0.6 : 1);
  const markers = audience === 'people' ? createMarkers(layout) : null;
  const story = audience === 'people' ? createCollectionStory(layout, kit) : null;
  const root = new Group();
  root.add(place.root, rig.root, things.root, shadows.mesh);
  if (markers) root.add(markers.root);
  if (story) root.add(story.root);
  let look: Look = 'natural';
  return {
    root,
    look: () => look,
    thingIds: things.entityIds,
    draw(source, timeS) {
      const state = source.latest();
      if (!state) return;
      // 1. Materials first, so that anything drawn for the first time below already has those of the mode.
      const pass = source.pass?.() ?? { kind: 'picture' };
      const wanted: Look = pass.kind === 'ids' ? { only: pass.only } : state.colourMode;
      if (wanted !== look) {
        look = wanted;
        applyLook(root, look);
      }
      // 2. Poses. The pov camera is in the robot.
      place.moveFixtures(state.fixtures);
      applyPose(rig, state);
      rig.seenFromHead(source.eye?.() === HEAD_CAMERA_ID);
      // 3. Shadows follow poses.
      shadows.clear();
      things.update(state.things, look, shadows);
      const person = source.markers?.() ?? PLAIN_MARKERS;
      story?.update(state.collected, look, person.still, shadows);
      rig.look.addShadows(rig, state, shadows);
      shadows.flush();
      // 4. Marks lie over everything.
      markers?.update(source.overlay?.() ?? EMPTY_OVERLAY, person, state, timeS);
      kit.setStatusLight(source.statusLight?.() ?? 'idle', timeS);
    },
    dispose() {
      place.dispose();
      disposeGeometries(rig.root);
      things.dispose();
      shadows.dispose();
      shadows.mesh.geometry.dispose();
      shadows.mesh.dispose();
      markers?.dispose();
      story?.dispose();
      kit.dispose();
    },
  };
}

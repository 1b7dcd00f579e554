import type { PlanarPose, Quat, Vec3 } from './geometry.ts';
import type { ThingColour } from './scene.ts';
import type { ThingShape } from './thing-shape.ts';

/** A pose as drawing needs it: world frame, metres, unit quaternion [x, y, z, w]. */
export interface RigidPose {
  position: Vec3;
  orientation: Quat;
}

/** A camera's view: its optical frame (x right, y down, z forward) in the world, and its vertical field of view. */
export interface CameraView extends RigidPose {
  verticalFovDeg: number;
}

/** The shape and category of a thing that is not a cube. */
export interface ObjectRender {
  shape: ThingShape;
  category: string;
  massKg: number;
}

/** One movable thing of the scene. */
export interface ThingRender extends RigidPose {
  entityId: string;
  colour: ThingColour;
  held: boolean;
  /** Only for a thing that is not a cube. */
  object?: ObjectRender;
}

/** A cube that was collected a moment ago, at its last place: people see its disappearance, cameras do not. */
export interface CollectedRender extends RigidPose {
  entityId: string;
  colour: ThingColour;
  padId: string;
  /** Simulated seconds since the collection. */
  ageS: number;
}

/** The data that a picture needs of a fixture. */
export interface FixtureRender {
  kind: 'conveyor';
  /** Id of the furniture that is drawn for it. */
  id: string;
  /** Metres that its belt has moved since the start. */
  travelM: number;
}

/** How long a collected cube is reported, simulated seconds. */
export const COLLECTED_SHOWN_S = 3;

/** The colours that the cameras draw: `natural` lit, `plain` flat colours, `segmentation` one colour for each entity. */
export type ColourMode = 'natural' | 'plain' | 'segmentation';

/**
 * Everything that a picture of the world needs, at one simulation step. Plain data: it crosses thread borders by structured
 * clone.
 */
export interface RenderState {
  step: number;
  simTimeS: number;
  /** World pose of the robot's root link; a humanoid's pelvis, height and lean included. */
  rootPose: RigidPose;
  /** Joint positions in the order of the model's joints, radians; metres of a joint that slides. */
  jointPositions: readonly number[];
  things: readonly ThingRender[];
  /** Cubes that were collected within `COLLECTED_SHOWN_S`, oldest first. */
  collected: readonly CollectedRender[];
  /** The camera of the robot's head, and those that hang in the place, by their ids. */
  cameras: { readonly pov: CameraView } & Readonly<Record<string, CameraView>>;
  colourMode: ColourMode;
  /** The parts of the place that move on their own. */
  fixtures: readonly FixtureRender[];
}

/** The overlay over the world that only people see: never in a robot camera. */
export interface Overlay {
  /** The planned path, world frame, on the floor. */
  path: readonly (readonly [number, number])[];
  goal: PlanarPose | null;
  /** The entity an action is about. */
  targetEntityId: string | null;
}

export const EMPTY_OVERLAY: Overlay = { path: [], goal: null, targetEntityId: null };

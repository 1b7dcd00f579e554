import type { SceneFile } from '../protocol/files/scene-file.ts';
import type { PlanarPose, Vec3 } from '../protocol/wire/geometry.ts';
import type { LookId } from '../protocol/wire/look-ids.ts';
import type { Dressing, Furniture, SceneCamera } from '../protocol/wire/place.ts';
import type { SceneLayout, ThingColour } from '../protocol/wire/scene.ts';
import type { ThingShape } from '../protocol/wire/thing-shape.ts';

/** The places to stand for work at a pad, facing it. `standoffM` is from its middle, or its middle line, to the middle of the base. */
export type PadApproach =
  /** Before the middle of each of its four sides. */
  | { kind: 'four-sides'; standoffM: number }
  /** On both sides of a long one: level with the robot as far as the pad goes, and level with each of its slots. */
  | { kind: 'beside'; along: 'x' | 'y'; standoffM: number };

/** A thing that lies in a scene at the start, upright, its centre at `position` (world, metres). */
export interface ThingAtStart {
  /** @default `cube_` and the next number */
  id?: string;
  /** The kind: `cube` for cubes, which have the shape of all cubes; any other word for anything else. */
  category: string;
  shape: ThingShape;
  /** Of a cube: its colour in a world of seed 1; other seeds draw their own, unless `keepsColour`. Any other thing has this one. */
  colour: ThingColour;
  /** Whether a cube has its colour with every seed. @default false */
  keepsColour?: boolean;
  /** @default that of a cube; a thing of another size should have its own */
  massKg?: number;
  /** @default that of a cube */
  friction?: number;
  position: Vec3;
  /** Heading of its own x axis, world frame. @default 0 */
  yawRad?: number;
}

/** The belt of a scene: it carries cubes along -y to slot 0, and new ones come from under the infeed hood at its far end. */
export interface ConveyorDefinition {
  kind: 'conveyor';
  padId: string;
  /** The obstacle that is the belt's body, and the one that is the hood. */
  beltObstacleId: string;
  hoodObstacleId: string;
  /** Across the belt: its middle line in the world, and half its width. */
  centreX: number;
  halfWidthM: number;
  /** Ends of the belt along y, in the world. */
  minY: number;
  maxY: number;
  /** Height of the surface cubes rest on. */
  surfaceZ: number;
  /** Where new cubes appear, unseen, in the world. */
  infeedY: number;
  /** Colours of the cubes in the row at the start of seed 1, by slot index; also their ids' numbers. Other seeds draw their own. */
  startColours: readonly ThingColour[];
}

/** Every kind of fixture: a new one is named in these three and in `KINDS`. */
export type FixtureDefinition = ConveyorDefinition;

/** A named part of the floor. */
export interface Region {
  id: string;
  /** Name for people. */
  title: string;
  /** Its corners in order, world frame, metres. */
  polygon: readonly (readonly [number, number])[];
}

/** Everything a world is built from; clients get `layout`, and physics and planner use the same boxes. */
export interface SceneDefinition {
  /** The file that it was made from. The file alone determines the scene. */
  file: SceneFile;
  /** Name for people, and a sentence about it. */
  title: string;
  summary: string;
  /**
   * Pads are at most 0.66 m high: the underside of a carried cube is at 0.845 m, and the cubes on a pad, 0.15 m for each layer, must
   * stay clear below it, or carried cubes sweep them away.
   */
  layout: SceneLayout;
  /** The furniture that the layout's boxes are. */
  furniture: readonly Furniture[];
  /** Cameras that hang in it, beside the one in the robot's head. */
  cameras: readonly SceneCamera[];
  spawn: PlanarPose;
  /** The approach of each pad, by its id; a pad without one is approached from wherever there is room. */
  approaches: Readonly<Record<string, PadApproach>>;
  /** The parts that move on their own. They bring things of their own. */
  fixtures: readonly FixtureDefinition[];
  /** The other things that are there at the start, in the order of their ids. */
  things: readonly ThingAtStart[];
  /** The benchmark that the scene is made for: each destination pad takes cubes of its colour. Null for a scene without one. */
  benchmark: 'sorting' | null;
  regions: readonly Region[];
  /** How walls and ceiling look. */
  look: LookId;
  /** How floor, boxes and what is only drawn look; null if the file does not define it. */
  dressing: Dressing | null;
}

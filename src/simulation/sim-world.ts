/** The world as plain data: all of it, and no function that changes it. */
import type RAPIER from '@dimforge/rapier3d-compat';
import type { PlanarPose, Quat, Vec3 } from '../protocol/wire/geometry.ts';
import type { ColourMode } from '../protocol/wire/render-state.ts';
import type { Obstacle, Slot, ThingColour } from '../protocol/wire/scene.ts';
import type { Random } from './random.ts';
import type { Robot, RobotBody } from './robot.ts';
import type { ConveyorDefinition, SceneDefinition } from './scene-definition.ts';
import type { Thing, ThingsState } from './thing.ts';

/** The initialised physics library, as its loader hands it in. */
export type Physics = typeof RAPIER;

/** A planar velocity in the base's own frame: forward, left (m/s) and turning left (rad/s). */
export interface BodyVelocity {
  vx: number;
  vy: number;
  wz: number;
}

/** The base: a dynamic body that moves in the floor plane and turns, and the drive that moves it. */
export interface BaseState {
  readonly rigidBody: RAPIER.RigidBody;
  readonly collider: RAPIER.Collider;
  /** The requested velocity. */
  readonly command: BodyVelocity;
  /** The velocity that the drive asks of the body now: the command behind the acceleration limits. */
  readonly reference: BodyVelocity;
  /** State of the body after the last step: pose in the world, velocity in the base frame. */
  readonly pose: PlanarPose;
  readonly velocity: BodyVelocity;
}

/** A palm in physics: a box that follows the body's palm and touches things only. */
export interface Palm {
  readonly rigidBody: RAPIER.RigidBody;
  readonly collider: RAPIER.Collider;
}

/** The palms. Physics has them only while a thing is near: elsewhere they touch nothing, and moving them costs as much as the base. */
export interface Palms {
  readonly right: Palm;
  readonly left: Palm;
  arePresent: boolean;
  /** A thing got between a palm and the robot's own base: the palms give way until they are clear of it. */
  giveWay: boolean;
}

/**
 * A thing in the hands. It is joined to a carrier, a body without a shape midway between the palms, and the carrier is driven
 * after the palms with limited force: a thing that the scene holds back stays back, instead of being pressed through a wall.
 * The carrier is level, x ahead and y from the right palm to the left. Wrists turn about the axis through both palms while the
 * arms move, and a thing between two palms does not turn with them.
 */
export interface Hold {
  readonly thing: Thing;
  readonly carrier: RAPIER.RigidBody;
  /** Place of the thing's centre in the carrier's frame when it was taken. */
  readonly anchor: RAPIER.Vector;
  /** Between the palms' centres when it was taken, metres. */
  readonly spanM: number;
  /** The carrier's target after the next step; world frame. */
  readonly target: { x: number; y: number; z: number; yawRad: number };
  /** Distance of the thing from its place between the palms, metres. */
  slipM: number;
}

/** The palms in physics, and the thing that they hold. */
export interface GraspState {
  readonly palms: Palms;
  hold: Hold | null;
}

/**
 * The belt keeps its row closed up: when a cube is taken, those behind it move up and a new one comes from under the hood.
 * It is an accumulating conveyor: rubber runs under the cubes that have a place to go to, and stands under the others. In
 * physics that is a still belt and a running one in the same place; a cube touches the one or the other.
 * It waits while a hand is over it.
 */
export interface Conveyor {
  readonly kind: 'conveyor';
  readonly definition: ConveyorDefinition;
  /** The box that hides incoming cubes, if there is one. */
  readonly hood: Obstacle | null;
  readonly runningBelt: RAPIER.RigidBody;
  /** The slots of the source pad, the one at the near end first. */
  readonly places: readonly Slot[];
  readonly beltOrigin: { x: number; y: number; z: number };
  speedMps: number;
  /** Metres the rubber has run since the start. */
  travelM: number;
  /** Cubes of the row, the one at slot 0 first. */
  readonly row: Thing[];
}

export type Fixture = Conveyor;

/** The count of sorted cubes: what rests where now, and which cubes have been spoiled since the count was armed. */
export interface BenchmarkState {
  enabled: boolean;
  /** Cubes that lay on a destination pad when the count was armed, and have not been taken since. */
  readonly alreadyThere: Set<string>;
  /** Cubes that have come to rest outside every pad since then. */
  readonly spoiled: Set<string>;
  /** The number of such cubes that have been collected since. */
  spoiledAndGone: number;
}

/** A cube that has been collected: its properties and the place where it rested at that moment, world frame. */
export interface CollectedCube {
  readonly entityId: string;
  readonly colour: ThingColour;
  readonly padId: string;
  readonly position: Vec3;
  readonly orientation: Quat;
  /** When it was collected, simulated time since the start. */
  readonly simTimeS: number;
}

/** The handling of right deliveries: they are counted, and leave the scene. */
export interface CollectionState {
  /** Whether a right delivery leaves its pallet. */
  enabled: boolean;
  /** The latest, oldest first; never more than `COLLECTED_LISTED`. */
  readonly listed: CollectedCube[];
  /** How many were collected from each pad since the count was armed, by pad id. */
  readonly sinceArmed: Map<string, number>;
}

/** An event of a step without a request. */
export type SimEvent = { type: 'dropped'; entityId: string } | { type: 'cube_entered'; entityId: string };

/** The physical world: plain data, moved on only by `stepWorld`. */
export interface SimWorld {
  readonly rapier: typeof RAPIER;
  readonly physics: RAPIER.World;
  /** Steps since the start, and the simulated time they make. */
  step: number;
  simTimeS: number;
  readonly seed: number;
  readonly scene: SceneDefinition;
  readonly random: Random;
  readonly base: BaseState;
  readonly robot: Robot;
  /** The robot's body: its joints and their drives. */
  readonly body: RobotBody;
  readonly things: ThingsState;
  readonly fixtures: readonly Fixture[];
  readonly grasp: GraspState;
  readonly benchmark: BenchmarkState;
  readonly collection: CollectionState;
  colourMode: ColourMode;
  /** Obstacle or entity that a collider stands for, by collider handle. */
  readonly colliderIds: Map<number, string>;
  /** The events of the last step; the next one clears them. */
  readonly events: SimEvent[];
}

import type { PlanarPose, Vec3 } from '../protocol/wire/geometry.ts';
import type { RigidPose } from '../protocol/wire/render-state.ts';
import type { RobotModel } from '../protocol/wire/robot.ts';
import type { Obstacle } from '../protocol/wire/scene.ts';
import type { Follower } from './motion.ts';
import type { SceneDefinition } from './scene-definition.ts';
import type { ThingsState } from './thing.ts';

/** Two palms, or the two fingers of a gripper, as one grip. */
export interface GripPose {
  /** World frame; midway between the palms. */
  centre: Vec3;
  /** The right palm sits at centre − n·opening/2, the left at centre + n·opening/2, n = (−sin yaw, cos yaw, 0). */
  yawRad: number;
  /** Between the inner faces of the palms. */
  openingM: number;
  /** To where the palms close next from there: the posture suits that too. @default a little less than a cube */
  closesToM?: number;
}

/** Angles of the head: positive yaw left, positive pitch down. */
export interface HeadAngles {
  yawRad: number;
  pitchRad: number;
}

/** The head's motion and its commands. */
export interface HeadState {
  yaw: Follower;
  pitch: Follower;
  /** Held by set_head until released. */
  target: HeadAngles | null;
  /** The point to look at while nothing is held, world frame. */
  gaze: Vec3 | null;
}

/** The body's input for each step. */
export interface BodyInput {
  /** Pose of the base at the end of this step, world frame. */
  base: PlanarPose;
  /** The base's actual velocity in its own frame: metres and radians a second. */
  velocityBody: { vx: number; vy: number; wz: number };
  /** The boxes that stand fixed in the scene. */
  obstacles: readonly Obstacle[];
  /** Whether the hands hold something. */
  isHolding: boolean;
  dtS: number;
}

/** The centre of a palm, which the robot's own folder moves with the hand. */
export interface PalmCentre {
  x: number;
  y: number;
  z: number;
}

/** The part that all robots' bodies have: plain data, written only by the robot's own folder. Poses are made when they are read. */
export interface RobotBody {
  /** World pose of the root link; a humanoid's pelvis, height and lean included. */
  readonly rootPose: RigidPose;
  /** Angles in the order of the model's joints; metres of a joint that slides. */
  jointPositions: Float64Array;
  /** Centres of the palms, turned as their hands are: y points from the right to the left one. */
  readonly palms: { readonly right: RigidPose; readonly left: RigidPose };
  /** The same centres alone, written in place, for code that reads them in every step; world frame, metres. */
  readonly palmCentres: { readonly right: PalmCentre; readonly left: PalmCentre };
  /** Optical frame of the robot's camera (x right, y down, z forward). */
  readonly povCamera: RigidPose;
  head: HeadState;
}

/** The things that hands can be in the way of: those of a world. */
export interface Surroundings {
  readonly scene: SceneDefinition;
  readonly things: ThingsState;
}

/** How hands go somewhere. */
export interface MoveOptions {
  /** Simulated seconds. @default from the distance */
  durationS?: number | undefined;
  /** The default time counts so many times: what is heavy is moved slowly. @default 1 */
  slowerBy?: number;
}

export interface CarryOptions {
  /** Of the grip's middle above the floor, metres. @default as for a cube */
  heightM?: number;
  /** The time counts so many times. @default 1 */
  slowerBy?: number;
}

/** The functions of a robot's hands. */
export interface RobotHands<Body> {
  /** Computes whether the whole body would get both palms to a grip from a base pose in this world. Pure. */
  solveReach(surroundings: Surroundings, base: PlanarPose, grip: GripPose): { feasible: boolean };
  /**
   * Moves both palms to a grip.
   * @returns false, and nothing changes, when the grip is out of reach from here
   */
  moveTo(body: Body, grip: GripPose, options?: MoveOptions): boolean;
  /** Opens or closes the palms about the grip's centre. */
  setOpening(body: Body, openingM: number, durationS?: number): void;
  /** Stops the palms where they are; called when they have touched the thing they close on. */
  freezeOpening(body: Body): void;
  /** Brings the held thing to where the robot carries it; from then on the hands move with the base. */
  carry(body: Body, options?: CarryOptions): void;
  /** Puts empty hands away. */
  stow(body: Body, durationS?: number): void;
  /** Brakes every motion of the hands; opening hands open to the end. All is over within `STOP_WITHIN_S`. */
  halt(body: Body): void;
  /** Whether the hands are on their way somewhere. */
  isMoving(body: Body): boolean;
  /** The grip as the palms are now. */
  grip(body: Body): GripPose;
}

/** The functions of a robot's head, or of whatever turns its camera. */
export interface RobotHead<Body> {
  /** Holds the head at angles from now on, clamped to its range; an axis left out keeps its target, or where the head is heading. */
  setTarget(body: Body, angles: { yawRad?: number | undefined; pitchRad?: number | undefined }): void;
  /** Stops the head as soon as it can without turning back, and holds it there. */
  halt(body: Body): void;
  /** How fast the head turns, the faster of its axes, rad/s. */
  speedRps(body: Body): number;
  /** Returns whether the head is held at a target; otherwise it is free to look where the work is. */
  isHeld(body: Body): boolean;
  releaseTarget(body: Body): void;
  /** Returns the head's current goal. */
  target(body: Body): HeadAngles;
  measured(body: Body): HeadAngles;
  /** Sets the point to look at while no target is held; null = straight ahead. */
  setGaze(body: Body, pointWorld: Vec3 | null): void;
  /**
   * Returns the head angles that put a point on the camera's optical axis. `reachable` is true if the head can take them; if
   * not, they are the nearest that it can take.
   */
  anglesToward(body: Body, pointWorld: Vec3): HeadAngles & { reachable: boolean };
}

/** The functions of two arms that follow poses of their joints, as the physical robot's contract asks. */
export interface PosedArms<Body> {
  /** Sends the arms to joint angles, right then left, radians. */
  command(body: Body, targetRad: ArrayLike<number>): void;
  /** Lets the arms hang. */
  limp(body: Body): void;
  /** Gives the arms back to the robot's own motions. */
  giveBack(body: Body): void;
  mode(body: Body): 'policy' | 'trajectory' | 'damp';
  commandedRad(body: Body): readonly number[] | null;
  measuredRad(body: Body): readonly number[];
  speedsRps(body: Body): readonly number[];
  isMoving(body: Body): boolean;
}

/** The base as physics has it, and the push that its legs or wheels have. */
export interface Chassis {
  massKg: number;
  heightM: number;
  maxForceN: number;
  maxTorqueNm: number;
}

/** Where the hands work well; each place is checked by `solveReach` before it is used. */
export interface Workplace {
  /** Distances from base to grip, metres, best first. */
  distancesM: readonly number[];
  /** No grip beyond this can be reached; asking the solver would only cost time. */
  farthestM: number;
  /** Hands may be turned this far against the base. */
  twistMaxRad: number;
}

/** The things that the hands can take between them. */
export interface Gripper {
  /** Widths between the palms, metres. */
  widthM: { min: number; max: number };
  /** How far a thing may reach before and behind the palms together, and how high it may be, metres. */
  mostDepthM: number;
  mostHeightM: number;
  /** Beyond this weight it would slip: the thing with all that lies in it. */
  mostMassKg: number;
  /** Palms that are closed on something narrow come no lower than this, their middle above the floor, metres. */
  narrow: { belowWidthM: number; lowestM: number } | null;
  /** The palms part no farther than this, inner face to inner face. */
  openingM: number;
  /** Where empty hands are close to the body, from where they hang upwards, metres: they pass something tall on this way, and swing nowhere. */
  closeIn: readonly { aheadM: number; heightM: number }[];
  /** Where empty hands hang beside the body, their middle and how far apart they are, metres; null where they stay before it. */
  hang: { aheadM: number; heightM: number; openingM: number } | null;
  /** A carried thing is held no higher than this, its grip's middle above the floor. */
  highestCarryM: number;
}

/** A kind of robot: its measures, and functions over its body. The body's state is plain data, and part of the world's. */
export interface RobotKind<Body extends RobotBody, Kept> {
  readonly model: RobotModel;
  readonly chassis: Chassis;
  readonly workplace: Workplace;
  readonly gripper: Gripper;
  /** The place of a carried thing, base frame: its centre this far ahead of the base and this high above the floor. */
  readonly carried: { aheadM: number; heightM: number };
  readonly hands: RobotHands<Body>;
  readonly head: RobotHead<Body>;
  /** Null for a robot without two arms that follow poses. */
  readonly posedArms: PosedArms<Body> | null;
  /** Creates a body that stands at a base pose among boxes. */
  create(base: PlanarPose, obstacles: readonly Obstacle[]): Body;
  /** Moves the body on by one step; the base has already moved. */
  step(body: Body, input: BodyInput): void;
  /** Returns all of its changing numbers, always in the same order, for the state hash. */
  numbers(body: Body): Iterable<number>;
  /** Returns the body as data that can be cloned by structure; it shares nothing with it. */
  keep(body: Body): Kept;
  /** Returns the body as it was kept. @throws Error when something is missing */
  restore(kept: Kept): Body;
}

/** A robot of whatever kind. Its functions take only the body that it created. */
export type Robot = RobotKind<RobotBody, unknown>;

/**
 * Returns the arms of a world's robot that follow poses.
 * @throws RangeError when it has none; a runtime that needs them asks before it starts
 */
export function posedArmsOf({ robot }: { robot: Robot }): PosedArms<RobotBody> {
  if (robot.posedArms === null) throw new RangeError(`The robot '${robot.model.id}' has no two arms that follow poses.`);
  return robot.posedArms;
}

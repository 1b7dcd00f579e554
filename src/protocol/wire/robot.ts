import type { Vec3 } from './geometry.ts';

/** The models of robots, by the id that a link or an option chooses, with the text for people who choose one. */
export const ROBOTS = {
  humanoid: { title: 'Humanoid', summary: 'It walks, and takes things with both hands.' },
  picker: { title: 'Picker', summary: 'It rolls any way, and takes things with one arm on a lift.' },
} as const satisfies Readonly<Record<string, { title: string; summary: string }>>;

export type RobotId = keyof typeof ROBOTS;
export const ROBOT_IDS = Object.keys(ROBOTS) as [RobotId, ...RobotId[]];
export const DEFAULT_ROBOT_ID: RobotId = 'humanoid';

/** Returns whether this is the name of a model. */
export const isRobotId = (id: unknown): id is RobotId => ROBOT_IDS.some((known) => known === id);

/**
 * A joint of a robot's tree of links: the kinematic data with which the simulation computes and the stage draws. Frames: x
 * forward, y left, z up. Every link's frame is at its joint; with all joints at 0 all frames are parallel to the root's.
 */
interface JointPlace {
  name: string;
  /** The link this joint moves. */
  link: string;
  parentLink: string;
  /** Place of the joint in its parent link's frame, metres. */
  origin: Vec3;
  /** Unit axis in the parent link's frame; positive angles turn right-handed about it, positive distances slide along it. */
  axis: Vec3;
}

export interface TurningJoint extends JointPlace {
  minRad: number;
  maxRad: number;
}

export interface SlidingJoint extends JointPlace {
  minM: number;
  maxM: number;
}

export type JointSpec = TurningJoint | SlidingJoint;

export const isSliding = (joint: JointSpec): joint is SlidingJoint => 'minM' in joint;

/** The measures of a robot that code outside its own needs. */
export interface RobotModel {
  id: RobotId;
  /** Name of the model on the wire. */
  name: string;
  heightM: number;
  /** The base frame is this far above the floor when the robot stands. */
  baseHeightM: number;
  /** Radius of the base on the floor: what the planner and the collision body use. */
  radiusM: number;
  /** Depth and width of the standing robot, arms included. */
  standingSizeM: readonly [number, number];
  /** Its root is the link at the base frame. */
  rootLink: string;
  /** Every joint, parents first. */
  joints: readonly JointSpec[];
  head: {
    /** Angles that the head takes, radians: positive yaw left, positive pitch down. */
    yawRangeRad: readonly [number, number];
    pitchRangeRad: readonly [number, number];
  };
  /** Whether it has two arms that follow poses of their joints, as the physical robot's contract asks. */
  hasPosedArms: boolean;
  /** The camera that the robot carries: its link, its optical centre there, its name for people, and words for clients. */
  camera: { mount: string; position: Vec3; title: string; description: string; note: string };
  words: RobotWords;
}

/** The words of a robot for sentences about its actions. */
export interface RobotWords {
  /** The name of one part that touches a thing. */
  palm: string;
  /** The parts that open and close. */
  hands: string;
  /** The part of the body that the wire calls `arms`. */
  arms: string;
  /** The name of all parts together that hold a thing. */
  grip: string;
  /** The robot's locomotion in words: "walk", and "walking". */
  go: string;
  going: string;
  /** The parts on which it moves. */
  feet: string;
}

/** Returns parts of the body as a sentence about this robot names them. */
export const partsInWords = (parts: readonly string[], { arms }: Pick<RobotWords, 'arms'>): readonly string[] =>
  parts.map((part) => (part === 'arms' ? arms : part));

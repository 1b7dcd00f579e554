import type { Vec3 } from './geometry.ts';

/** The models of robots, by the id that a link or an option chooses, and what people read of each when they choose one. */
export const ROBOTS = {
  humanoid: { title: 'Humanoid', summary: 'It walks, and takes things with both hands.' },
  picker: { title: 'Picker', summary: 'It rolls any way, and takes things with one arm on a lift.' },
} as const satisfies Readonly<Record<string, { title: string; summary: string }>>;

export type RobotId = keyof typeof ROBOTS;
export const ROBOT_IDS = Object.keys(ROBOTS) as [RobotId, ...RobotId[]];
export const DEFAULT_ROBOT_ID: RobotId = 'humanoid';

/** Tells whether this names a model. */
export const isRobotId = (id: unknown): id is RobotId => ROBOT_IDS.some((known) => known === id);

/**
 * A joint of a robot's tree of links: the kinematic truth that the simulation computes with and the stage draws.
 * Frames: x forward, y left, z up. Every link's frame sits at its joint; with all joints at 0 all frames are parallel to the root's.
 */
interface JointPlace {
  name: string;
  /** The link this joint moves. */
  link: string;
  parentLink: string;
  /** Place of the joint in its parent link's frame, metres. */
  origin: Vec3;
  /** Unit axis in the parent link's frame; positive angles turn right-handed about it, positive ways slide along it. */
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

/** The measures of a robot that others than its own code ask for. */
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

/** A robot's own words, for sentences about what it does. */
export interface RobotWords {
  /** The part that touches a thing, one of them. */
  palm: string;
  /** The parts that open and close. */
  hands: string;
  /** The part of the body that the wire calls `arms`. */
  arms: string;
  /** All that holds a thing, together. */
  grip: string;
  /** How the robot gets from place to place: "walk", and "walking". */
  go: string;
  going: string;
  /** The parts that it goes on. */
  feet: string;
}

/** Returns parts of the body as a sentence about this robot names them. */
export const partsInWords = (parts: readonly string[], { arms }: Pick<RobotWords, 'arms'>): readonly string[] =>
  parts.map((part) => (part === 'arms' ? arms : part));

/**
 * The judge's own kinematics: frames of all links from joint angles and the pelvis' pose, by quaternions, from the model's tree
 * of joints. Shares no code with the body.
 */

import { JOINTS, ROOT_LINK } from '../../../src/protocol/robots/humanoid.ts';
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';

export type Point = readonly [number, number, number];
type Turn = readonly [number, number, number, number];

/** A frame in the world: its origin, metres, and its rotation, [x, y, z, w]. */
export interface LinkFrame {
  at: Point;
  turn: Turn;
}

export type Links = ReadonlyMap<string, LinkFrame>;

const product = ([ax, ay, az, aw]: Turn, [bx, by, bz, bw]: Turn): Turn => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];

/** v + 2 q × (q × v + w v), for a unit quaternion. */
export function turned([x, y, z, w]: Turn, [vx, vy, vz]: Point): Point {
  const tx = y * vz - z * vy + w * vx;
  const ty = z * vx - x * vz + w * vy;
  const tz = x * vy - y * vx + w * vz;
  return [vx + 2 * (y * tz - z * ty), vy + 2 * (z * tx - x * tz), vz + 2 * (x * ty - y * tx)];
}

/** A frame's rotation after a further turn about an axis of the frame, radians. */
export function turnedOn(turn: Turn, [x, y, z]: Point, rad: number): Turn {
  const s = Math.sin(rad / 2);
  return product(turn, [x * s, y * s, z * s, Math.cos(rad / 2)]);
}

/** A point of a link in the world. */
export function inWorld({ at, turn }: LinkFrame, point: Point): Point {
  const [x, y, z] = turned(turn, point);
  return [at[0] + x, at[1] + y, at[2] + z];
}

/** A point of the world as a link sees it. */
export const inLink = ({ at, turn: [x, y, z, w] }: LinkFrame, [px, py, pz]: Point): Point =>
  turned([-x, -y, -z, w], [px - at[0], py - at[1], pz - at[2]]);

export function linkOf(links: Links, name: string): LinkFrame {
  const frame = links.get(name);
  if (!frame) throw new Error(`The model has no link ${name}.`);
  return frame;
}

/** Frames of every link, by name. */
export function linksOf({ rootPose, jointPositions }: Pick<RenderState, 'rootPose' | 'jointPositions'>): Links {
  const links = new Map<string, LinkFrame>([[ROOT_LINK, { at: rootPose.position, turn: rootPose.orientation }]]);
  JOINTS.forEach(({ link, parentLink, origin, axis }, i) => {
    const parent = linkOf(links, parentLink);
    links.set(link, { at: inWorld(parent, origin), turn: turnedOn(parent.turn, axis, jointPositions[i] ?? Number.NaN) });
  });
  return links;
}
